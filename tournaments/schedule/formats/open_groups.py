"""The groups of entries that could meet in a wave of an open league, and the matches that each would play.

A wave looks at all groups, or at some of entries that are near each other and some at random. The hypothetical matches
of a group are the comparisons that it would play. Their information is counted by match, since groups may play
different numbers of matches.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, count, islice
from math import comb
from typing import NamedTuple, TypeAlias

from referee.core import seeds
from tournaments.league.model import TableSpec
from tournaments.rating.contest import TeamComparison, comparisons, hypothetical
from tournaments.schedule.formats.issued_waves import line_ups_of

Group: TypeAlias = tuple[str, ...]
"""The names of entries, sorted. If one may hold several seats, its name is there as often."""

_TRIES = 4
"""So many groups are drawn for each that is wanted, since some are drawn twice."""


class GroupShape(NamedTuple):
    """The conditions on a group.

    Attributes:
        size: how many entries fill a table.
        copies: whether an entry may be in a group several times, but not alone.
    """

    size: int
    copies: bool

    def fits(self, entries: int) -> bool:
        """Whether so many entries make a group."""
        return entries >= (2 if self.copies else self.size)

    def count(self, entries: int) -> int:
        """How many groups so many entries make."""
        return comb(entries + self.size - 1, self.size) - entries if self.copies else comb(entries, self.size)

    def all(self, entries: Sequence[str]) -> Iterator[Group]:
        """Every group. Groups of the first entries come first."""
        found = combinations_with_replacement(entries, self.size) if self.copies else combinations(entries, self.size)
        return (tuple(sorted(group)) for group in found if not self.copies or len(set(group)) > 1)

    def at_random(self, entries: Sequence[str], number: int, seed: bytes) -> list[Group]:
        """Different groups, as many as wanted or nearly so, each as likely to hold any entry as any other.

        There are at least as many entries as fit.
        """
        drawn = (self._drawn(entries, (), seeds.child(seed, str(at))) for at in range(_TRIES * number))
        return list(islice(dict.fromkeys(group for group in drawn if group is not None), number))

    def around(self, ranked: Sequence[str], per_entry: int, seed: bytes) -> Iterator[Group]:
        """So many groups for each entry, some perhaps twice: it, and others that are drawn from those next to it.

        They are drawn from the nearest few, then from twice as many, and so on up to all, then from the few again.

        `ranked` has the entries in the order of their ratings.
        """
        for at, entry in enumerate(ranked):
            for number, near in zip(range(per_entry), self._widths(len(ranked)), strict=False):
                first = min(max(0, at - near // 2), len(ranked) - near)
                others = [other for other in ranked[first : first + near] if self.copies or other != entry]
                group = self._drawn(others, (entry,), seeds.child(seed, str(at), str(number)))
                if group is not None:
                    yield group

    def _widths(self, entries: int) -> Iterator[int]:
        for power in count(1):
            width = self.size << power
            if width >= entries:
                break
        for turn in count():
            yield min(entries, self.size << (1 + turn % power))

    def _drawn(self, entries: Sequence[str], fixed: Group, seed: bytes) -> Group | None:
        """A group of the fixed entries and others; None if it is one entry alone."""
        wanted = self.size - len(fixed)
        if self.copies:
            places: Sequence[int] = seeds.rolls(seed, len(entries), wanted)
        else:
            places = seeds.permutation(seed, len(entries))[:wanted]
        group = (*fixed, *(entries[place] for place in places))
        return tuple(sorted(group)) if not self.copies or len(set(group)) > 1 else None


class HypotheticalMatches(NamedTuple):
    """The hypothetical matches of a group on a deal.

    Attributes:
        matches: how many.
        comparisons: how often each comparison would be made in them. The winner does not matter.
    """

    matches: int
    comparisons: Mapping[TeamComparison, int]


def prospect_of(
    game: str, tables: Iterable[TableSpec], group: Iterable[str], rated_players: Iterable[str]
) -> HypotheticalMatches:
    """The hypothetical matches of a group on a deal. `rated_players`: all players and pseudo-players with a rating."""
    by_name = {table.name: table for table in tables}
    line_ups = list(line_ups_of(by_name.values(), [group]))
    contests = (hypothetical(game, by_name[line_up.table], line_up.entries, rated_players) for line_up in line_ups)
    found = (min(each, each.turned()) for contest in contests for each in comparisons(contest))
    return HypotheticalMatches(len(line_ups), Counter(found))


def matches_of(tables: Sequence[TableSpec], size: int) -> int:
    """How many matches a group of different entries, or of so many seats, plays on a deal."""
    return sum(1 for _ in line_ups_of(tables, [tuple(map(str, range(size)))]))
