"""Hands: drawing cards, and cards that openly enter or leave a hand (AA-05, AA-23, AA-31)."""

from collections.abc import Iterable

from referee.core.outcome import Seat
from referee.games.agent_avenue.marks import with_mark, with_twins, without_mark
from referee.games.agent_avenue.moves import Drew, Event
from referee.games.agent_avenue.pieces import HAND_SIZE, Agent, Cards, with_card, without_card
from referee.games.agent_avenue.state import SeatState


def draw_up(seats: list[SeatState], deck: Cards, order: Iterable[Seat]) -> tuple[Cards, tuple[Event, ...]]:
    """Each seat in `order` draws up to four cards while the deck lasts. A seat with more keeps them (AA-05, AA-26).

    This puts the drawn cards into `seats`. Returns the rest of the deck, and the events.
    """
    events: tuple[Event, ...] = ()
    for seat in order:
        own = seats[seat]
        missing = HAND_SIZE - len(own.hand)
        if missing > 0 and deck:
            drawn, deck = deck[:missing], deck[missing:]
            seats[seat] = SeatState(tuple(sorted(own.hand + drawn)), own.discards, own.marks)
            events = (*events, Drew(seat, len(drawn), drawn))
    return deck, events


def swapped(own: SeatState, discard: Agent, drawn: Agent) -> SeatState:
    """A card is discarded face down and another one drawn; this reveals nothing about the hand (AA-04, AA-31)."""
    hand = with_card(without_card(own.hand, discard), drawn)
    return SeatState(hand, (*own.discards, discard), own.marks)


def leaves_hidden(own: SeatState, agent: Agent) -> SeatState:
    """A card is played face down; it may be a marked one, so the marks stay (AA-31)."""
    return SeatState(without_card(own.hand, agent), own.discards, own.marks)


def leaves_openly(own: SeatState, agent: Agent) -> SeatState:
    """A card is played face up, or recruited by an instant."""
    return SeatState(without_card(own.hand, agent), own.discards, without_mark(own.marks, agent))


def opened(own: SeatState, agent: Agent) -> SeatState:
    """The card that this seat played face down is turned face up (AA-06)."""
    return SeatState(own.hand, own.discards, without_mark(own.marks, agent))


def comes_openly(own: SeatState, agent: Agent) -> SeatState:
    """An agent that was face up goes into the hand."""
    return SeatState(with_card(own.hand, agent), own.discards, with_mark(own.marks, agent, len(own.discards)))


def twins_shown(own: SeatState, agent: Agent) -> SeatState:
    """The seat shows two cards of this name in its hand."""
    return SeatState(own.hand, own.discards, with_twins(own.marks, agent, len(own.discards)))
