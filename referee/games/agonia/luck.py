"""All luck of a match. Each step that waits for luck has a draw, and a function that uses the result."""

from collections.abc import Callable
from typing import Any, NamedTuple

from referee.core.game import Roll, Shuffle
from referee.games.agonia import setup
from referee.games.agonia.deck import drawing
from referee.games.agonia.enemies import combat, spawning
from referee.games.agonia.position.agenda import Cast, Columns, Deal, First, Kindle, Pile, Reshuffle, Restock, Strike
from referee.games.agonia.position.state import Progress, State


class Draw(NamedTuple):
    """A kind of draw.

    Attributes:
        awaited: what must be drawn, with a label of its own.
        drawn: takes the drawn numbers and makes the next position.
    """

    awaited: Callable[[State, Any], Shuffle | Roll]
    drawn: Callable[[State, Any, tuple[int, ...]], Progress]


DRAWS: dict[type, Draw] = {
    # before the first round
    Cast: Draw(setup.shuffle_characters, setup.cast),
    Deal: Draw(setup.shuffle_cards, setup.dealt),
    Pile: Draw(setup.shuffle_enemies, setup.piled),
    First: Draw(setup.roll_for_first, setup.rolled_for_first),
    # when the deck or the pile of enemies is empty
    Reshuffle: Draw(drawing.shuffle, drawing.reshuffled),
    Restock: Draw(spawning.shuffle, spawning.restocked),
    # dice
    Columns: Draw(spawning.roll, spawning.rolled),
    Strike: Draw(combat.roll, combat.struck),
    Kindle: Draw(combat.roll, combat.kindled),
}
"""By step."""
