"""What a seat may know of a position, and what it hears of an event."""

import msgspec

from referee.core.outcome import Seat
from referee.games.agent_avenue.moves import Discarded, Drew, Event, Played
from referee.games.agent_avenue.pieces import Agent, Cards
from referee.games.agent_avenue.state import SeatState, SideState, State


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """What everybody sees of a player: the number of cards held, and of discards used (AA-04)."""

    hand_count: int
    discard_count: int


class View(msgspec.Struct, frozen=True, gc=False):
    """A position as one seat may know it.

    Attributes:
        seat: whose view it is.
        turn: counted from 1.
        active_seat: whose turn it is.
        hand: the seat's own, sorted.
        own_discards: oldest first.
        sides: by side; all of it is open.
        deck_count: how many cards are left in the deck.
        face_up: while a card so played waits to be recruited.
        own_face_down: likewise; None to the opponent, who must choose without it (AA-06).
        seats: by seat.
    """

    seat: Seat
    turn: int
    active_seat: Seat
    hand: Cards
    own_discards: Cards
    sides: tuple[SideState, ...]
    deck_count: int
    face_up: Agent | None
    own_face_down: Agent | None
    seats: tuple[SeatView, ...]


def view(state: State, seat: Seat) -> View:
    """The position as `seat` may know it."""
    own = state.seats[seat]
    return View(
        seat,
        state.turn,
        state.active,
        own.hand,
        own.discards,
        state.sides,
        len(state.deck),
        state.face_up,
        state.face_down if seat == state.active else None,
        tuple(map(_counts, state.seats)),
    )


def heard(event: Event, seat: Seat) -> Event:
    """The event with the cards that only another seat saw left out (AA-04, AA-05)."""
    if isinstance(event, Drew) and event.seat != seat:
        return Drew(event.seat, event.count, ())
    if isinstance(event, Discarded) and event.seat != seat:
        return Discarded(event.seat, None)
    if isinstance(event, Played) and event.seat != seat:
        return Played(event.seat, event.face_up, None)
    return event


def _counts(held: SeatState) -> SeatView:
    return SeatView(len(held.hand), len(held.discards))
