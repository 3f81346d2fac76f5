"""The results of a league, counted again and again while it grows."""

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from referee.core.outcome import Seat, Side
from tournaments.league.model import Fixture, League, StoredMatch
from tournaments.rating.contest import TeamComparison, comparisons, contests
from tournaments.rating.tally import Tally

_Kind: TypeAlias = tuple[str, tuple[str, ...], tuple[int, ...], tuple[Side, ...], tuple[Seat, ...]]


class ResultCounter:
    """Counts matches. It remembers what equal ones say, since working that out takes longer than all the rest."""

    def __init__(self, league: League) -> None:
        self._league = league
        self._known: dict[_Kind, tuple[TeamComparison, ...]] = {}

    def tally(self, matches: Iterable[tuple[Fixture, StoredMatch]]) -> Tally:
        """The matches as one block: enough for ratings, which know nothing of deals, but not for intervals."""
        kinds: Counter[_Kind] = Counter()
        for fixture, played in matches:
            faulty = tuple(fault.seat for fault in played.faults)
            kind = (fixture.table, fixture.entries, played.outcome.places, played.outcome.sides, faulty)
            if kind not in self._known:
                self._known[kind] = self._comparisons(fixture, played)
            kinds[kind] += 1
        counts: Counter[TeamComparison] = Counter()
        for kind, count in kinds.items():
            for comparison in self._known[kind]:
                counts[comparison] += count
        unit = tuple(enumerate(counts.values()))
        return Tally(tuple(counts), ((unit,),) if unit else ())

    def _comparisons(self, fixture: Fixture, played: StoredMatch) -> tuple[TeamComparison, ...]:
        return tuple(found for each in contests(self._league, [(fixture, played)]) for found in comparisons(each))
