"""The results that tables may be computed from, so that nobody learns from a table who had which dealt side.

Where sides are dealt, the result of one match can tell who had which. So the matches that a group plays on an open deal
count together, once all of them are played: over them every entry had every seat, and so every side, equally often
(`tournaments.schedule.seating`). Two tables then differ by whole deals of whole groups, never by one match.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from tournaments.league.deals import LeagueDeals
from tournaments.league.model import Fixture, League, StoredMatch
from tournaments.schedule.seating import line_ups

Match: TypeAlias = tuple[Fixture, StoredMatch]

_Together: TypeAlias = tuple[str, tuple[str, ...], int]
"""Table, group and deal of matches that count together."""


def public_results(league: League, matches: Sequence[Match], deals: LeagueDeals) -> list[Match]:
    """Those of the matches that count that tables may be computed from, in the same order."""
    dealt = {table.name: table for table in league.tables if table.deals_sides}
    if not dealt:
        return list(matches)
    together = {
        fixture.id: (fixture.table, tuple(sorted(fixture.entries)), fixture.deal)
        for fixture, _ in matches
        if fixture.table in dealt and not deals.is_closed(fixture)
    }
    played = Counter(together.values())

    @cache
    def whole(table: str, group: tuple[str, ...]) -> int:
        return sum(1 for _ in line_ups(dealt[table], group))

    def is_told(part: _Together | None) -> bool:
        return part is None or played[part] == whole(part[0], part[1])

    return [match for match in matches if is_told(together.get(match[0].id))]


def ends_of_deals(matches: Sequence[Match]) -> Iterator[int]:
    """The numbers of matches, in plan order, after which a deal is complete; the last is that of all matches."""
    for number, ((before, _), (after, _)) in enumerate(pairwise(matches), 1):
        if before.deal != after.deal:
            yield number
    if matches:
        yield len(matches)
