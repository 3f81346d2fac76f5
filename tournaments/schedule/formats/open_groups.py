"""The groups of entries that could meet in a wave of an open league, and the choice of those with the most information.

A wave looks at all groups, or at some of entries that are near each other and some at random. The hypothetical matches
of a group are the comparisons that it would play. Their information is counted by match, since groups may play
different numbers of matches. When a wave has taken a group, it judges all others as if the results of that group were
there. So it does not ask the same question twice. Between groups with about as much information, the seed decides.

This imports numpy and scipy, for which most commands need not wait.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, count, islice
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.core import seeds
from tournaments.league.model import TableSpec
from tournaments.rating.contest import TeamComparison, comparisons, hypothetical
from tournaments.rating.information_gain import InformationGain
from tournaments.rating.ratings import RatedLeague
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
    found = (_whoever_wins(comparison) for contest in contests for comparison in comparisons(contest))
    return HypotheticalMatches(len(line_ups), Counter(found))


def _whoever_wins(comparison: TeamComparison) -> TeamComparison:
    return min(comparison, comparison.turned())


def matches_of(tables: Sequence[TableSpec], size: int) -> int:
    """How many matches a group of different entries, or of so many seats, plays on a deal."""
    return sum(1 for _ in line_ups_of(tables, [tuple(map(str, range(size)))]))


_ALIKE = 0.9
"""Groups that tell at least this part of what the best one tells count as equal to it. Otherwise a new bot would play
those whose ratings are nearest, if only by chance: one that is rated too high those that are rated too high, and so its
error would stay. Among equals all opponents are alike then."""


class GroupSelection:
    """The groups that could be taken, and those that were.

    Attributes:
        taken: the groups that were taken, in order.
        turns: by entry, how many of them it is in.
    """

    def __init__(
        self,
        hypotheticals: Mapping[Group, HypotheticalMatches],
        deals: int,
        rated: RatedLeague,
        bots: Sequence[str],
        draw_probability: float,
        seed: bytes,
    ) -> None:
        """Nothing is taken.

        Args:
            hypotheticals: by group, its hypothetical matches on a deal.
            deals: how many deals it would play.
            rated: the league at rest.
            bots: the entries that may play.
            draw_probability: how often two equal teams draw.
            seed: 32 bytes. It decides between groups with about as much information.
        """
        rows = [(at, *item) for at, group in enumerate(hypotheticals.values()) for item in group.comparisons.items()]
        often = [deals * row[2] for row in rows]
        self._outlook = InformationGain(rated, [row[1] for row in rows], often, set(bots), draw_probability)
        self._group = np.array([row[0] for row in rows], dtype=np.intp)
        self._matches = np.array([hypothetical.matches for hypothetical in hypotheticals.values()])
        self._groups = list(hypotheticals)
        self._number = {group: at for at, group in enumerate(self._groups)}
        self._column = {bot: at for at, bot in enumerate(bots)}
        self._sits = np.zeros((len(self._groups), len(bots)), dtype=np.bool_)
        for at, group in enumerate(self._groups):
            self._sits[at, [self._column[bot] for bot in group]] = True
        self._turn = np.array(seeds.permutation(seed, len(self._groups)))
        self._left = np.ones(len(self._groups), dtype=np.bool_)
        self.taken: list[Group] = []
        self.turns: Counter[str] = Counter()

    def take(self, group: Group) -> None:
        """Take a group that was not taken before."""
        number = self._number[group]
        for row in np.flatnonzero(self._group == number).tolist():
            self._outlook.take(row)
        self._left[number] = False
        self.taken.append(group)
        self.turns.update(set(group))

    def best(self, most: Mapping[str, int]) -> Group | None:
        """The group that tells most, of those whose bots are all in fewer than `most`; None if there is none."""
        return self._first(self._left & ~self._with_any(most))

    def best_with(self, bot: str, most: Mapping[str, int]) -> Group | None:
        """The same among the groups with this bot. If there is none, `most` does not count."""
        its = self._left & self._sits[:, self._column[bot]]
        return self._first(its & ~self._with_any(most)) or self._first(its)

    def _with_any(self, most: Mapping[str, int]) -> NDArray[np.bool_]:
        """By group, whether a bot of it is in as many as `most` says."""
        full = [at for bot, at in self._column.items() if self.turns[bot] >= most[bot]]
        return np.asarray(self._sits[:, full].any(axis=1))

    def _first(self, among: NDArray[np.bool_]) -> Group | None:
        if not among.any():
            return None
        gains = np.bincount(self._group, self._outlook.gains, len(self._groups)) / self._matches
        alike = np.flatnonzero(among & (gains >= _ALIKE * gains[among].max()))
        return self._groups[int(alike[np.argmin(self._turn[alike])])]
