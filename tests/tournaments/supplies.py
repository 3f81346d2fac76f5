"""Supplies of sittings for executors that are tested without a run."""

from collections.abc import Callable, Iterable, Iterator, Set
from typing import NamedTuple

from tests.tournaments.leagues import wave
from tournaments.league import league_seed
from tournaments.league.model import Fixture, League, Sitting
from tournaments.play.retry_policy import RetryPolicy
from tournaments.play.workers.sitting_supply import MatchSource, SittingSupply


class GivenTerms(NamedTuple):
    """What a test says of the matches; without words, all are wanted, and eight are played at once."""

    wanted: Callable[[Fixture], bool] = lambda _: True
    most: Callable[[], int] = lambda: 8
    plays_singly: Callable[[tuple[str, ...]], bool] = lambda _: False
    away: Callable[[], Set[str]] = frozenset

    def supply(self, source: MatchSource, near: int = 1) -> SittingSupply:
        """A supply of these matches."""
        return SittingSupply(source, _GivenPolicy(self), self.wanted, lambda: 0, near)


class _GivenPolicy(RetryPolicy):
    def __init__(self, terms: GivenTerms) -> None:
        super().__init__(workers=8)
        self._terms = terms

    @property
    def at_once(self) -> int:
        return self._terms.most()

    def singly(self, entries: Iterable[str]) -> bool:
        return self._terms.plays_singly(tuple(entries))

    def unreachable(self, now_ms: int) -> Set[str]:  # noqa: ARG002 - the test says it
        return self._terms.away()


ALL_AT_ONCE = GivenTerms()


def supply_of(
    league: League, terms: GivenTerms = ALL_AT_ONCE, sittings: Iterable[Sitting] | None = None
) -> SittingSupply:
    """A supply of these sittings of a league, or of all."""

    def all_sittings() -> Iterator[Sitting]:
        return wave(league).sittings(lambda _at, _line_up: True)

    source = MatchSource(
        all_sittings if sittings is None else lambda: sittings,
        lambda fixture: league_seed.header(league, bytes(32), fixture),
        {entry.name: entry for entry in league.entries},
    )
    return terms.supply(source)
