"""Supplies of sittings for executors that are tested without a run."""

from collections.abc import Callable, Iterable, Iterator, Set
from typing import NamedTuple

from tests.tournaments.leagues import wave
from tournaments.league import league_seed
from tournaments.league.model import Fixture, League, Sitting
from tournaments.play.workers.sitting_supply import MatchSource, SittingSupply


class GivenTerms(NamedTuple):
    """Terms as a test says them; without words, everything is wanted at once."""

    wanted: Callable[[Fixture], bool] = lambda _: True
    most: Callable[[], int] = lambda: 8
    plays_singly: Callable[[tuple[str, ...]], bool] = lambda _: False
    away: Callable[[], Set[str]] = frozenset

    @property
    def at_once(self) -> int:
        return self.most()

    def is_wanted(self, fixture: Fixture) -> bool:
        return self.wanted(fixture)

    def singly(self, entries: Iterable[str]) -> bool:
        return self.plays_singly(tuple(entries))

    def unreachable(self) -> Set[str]:
        return self.away()


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
    return SittingSupply(source, terms)
