"""The position: what lies where, and what is to be done."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.core.outcome import Outcome, Seat
from referee.games.agonia.box.board import BOARDS, Board, Cell, Facing
from referee.games.agonia.box.cards import Cards, Held
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind
from referee.games.agonia.position.agenda import Agenda, Step
from referee.games.agonia.position.events import Event
from referee.games.agonia.position.options import Options


class SeatState(msgspec.Struct, frozen=True, gc=False):
    """A player, all of it open (AG-26).

    Attributes:
        character: who it is.
        cell: where it stands.
        hand: sorted.
        weapon: on the table.
        joined: the cards that the weapon bears, sorted (AG-47).
        equipment: on the table.
    """

    character: Character
    cell: Cell
    hand: Cards = ()
    weapon: Held | None = None
    joined: Cards = ()
    equipment: Held | None = None


FIRST_SIDE, OTHER_SIDE = 1, 2


class Enemy(msgspec.Struct, frozen=True, gc=False):
    """An enemy on the board.

    Attributes:
        number: counted from 1 in the order of appearance, so that it can be followed.
        kind: of enemy.
        cell: where it stands.
        life: what is left of it.
        facing: the way it goes.
        held: whether a trap holds it (AG-53).
        aside: the side it tries first at its next sidestep (AG-43): FIRST_SIDE, OTHER_SIDE, or 0 if it has no memory.
    """

    number: int
    kind: EnemyKind
    cell: Cell
    life: int
    facing: Facing = Facing.DOWN
    held: bool = False
    aside: int = 0


class Token(msgspec.Struct, frozen=True, order=True, gc=False):
    """A token on the board.

    Attributes:
        cells: that it covers, sorted.
        kind: of token.
        fire: how many entries a burning barricade still lasts; 0 if it does not burn.
    """

    cells: tuple[Cell, ...]
    kind: TokenKind
    fire: int = 0


class State(msgspec.Struct, frozen=True, gc=False):
    """A position, whole: the hidden parts included.

    Attributes:
        options: what was agreed.
        last: the last cell of the counter (AG-20).
        order: the seats in turn order; in seat order until that is known.
        agenda: what is to be done.
        seats: by seat; none until the characters are known.
        deck: top first.
        discards: sorted.
        pile: tokens of enemies, top first.
        dead: tokens that were on the board, sorted.
        round: counted from 1; 0 before the first.
        counter: where the counter stands.
        supplied: whether the counter has just arrived where everybody draws (AG-52).
        rounds_on_last: rounds that began with the counter on its last cell (AG-41).
        enemies: on the board, in the order in which they would move (AG-30).
        tokens: on the board, sorted.
        spawned: enemies that have appeared.
        killed: enemies that died.
        rolls: attack rolls of this round.
        shuffles: how often the discards were shuffled.
        restocks: how often the dead tokens were.
        calm: whether no enemy appears any more in this round (calma tensa, AG-52).
        stampedes: how much more every enemy moves in the next advance (estampida).
        jams: all marks of being jammed that cards bear, as one card would bear them (AG-56).
        outcome: of a game that is over.
    """

    options: Options
    last: int
    order: tuple[Seat, ...]
    agenda: Agenda
    seats: tuple[SeatState, ...] = ()
    deck: Cards = ()
    discards: Cards = ()
    pile: tuple[EnemyKind, ...] = ()
    dead: tuple[EnemyKind, ...] = ()
    round: int = 0
    counter: int = 0
    supplied: bool = False
    rounds_on_last: int = 0
    enemies: tuple[Enemy, ...] = ()
    tokens: tuple[Token, ...] = ()
    spawned: int = 0
    killed: int = 0
    rolls: int = 0
    shuffles: int = 0
    restocks: int = 0
    calm: bool = False
    stampedes: int = 0
    jams: Held = 0
    outcome: Outcome | None = None


Progress: TypeAlias = tuple[State, tuple[Event, ...]]
"""A position, and what was heard on the way to it."""


def done(state: State, *steps: Step, **changes: Any) -> State:
    """The position with the step on top of the agenda done, these steps in its place, and other fields changed."""
    agenda = steps + state.agenda[1:]
    # To pass on no changes would cost as much as all the rest.
    return replace(state, agenda=agenda, **changes) if changes else replace(state, agenda=agenda)


def board_of(state: State) -> Board:
    """The board it is played on."""
    return BOARDS[state.options.board]


def find_enemy(state: State, number: int) -> Enemy | None:
    """The enemy of this number, if it is on the board."""
    for enemy in state.enemies:
        if enemy.number == number:
            return enemy
    return None


def in_order(board: Board, enemies: Iterable[Enemy]) -> tuple[Enemy, ...]:
    """Enemies in the order in which they would move (AG-30)."""
    rank = board.rank
    return tuple(sorted(enemies, key=lambda enemy: rank[enemy.cell]))
