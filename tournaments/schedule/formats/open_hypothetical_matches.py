"""The hypothetical matches of a group of entries: the comparisons they consist of, before they are played."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tournaments.league.model import TableSpec
from tournaments.rating.contest import TeamComparison, comparisons, hypothetical
from tournaments.schedule.formats.wave_decider import line_ups_of


class HypotheticalMatches(NamedTuple):
    """The hypothetical matches of a group on a deal.

    Attributes:
        matches: how many.
        comparisons: how often each comparison would be made in them. The winner does not matter.
    """

    matches: int
    comparisons: Mapping[TeamComparison, int]


def prospect_of(
    game: str, tables: Iterable[TableSpec], group: Iterable[str], known: Iterable[str]
) -> HypotheticalMatches:
    """The hypothetical matches of a group on a deal. `known` are all players and pseudo-players that have a rating."""
    by_name = {table.name: table for table in tables}
    line_ups = list(line_ups_of(by_name.values(), [group]))
    contests = (hypothetical(game, by_name[line_up.table], line_up.entries, known) for line_up in line_ups)
    found = (_whoever_wins(comparison) for contest in contests for comparison in comparisons(contest))
    return HypotheticalMatches(len(line_ups), Counter(found))


def _whoever_wins(comparison: TeamComparison) -> TeamComparison:
    return min(comparison, comparison.turned())


def matches_of(tables: Sequence[TableSpec], size: int) -> int:
    """How many matches a group of different entries, or of so many seats, plays on a deal."""
    return sum(1 for _ in line_ups_of(tables, [tuple(map(str, range(size)))]))
