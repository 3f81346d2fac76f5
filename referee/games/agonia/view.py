"""What a seat may know of a position: all but the order of the deck and of the token pile (AG-26)."""

from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import Cards
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.position.agenda import Answer, BeginTurn, Search, SecondShot, Trim, Turn
from referee.games.agonia.position.events import Event
from referee.games.agonia.position.state import Enemy, SeatState, State, Token

Asked: TypeAlias = Turn | Search | SecondShot | Answer | Trim
"""A step of the agenda that waits for a player."""


class View(msgspec.Struct, frozen=True, gc=False):
    """A position as one seat may know it. Which cards and tokens are still hidden follows from those that are not.

    Attributes:
        seat: whose view it is.
        board: which board it is.
        round: counted from 1; 0 before the first.
        counter: where the counter stands.
        last: its last cell.
        order: the seats in turn order.
        active: the seat whose turn it is, or is next this round; None if there is no other turn this round.
        asked: what waits for a player; None while nobody is asked.
        seats: by seat; none until the characters are known.
        enemies: on the board, in the order in which they would move (AG-30).
        tokens: on the board, sorted.
        deck_count: cards in the deck.
        discards: sorted.
        pile_count: tokens of enemies in the pile.
        dead: tokens that were on the board, sorted.
        killed: enemies that died.
        calm: whether no enemy appears any more in this round (AG-52).
        stampedes: how much more every enemy moves in the next advance.
        rounds_on_last: rounds that began with the counter on its last cell, this one included (AG-41).
    """

    seat: Seat
    board: str
    round: int
    counter: int
    last: int
    order: tuple[Seat, ...]
    active: Seat | None
    asked: Asked | None
    seats: tuple[SeatState, ...]
    enemies: tuple[Enemy, ...]
    tokens: tuple[Token, ...]
    deck_count: int
    discards: Cards
    pile_count: int
    dead: tuple[EnemyKind, ...]
    killed: int
    calm: bool
    stampedes: int
    rounds_on_last: int


def view(state: State, seat: Seat) -> View:
    """The position as `seat` may know it."""
    top = state.agenda[0] if state.agenda else None
    return View(
        seat,
        state.options.board,
        state.round,
        state.counter,
        state.last,
        state.order,
        _active(state),
        top if isinstance(top, Asked) else None,
        state.seats,
        state.enemies,
        state.tokens,
        len(state.deck),
        state.discards,
        len(state.pile),
        state.dead,
        state.killed,
        state.calm,
        state.stampedes,
        state.rounds_on_last,
    )


def _active(state: State) -> Seat | None:
    for step in state.agenda:
        if isinstance(step, Turn | BeginTurn):
            return step.seat
    return None


def heard(event: Event, seat: Seat) -> Event:  # noqa: ARG001 - everybody hears everything
    """What `seat` hears of an event: all of it (AG-26)."""
    return event
