"""A seat's view of a position. It hides only the order of the deck and of the token pile (AG-26)."""

from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import Cards
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.position.agenda import Answer, Search, SecondShot, Start, Trim, Turn
from referee.games.agonia.position.events import Event
from referee.games.agonia.position.state import Enemy, SeatState, State, Token

PendingStep: TypeAlias = Start | Turn | Search | SecondShot | Answer | Trim
"""A step of the agenda that waits for a player."""


class View(msgspec.Struct, frozen=True, gc=False):
    """A position as one seat may know it. A seat can work out the hidden cards and tokens from the open ones.

    Attributes:
        seat: the seat that has this view.
        board: the board of the match.
        round: counted from 1; 0 before the first.
        counter: where the counter stands.
        last: its last cell.
        order: the seats in turn order.
        active: the seat that has the turn, or the next turn of this round; None if this round has no more turns.
        asked: the step that waits for a player; None if nobody is asked.
        players: the players, by seat; empty until the characters are known.
        enemies: the enemies on the board, in the order in which they would move (AG-30).
        tokens: the tokens on the board, sorted.
        deck_count: how many cards are in the deck.
        discards: the discarded cards, sorted.
        pile_count: how many enemy tokens are in the pile.
        dead: the tokens of dead enemies, sorted.
        killed: how many enemies have died.
        calm: whether no more enemies appear in this round (AG-52).
        stampedes: how many more steps every enemy moves in the next advance.
        rounds_on_last: rounds that began with the counter on its last cell, this one included (AG-41).
    """

    seat: Seat
    board: str
    round: int
    counter: int
    last: int
    order: tuple[Seat, ...]
    active: Seat | None
    asked: PendingStep | None
    players: tuple[SeatState, ...]
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
        top if isinstance(top, PendingStep) else None,
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
        if isinstance(step, Turn):
            return step.seat
    return None


def heard(event: Event, seat: Seat) -> Event:  # noqa: ARG001 - everybody hears everything
    """The event as `seat` hears it. Every seat hears all of it (AG-26)."""
    return event
