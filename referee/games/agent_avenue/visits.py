"""A pawn on a market space: a card is taken, then it acts, then perhaps another is taken (AA-21 to AA-24)."""

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agent_avenue.ending import end_turn
from referee.games.agent_avenue.hands import lacks_cards
from referee.games.agent_avenue.instants import AT_ONCE, CHOSEN, Step, recruit_from_hand
from referee.games.agent_avenue.moves import (
    CHOICES,
    TAKES,
    Action,
    Choose,
    Event,
    Ignored,
    Kept,
    NothingOffered,
    Offered,
    RecruitAgain,
    Take,
    Took,
)
from referee.games.agent_avenue.pawns import landed
from referee.games.agent_avenue.pieces import ONGOING, MarketCard
from referee.games.agent_avenue.state import Market, SideState, State
from referee.games.agent_avenue.teams import LINE_UPS, answers, side_of


def go_on(before: State, after: State, events: tuple[Event, ...]) -> Step:
    """Go on after pawns may have moved: the next side on a market space takes a card; if there is none, the turn ends.

    A side that lands through an instant takes a card before anybody else (AA-22, AA-23).
    """
    if after.market is None:
        return end_turn(after), events
    queue = (*landed(before, after), *after.market.landed)
    if queue and after.market.offer:
        return replace(after, phase="market", market=replace(after.market, landed=queue)), events
    # Once the offer is empty it stays empty, so nobody takes anything (AA-21).
    ended = end_turn(replace(after, market=replace(after.market, landed=())))
    return ended, (*events, *map(NothingOffered, queue))


def takes(state: State, seat: Seat) -> tuple[Action, ...]:
    """Every card on offer; instants once for each seat of the side that could take them (AA-43). Sorted."""
    seats = LINE_UPS[state.options.line_up].sides[side_of(seat)].seats
    return tuple(take for card in _market(state).offer for take in _takes_of(card, seats))


def _takes_of(card: MarketCard, seats: tuple[Seat, ...]) -> tuple[Action, ...]:
    if card in ONGOING:
        return (TAKES[card, None],)
    return tuple(TAKES[card, taker] for taker in seats)


def take(state: State, choices: Mapping[Seat, Take]) -> Step:
    """The side takes a card, the offer is filled up, then the card acts (AA-21)."""
    market = _market(state)
    side = market.landed[0]
    answer = choices[captain(state, side)]  # all of the captain's answer counts (AA-43)
    refill = state.pile[:1]
    offer = tuple(sorted([card for card in market.offer if card is not answer.card] + list(refill)))
    market = replace(market, offer=offer, landed=market.landed[1:])
    after = replace(state, pile=state.pile[1:], market=market)
    answer_events = answers(choices) if len(choices) > 1 else ()
    events = (*answer_events, Took(side, answer.card, answer.taker), *([Offered(refill)] if refill else []))
    if answer.taker is None:
        return go_on(after, _with_ongoing(after, side, answer.card), events)
    return _resolve(after, answer.card, answer.taker, events)


def captain(state: State, side: int) -> Seat:
    """The seat whose answer counts: the active seat, or the one whose turn comes next (AA-40, AA-43)."""
    return state.active if side_of(state.active) == side else state.following


def _with_ongoing(state: State, side: int, card: MarketCard) -> State:
    """Put the card in front of the side, where it acts from now on (AA-25)."""
    own = state.sides[side]
    sides = list(state.sides)
    sides[side] = SideState(own.progress, own.recruited, tuple(sorted((*own.ongoing, card))))
    return replace(state, sides=tuple(sides))


def _resolve(state: State, card: MarketCard, taker: Seat, events: tuple[Event, ...]) -> Step:
    """An instant acts, or asks its taker first, or is ignored (AA-24)."""
    if card in CHOSEN and CHOSEN[card].targets(state, taker):
        market = replace(_market(state), resolving=card, taker=taker)
        return replace(state, phase="target", market=market), events
    done = AT_ONCE[card](state, taker) if card in AT_ONCE else None
    after, new_events = done or _ignored(state, card, taker)
    return go_on(state, _used(after, card), (*events, *new_events))


def _ignored(state: State, card: MarketCard, taker: Seat) -> Step:
    """Nothing happens. Everybody learns which cards the hand lacks."""
    seats = list(state.seats)
    seats[taker] = lacks_cards(seats[taker], card, state.sides[side_of(taker)].recruited)
    return replace(state, seats=tuple(seats)), (Ignored(taker, card),)


def targets(state: State, seat: Seat) -> tuple[Action, ...]:
    """The agents that the instant being resolved may act on, sorted."""
    _, chosen = _resolving(state)
    return tuple(CHOICES[agent] for agent in CHOSEN[chosen].targets(state, seat))


def target(state: State, choices: Mapping[Seat, Choose]) -> Step:
    """The taker of an instant has chosen the agent it acts on."""
    taker, card = _resolving(state)
    after, events = CHOSEN[card].act(state, taker, choices[taker].agent)
    if _market(after).returned is not None:
        return replace(after, phase="again"), events
    return go_on(state, _used(after, card), events)


def again(state: State, choices: Mapping[Seat, RecruitAgain]) -> Step:
    """The taker of Spycation recruits the returned agent again, or keeps it (AA-23, AA-24)."""
    taker, card = _resolving(state)
    returned = _market(state).returned
    if returned is None:
        raise ValueError("nothing came back that could be recruited again")
    if not choices[taker].again:
        return go_on(state, _used(state, card), (Kept(taker, returned),))
    after, events = recruit_from_hand(state, taker, returned, card)
    return go_on(state, _used(after, card), events)


def _used(state: State, card: MarketCard) -> State:
    """Put the used instant on the open discard pile (AA-21)."""
    market = _market(state)
    discarded = (*market.discarded, card)
    return replace(state, market=replace(market, discarded=discarded, resolving=None, taker=None, returned=None))


def _resolving(state: State) -> tuple[Seat, MarketCard]:
    market = _market(state)
    if market.taker is None or market.resolving is None:
        raise ValueError("no instant is being resolved")
    return market.taker, market.resolving


def _market(state: State) -> Market:
    if state.market is None:
        raise ValueError("there is no market in this game")
    return state.market
