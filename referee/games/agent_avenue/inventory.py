"""Counts everything that was in the box."""

from collections.abc import Iterator

from referee.games.agent_avenue.market import MarketCard, deck
from referee.games.agent_avenue.pieces import DECK, Agent
from referee.games.agent_avenue.state import State


def is_whole(state: State) -> bool:
    """Whether all agents are there, and all market cards that are played with (AA-01, AA-20)."""
    market = deck(ceasefire=state.options.ceasefire) if state.options.mode == "advanced" else ()
    return tuple(sorted(_agents(state))) == DECK and tuple(sorted(_market_cards(state))) == market


def _agents(state: State) -> Iterator[Agent]:
    yield from state.deck
    for seat in state.seats:
        yield from seat.hand + seat.discards
    for side in state.sides:
        yield from side.recruited
    yield from (card for card in (state.face_up, state.face_down) if card is not None)
    if state.market is not None:
        yield from state.market.removed


def _market_cards(state: State) -> Iterator[MarketCard]:
    yield from state.pile
    for side in state.sides:
        yield from side.ongoing
    if state.market is not None:
        yield from state.market.offer + state.market.discarded
        if state.market.resolving is not None:
            yield state.market.resolving
