"""All decisions of players. Each step that waits for one has a seat to ask, legal actions, and their results."""

from collections.abc import Callable
from typing import Any, NamedTuple

from referee.core.game import Decide
from referee.core.outcome import Seat
from referee.games.agonia.players import attacks, discarding, exchanging, searching, turns
from referee.games.agonia.position.actions import Action
from referee.games.agonia.position.agenda import Answer, Search, SecondShot, Trim, Turn
from referee.games.agonia.position.state import Progress, State

_ALONE = tuple(Decide((seat,)) for seat in range(5))


class Decision(NamedTuple):
    """A kind of decision; one seat chooses at a time.

    Attributes:
        awaited: gives the seat that must choose.
        legal: gives the legal actions in a stable order.
        chosen: carries out the chosen action.
    """

    awaited: Callable[[State, Any], Decide]
    legal: Callable[[State, Any, Seat], tuple[Action, ...]]
    chosen: Callable[[State, Any, Seat, Any], Progress]


def _player(_state: State, step: Turn | Search | SecondShot) -> Decide:
    return _ALONE[step.seat]


def _partner(_state: State, step: Answer) -> Decide:
    return _ALONE[step.partner]


def _first(_state: State, step: Trim) -> Decide:
    return _ALONE[step.seats[0]]


DECISIONS: dict[type, Decision] = {
    Turn: Decision(_player, turns.actions, turns.act),
    Search: Decision(_player, searching.finds, searching.found),
    SecondShot: Decision(_player, attacks.second_shots, attacks.shot_again),
    Answer: Decision(_partner, exchanging.replies, exchanging.answered),
    Trim: Decision(_first, discarding.discards, discarding.discarded),
}
"""By step."""
