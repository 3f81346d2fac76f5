"""A way of choosing that wins now and then and uses many cards. Random choices hardly ever win."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.games.agonia.box.board import Cell
from referee.games.agonia.box.cards import JOINED, WEAPONS, HeldCard, card_of, is_jammed
from referee.games.agonia.position.actions import (
    Action,
    Discard,
    Equip,
    Go,
    Place,
    Reply,
    SearchDeck,
    ShootBarrel,
    ShootEnemy,
    ShootLine,
    Throw,
)
from referee.games.agonia.position.state import SeatState, State, board_of


def defending(game: AnyGame, state: Any, seats: tuple[Seat, ...], rng: Random) -> Mapping[Seat, Any]:
    """Place tokens before near enemies, shoot and throw at them, equip better cards. Otherwise search or walk."""
    (seat,) = seats
    legal = list(game.legal(state, seat))
    rng.shuffle(legal)
    return {seat: max(legal, key=lambda action: _worth(state, seat, action))}


def _worth(state: State, seat: Seat, action: Action) -> int:
    worth = _WORTHS.get(type(action))
    return worth(state, seat, action) if worth else 0


_WORTHS: dict[type, Callable[[State, Seat, Any], int]] = {
    ShootEnemy: lambda state, _, it: 60 - [enemy.number for enemy in state.enemies].index(it.enemy),
    ShootLine: lambda _state, _, _it: 30,
    ShootBarrel: lambda _state, _, _it: 30,
    Throw: lambda state, _, it: 25 * _enemies_around(state, it.cell),
    Place: lambda state, _, it: 70 if any(is_before_an_enemy(state, cell) for cell in it.cells) else -1,
    Equip: lambda state, seat, it: 35 if _is_better(state.seats[seat], it.card) else 1,
    SearchDeck: lambda state, seat, _it: 20 if len(state.seats[seat].hand) < 3 else 2,
    Go: lambda _state, _, _it: 5,
    Reply: lambda _state, _, it: int(it.accept),
    Discard: lambda _state, _, it: -_reach(it.card),
}


def _enemies_around(state: State, cell: Cell) -> int:
    near = board_of(state).within[cell][1]
    return sum(near >> enemy.cell & 1 for enemy in state.enemies)


def is_before_an_enemy(state: State, cell: Cell) -> bool:
    """Whether an enemy would come to this cell with its next step forward."""
    ahead = board_of(state).ahead
    return any(ahead[enemy.facing][enemy.cell] == cell for enemy in state.enemies)


def _is_better(own: SeatState, card: HeldCard) -> bool:
    """Whether the card is a weapon that reaches farther, a joined card, or equipment where there is none."""
    if card_of(card) in WEAPONS:
        return _reach(card) > _reach(own.weapon)
    return card_of(card) in JOINED or own.equipment is None


def _reach(card: int | None) -> int:
    """The range of a weapon, and 1 more for a second attack. 0 for anything else."""
    if card is None or card_of(card) not in WEAPONS or is_jammed(card):
        return 0
    weapon = WEAPONS[card_of(card)]
    return weapon.range + weapon.attacks - 1
