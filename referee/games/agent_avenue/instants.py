"""The effects of the instants of the black market (AA-20), one small unit each, and the two tables that name them.

To add an instant, write its function and its line in `AT_ONCE` or, if its taker chooses an agent, in `CHOSEN`.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agent_avenue.hands import comes_openly, draw_up, is_recruited
from referee.games.agent_avenue.moves import Ceased, Enlisted, Event, Shown, TookBack
from referee.games.agent_avenue.pawns import enlist, walk
from referee.games.agent_avenue.pieces import Agent, Cards, MarketCard, without_card
from referee.games.agent_avenue.state import SideState, State
from referee.games.agent_avenue.teams import side_of

Step: TypeAlias = tuple[State, tuple[Event, ...]]
"""A position, and the events on the way to it."""

T = TypeVar("T")

_TRUCK_SPACES = 1
_TWINS = 2


class Chosen(NamedTuple):
    """An instant whose taker chooses an agent.

    Attributes:
        targets: the names that the taker may choose, sorted; none if it cannot be carried out.
        act: what follows from the choice.
    """

    targets: Callable[[State, Seat], Cards]
    act: Callable[[State, Seat, Agent], Step]


# At once


def outpost(state: State, taker: Seat) -> Step | None:
    """Recruit a Sentinel from the hand."""
    if Agent.SENTINEL not in state.seats[taker].hand:
        return None
    return recruit_from_hand(state, taker, Agent.SENTINEL, MarketCard.OUTPOST)


def smoke_screen(state: State, taker: Seat) -> Step | None:
    """Recruit the top card of the deck."""
    if not state.deck:
        return None
    agent, side = state.deck[0], side_of(taker)
    own, moves = enlist(state.sides[side], side, agent)
    after = replace(state, deck=state.deck[1:], sides=_put(state.sides, side, own))
    return after, (Enlisted(side, agent, None), *moves)


def surveillance_truck(state: State, taker: Seat) -> Step:
    """Move forward."""
    side = side_of(taker)
    own, moves = walk(state.sides[side], side, _TRUCK_SPACES)
    return replace(state, sides=_put(state.sides, side, own)), moves


def ceasefire(state: State, taker: Seat) -> Step | None:  # noqa: ARG001  # the same whoever takes it
    """All agents in play leave the game; no pawn moves (AA-27)."""
    leaving = tuple(sorted(agent for side in state.sides for agent in side.recruited))
    if not leaving or state.market is None:
        return None
    sides = tuple(SideState(side.progress, (), side.ongoing) for side in state.sides)
    market = replace(state.market, removed=tuple(sorted(state.market.removed + leaving)))
    return replace(state, sides=sides, market=market), (Ceased(leaving),)


# With a choice


def mind_control(state: State, taker: Seat, agent: Agent) -> Step:
    """Take an agent of the other side into the hand."""
    return _take_back(state, taker, 1 - side_of(taker), agent)


def spycation(state: State, taker: Seat, agent: Agent) -> Step:
    """Take an agent of the own side into the hand. Then the taker decides whether to recruit it again (AA-24)."""
    after, events = _take_back(state, taker, side_of(taker), agent)
    if after.market is None:
        raise ValueError("there is no market in this game")
    return replace(after, market=replace(after.market, returned=agent)), events


def double_trouble(state: State, taker: Seat, agent: Agent) -> Step:
    """Show two equal agents from the hand and recruit one of them."""
    after, events = recruit_from_hand(state, taker, agent, MarketCard.DOUBLE_TROUBLE)
    return after, (Shown(taker, agent), *events)


def secret_recruit(state: State, taker: Seat, agent: Agent) -> Step:
    """Recruit an agent of a new name from the hand."""
    return recruit_from_hand(state, taker, agent, MarketCard.SECRET_RECRUIT)


def recruit_from_hand(state: State, seat: Seat, agent: Agent, card: MarketCard) -> Step:
    """Put the card face up, draw the hand up to four, then move the pawn (AA-23, AA-26)."""
    side = side_of(seat)
    seats = list(_put(state.seats, seat, is_recruited(state.seats[seat], agent, card)))
    deck, draws = draw_up(seats, state.deck, (seat,))
    own, moves = enlist(state.sides[side], side, agent)
    after = replace(state, deck=deck, seats=tuple(seats), sides=_put(state.sides, side, own))
    return after, (Enlisted(side, agent, seat), *draws, *moves)


def _put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


def _take_back(state: State, taker: Seat, side: int, agent: Agent) -> Step:
    """Take an agent in front of `side` openly into the hand. Counts change, but no pawn moves (AA-27)."""
    theirs = state.sides[side]
    left = SideState(theirs.progress, without_card(theirs.recruited, agent), theirs.ongoing)
    seats = _put(state.seats, taker, comes_openly(state.seats[taker], agent))
    return replace(state, seats=seats, sides=_put(state.sides, side, left)), (TookBack(taker, side, agent),)


# The legal choices (AA-24)


def _theirs(state: State, taker: Seat) -> Cards:
    return _names(state.sides[1 - side_of(taker)].recruited)


def _own(state: State, taker: Seat) -> Cards:
    return _names(state.sides[side_of(taker)].recruited)


def _twins(state: State, taker: Seat) -> Cards:
    hand = state.seats[taker].hand
    return tuple(agent for agent in _names(hand) if hand.count(agent) >= _TWINS)


def _new(state: State, taker: Seat) -> Cards:
    in_play = state.sides[side_of(taker)].recruited
    return tuple(agent for agent in _names(state.seats[taker].hand) if agent not in in_play)


def _names(cards: Cards) -> Cards:
    return tuple(sorted(set(cards)))


AT_ONCE: dict[MarketCard, Callable[[State, Seat], Step | None]] = {
    MarketCard.OUTPOST: outpost,
    MarketCard.SMOKE_SCREEN: smoke_screen,
    MarketCard.SURVEILLANCE_TRUCK: surveillance_truck,
    MarketCard.CEASEFIRE: ceasefire,
}
"""The instants without a choice. They return None if they cannot be carried out (AA-24)."""

CHOSEN: dict[MarketCard, Chosen] = {
    MarketCard.MIND_CONTROL: Chosen(_theirs, mind_control),
    MarketCard.DOUBLE_TROUBLE: Chosen(_twins, double_trouble),
    MarketCard.SECRET_RECRUIT: Chosen(_new, secret_recruit),
    MarketCard.SPYCATION: Chosen(_own, spycation),
}
"""The instants whose taker chooses an agent."""
