"""The part of a position that a seat may know, and the part of an event that it hears."""

from collections.abc import Callable
from typing import Any

import msgspec

from referee.core.outcome import Seat
from referee.games.agent_avenue.marks import SeenMark, seen_marks
from referee.games.agent_avenue.moves import FACE_DOWN, Answered, Discarded, Drew, Event, Laid, Played
from referee.games.agent_avenue.pieces import Agent, Cards
from referee.games.agent_avenue.state import Market, SideState, State
from referee.games.agent_avenue.teams import side_of


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """The public part of a player: the number of cards held and of discards used, and the marks (AA-31)."""

    hand_count: int
    discard_count: int
    marks: tuple[SeenMark, ...] = ()


class MarketView(msgspec.Struct, frozen=True, gc=False):
    """The market: its open part, and how many cards are left in the pile."""

    open: Market
    pile_count: int


class TeamsView(msgspec.Struct, frozen=True, gc=False):
    """The tasks of the seats in a line-up with teams.

    Attributes:
        captains: by side (AA-40).
        laying: the seats that lay the face-up and the face-down card (AA-41).
        face_down_laid: whether the face-down card lies on the table.
    """

    captains: tuple[Seat, Seat]
    laying: tuple[Seat, Seat]
    face_down_laid: bool


class View(msgspec.Struct, frozen=True, gc=False):
    """A position as one seat may know it.

    Attributes:
        seat: the seat whose view this is.
        turn: the number of the turn, counted from 1.
        active_seat: the seat whose turn it is.
        hand: the seat's own hand, sorted.
        own_discards: the seat's own discards, oldest first.
        sides: by side; everything about a side is open.
        deck_count: how many cards are left in the deck.
        face_up: the card played face up, while it waits to be recruited.
        own_face_down: the card played face down, likewise; None to all but the seat that played it (AA-06, AA-41).
        seats: what everybody sees of each player.
        market: the market, in advanced mode.
        teams: the tasks of the seats, in line-ups with teams.
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
    market: MarketView | None = None
    teams: TeamsView | None = None


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
        state.face_down if seat == state.laying[1] else None,
        tuple([SeatView(len(it.hand), len(it.discards), seen_marks(it.sightings)) for it in state.seats]),
        None if state.market is None else MarketView(state.market, len(state.pile)),
        None if len(state.seats) == 2 else _teams(state),
    )


def _teams(state: State) -> TeamsView:
    by_side = sorted((state.active, state.following), key=side_of)
    return TeamsView((by_side[0], by_side[1]), state.laying, state.face_down is not None)


def heard(event: Event, seat: Seat) -> Event | None:
    """The event without the parts that only others saw (AA-04, AA-05, AA-41); None if only others hear it (AA-43)."""
    part = _PARTS.get(type(event))
    return event if part is None else part(event, seat)


def _of_a_draw(event: Drew, seat: Seat) -> Drew:
    return event if event.seat == seat else Drew(event.seat, event.count, ())


def _of_a_discard(event: Discarded, seat: Seat) -> Discarded:
    return event if event.seat == seat else Discarded(event.seat, None)


def _of_a_play(event: Played, seat: Seat) -> Played:
    return event if event.seat == seat else Played(event.seat, event.face_up, None)


def _of_a_lay(event: Laid, seat: Seat) -> Laid:
    hidden = event.slot is FACE_DOWN and event.seat != seat
    return Laid(event.seat, event.slot, None) if hidden else event


def _of_an_answer(event: Answered, seat: Seat) -> Answered | None:
    return event if side_of(event.seat) == side_of(seat) else None


# The events that not all seats hear in full.
_PARTS: dict[type, Callable[[Any, Seat], Event | None]] = {
    Drew: _of_a_draw,
    Discarded: _of_a_discard,
    Played: _of_a_play,
    Laid: _of_a_lay,
    Answered: _of_an_answer,
}
