"""Hands: drawing cards, and cards that openly enter or leave a hand (AA-05, AA-23, AA-31)."""

from collections.abc import Iterable

from referee.core.outcome import Seat
from referee.games.agent_avenue.moves import Drew, Event
from referee.games.agent_avenue.pieces import HAND_SIZE, Agent, Cards, MarketCard, with_card, without_card
from referee.games.agent_avenue.sightings import Kind, Sighting
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
            seats[seat] = SeatState(tuple(sorted(own.hand + drawn)), own.discards, own.sightings)
            events = (*events, Drew(seat, len(drawn), drawn))
    return deck, events


def put_away(own: SeatState, discard: Agent) -> SeatState:
    """A card is discarded face down (AA-04)."""
    known = own.sightings and (*own.sightings, Sighting(Kind.DISCARDED, (), len(own.hand)))
    return SeatState(without_card(own.hand, discard), (*own.discards, discard), known)


def leaves_hidden(own: SeatState, agent: Agent, up: Agent) -> SeatState:
    """A card is played face down beside the face-up one."""
    known = (*own.sightings, Sighting(Kind.LAID, (up,), len(own.hand)))
    return SeatState(without_card(own.hand, agent), own.discards, known)


def leaves_openly(own: SeatState, agent: Agent, kind: Kind = Kind.LEFT) -> SeatState:
    """A card is played face up, or recruited by an instant."""
    starts = own.sightings or kind is Kind.YIELDED
    known = (*own.sightings, Sighting(kind, (agent,), len(own.hand))) if starts else ()
    return SeatState(without_card(own.hand, agent), own.discards, known)


def opened(own: SeatState, agent: Agent) -> SeatState:
    """The card that this seat played face down is turned face up (AA-06)."""
    known = own.sightings
    if len(known) == 1 and known[0].agents != (agent,):
        return SeatState(own.hand, own.discards)  # two different cards were played, which reveals nothing of the hand
    return SeatState(own.hand, own.discards, (*known, Sighting(Kind.OPENED, (agent,))))


def comes_openly(own: SeatState, agent: Agent) -> SeatState:
    """An agent that was face up goes into the hand."""
    known = (*own.sightings, Sighting(Kind.CAME, (agent,), len(own.hand)))
    return SeatState(with_card(own.hand, agent), own.discards, known)


def is_recruited(own: SeatState, agent: Agent, card: MarketCard) -> SeatState:
    """A card is recruited by an instant."""
    after = leaves_openly(own, agent, Kind.YIELDED if card is MarketCard.OUTPOST else Kind.LEFT)
    known = after.sightings
    if card is MarketCard.SPYCATION:
        known = own.sightings[:-1]  # it leaves as it came
    elif card is MarketCard.DOUBLE_TROUBLE:
        known = (*known, Sighting(Kind.REVEALED, (agent,), len(after.hand)))
    return SeatState(after.hand, after.discards, known)


def lacks_cards(own: SeatState, card: MarketCard, in_play: Cards) -> SeatState:
    """An instant cannot be carried out by a side with these agents in play (AA-24)."""
    new = tuple(agent for agent in Agent if agent not in in_play)
    lacked = {MarketCard.OUTPOST: (Agent.SENTINEL,), MarketCard.SECRET_RECRUIT: new, MarketCard.DOUBLE_TROUBLE: ()}
    if card not in lacked:
        return own
    kind = Kind.LACKED if lacked[card] else Kind.DIFFERED
    return SeatState(own.hand, own.discards, (*own.sightings, Sighting(kind, lacked[card], len(own.hand))))
