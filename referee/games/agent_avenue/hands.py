"""Hands: what is drawn into them, and what openly comes and goes (AA-05, AA-23, AA-31)."""

from collections.abc import Iterable

from referee.core.outcome import Seat
from referee.games.agent_avenue.marks import with_mark, with_twins, without_mark
from referee.games.agent_avenue.moves import Drew, Event
from referee.games.agent_avenue.pieces import HAND_SIZE, Agent, Cards, with_card, without_card
from referee.games.agent_avenue.state import SeatState


def draw_up(seats: list[SeatState], deck: Cards, order: Iterable[Seat]) -> tuple[Cards, tuple[Event, ...]]:
    """Every seat in `order` draws up to four as far as the deck reaches; who has more keeps them (AA-05, AA-26).

    What the seats drew is put into `seats`. Returns what is left of the deck, and the events.
    """
    events: tuple[Event, ...] = ()
    for seat in order:
        own = seats[seat]
        missing = HAND_SIZE - len(own.hand)
        if missing > 0 and deck:
            drawn, deck = deck[:missing], deck[missing:]
            hand = [*own.hand, *drawn]
            hand.sort()
            seats[seat] = SeatState(tuple(hand), own.discards, own.marks)
            events = (*events, Drew(seat, len(drawn), drawn))
    return deck, events


def swapped(own: SeatState, discard: Agent, drawn: Agent) -> SeatState:
    """One card is away face down, another drawn for it; that tells nothing of the hand (AA-04, AA-31)."""
    hand = with_card(without_card(own.hand, discard), drawn)
    return SeatState(hand, (*own.discards, discard), own.marks)


def leaves_hidden(own: SeatState, agent: Agent) -> SeatState:
    """A card is played face down: it may still be one that is marked (AA-31)."""
    return SeatState(without_card(own.hand, agent), own.discards, own.marks)


def leaves_openly(own: SeatState, agent: Agent) -> SeatState:
    """A card is played face up, or recruited by an instant."""
    return SeatState(without_card(own.hand, agent), own.discards, without_mark(own.marks, agent))


def opened(own: SeatState, agent: Agent) -> SeatState:
    """The card that this seat played face down lies open now (AA-06)."""
    return SeatState(own.hand, own.discards, without_mark(own.marks, agent))


def comes_openly(own: SeatState, agent: Agent) -> SeatState:
    """An agent that lay open goes into the hand."""
    return SeatState(with_card(own.hand, agent), own.discards, with_mark(own.marks, agent, len(own.discards)))


def twins_shown(own: SeatState, agent: Agent) -> SeatState:
    """Two cards of this name were shown in the hand."""
    return SeatState(own.hand, own.discards, with_twins(own.marks, agent, len(own.discards)))
