"""Counts everything that was in the box."""

from collections.abc import Iterator

from referee.games.inside_job.cast import cast
from referee.games.inside_job.common import Common
from referee.games.inside_job.missions import MissionId
from referee.games.inside_job.pieces import DECK, TOKENS, Card
from referee.games.inside_job.state import State


def is_whole(state: State) -> bool:
    """Whether all cards and tokens are there (IJ-01), and all missions and roles that are played with (IJ-30)."""
    settled = cast(state.options.roles, len(state.hands))
    return (
        tuple(sorted(_cards(state))) == DECK
        and sorted(_missions(state)) == sorted(settled.missions)
        and sorted(state.roles) == sorted(settled.roles)
        and _tokens(state.common) == TOKENS
    )


def _cards(state: State) -> Iterator[Card]:
    yield from state.unseen + state.played
    for hand in state.hands:
        yield from hand
    yield from (laid.card for laid in state.common.laid)


def _missions(state: State) -> Iterator[MissionId]:
    yield from state.missions + state.looked_at
    for put_away in state.put_away:
        yield from put_away
    yield from state.common.completed + state.common.failed
    if state.common.mission is not None:
        yield state.common.mission


def _tokens(common: Common) -> int:
    held = sum(seat.tokens for seat in common.seats)
    return common.supply + held + sum(laid.wager for laid in common.laid)
