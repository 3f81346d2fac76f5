"""Hands: drawing cards, and cards that openly enter or leave a hand (AA-05, AA-23, AA-31)."""

from collections.abc import Iterable

from referee.core.outcome import Seat
from referee.games.agent_avenue.marks import Kind, Sighting
from referee.games.agent_avenue.moves import Drew, Event
from referee.games.agent_avenue.pieces import HAND_SIZE, Agent, Cards, MarketCard, with_card, without_card
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
    sightings = own.sightings and (*own.sightings, Sighting(Kind.DISCARDED, (), len(own.hand)))
    return SeatState(without_card(own.hand, discard), (*own.discards, discard), sightings)


def leaves_hidden(own: SeatState, agent: Agent, up: Agent) -> SeatState:
    """A card is played face down beside the face-up one."""
    return _noting(own, without_card(own.hand, agent), Sighting(Kind.LAID, (up,), len(own.hand)))


def leaves_openly(own: SeatState, agent: Agent) -> SeatState:
    """A card is played face up. If nothing was seen of the hand before, it tells nothing of the other cards."""
    noted = [Sighting(Kind.LEFT, (agent,), len(own.hand))] if own.sightings else []
    return _noting(own, without_card(own.hand, agent), *noted)


def opened(own: SeatState, agent: Agent) -> SeatState:
    """The card that this seat played face down is turned face up (AA-06)."""
    if len(own.sightings) == 1 and own.sightings[0].agents != (agent,):
        return SeatState(own.hand, own.discards)  # two different cards were played, which tells nothing of the others
    return _noting(own, own.hand, Sighting(Kind.OPENED, (agent,)))


def comes_openly(own: SeatState, agent: Agent) -> SeatState:
    """An agent that was face up goes into the hand."""
    return _noting(own, with_card(own.hand, agent), Sighting(Kind.CAME, (agent,), len(own.hand)))


def is_recruited(own: SeatState, agent: Agent, card: MarketCard) -> SeatState:
    """A card is recruited by an instant."""
    after = leaves_openly(own, agent)
    match card:
        case MarketCard.SPYCATION:  # it leaves as it came
            return SeatState(after.hand, own.discards, own.sightings[:-1])
        case MarketCard.OUTPOST:
            return _noting(own, after.hand, Sighting(Kind.YIELDED, (agent,), len(own.hand)))
        case MarketCard.DOUBLE_TROUBLE:
            return _noting(after, after.hand, Sighting(Kind.REVEALED, (agent,), len(after.hand)))
    return after


def lacks_cards(own: SeatState, card: MarketCard, in_play: Cards) -> SeatState:
    """An instant cannot be carried out by a side with these agents in play (AA-24)."""
    match card:
        case MarketCard.OUTPOST:
            return _noting(own, own.hand, Sighting(Kind.LACKED, (Agent.SENTINEL,), len(own.hand)))
        case MarketCard.SECRET_RECRUIT:
            new = tuple(agent for agent in Agent if agent not in in_play)
            return _noting(own, own.hand, Sighting(Kind.LACKED, new, len(own.hand)))
        case MarketCard.DOUBLE_TROUBLE:
            return _noting(own, own.hand, Sighting(Kind.DIFFERED, (), len(own.hand)))
    return own


def _noting(own: SeatState, hand: Cards, *sightings: Sighting) -> SeatState:
    return SeatState(hand, own.discards, (*own.sightings, *sightings))
