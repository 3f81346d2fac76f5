"""A way of choosing that reaches the ending `siege`, which random choices do not reach. Two enemies are shut in.

On the secondary board, two enemies follow each other down the first lane. A double barricade at c5 and c6 shuts them
in. The first enemy turns right at b6. Ahead of it is the barricade, the ground ends on one side, and the second enemy
is on the other side. The second enemy faces down. Ahead of it is the first one, the ground ends on one side, and the
barricade is on the other side. Two players can place the barricade at once from where they start.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.games.agonia.box.board import BOARDS, xy
from referee.games.agonia.box.cards import Card
from referee.games.agonia.position.actions import KEEP, SEARCH, Action, Discard, EndTurn, Place, Reply, ShootEnemy
from referee.games.agonia.position.state import State, find_enemy

_BOARD = BOARDS["secondary"]
_TRAP = (_BOARD.at(2, 5), _BOARD.at(2, 6))


def besieging(game: AnyGame, state: Any, seats: tuple[Seat, ...], rng: Random) -> Mapping[Seat, Any]:
    """Search for the barricade, place it, shoot every enemy that is not in the first lane, and then wait."""
    (seat,) = seats
    legal = list(game.legal(state, seat))
    rng.shuffle(legal)
    return {seat: max(legal, key=lambda action: _worth(state, action))}


def _worth(state: State, action: Action) -> int:
    match action:
        case Place(cells=cells):
            return 4 if cells == _TRAP else 0
        case ShootEnemy(enemy=number):
            return 3 if _is_outside(state, number) else 0
        case Discard(card=card):
            return 1 if card != Card.BARRICADA_DOBLE else 0
        case EndTurn() | Reply():
            return 1
    if action is SEARCH:
        return 0 if is_trapped(state) else 2
    return 1 if action is KEEP else 0


def is_trapped(state: State) -> bool:
    """Whether the barricade lies where it shuts enemies in."""
    return any(token.cells == _TRAP for token in state.tokens)


def _is_outside(state: State, number: int) -> bool:
    enemy = find_enemy(state, number)
    return enemy is not None and xy(enemy.cell)[0] != 1
