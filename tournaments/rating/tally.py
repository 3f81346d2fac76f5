"""The results of a league, counted.

A league of 100,000 matches has a few thousand different comparisons. Equal ones are counted, and all that follows works
on the counts.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

import msgspec

from tournaments.rating.contest import Contest, Team, TeamComparison, comparisons

Unit: TypeAlias = tuple[tuple[int, int], ...]
"""The matches that the same players played in one block: the numbers of the comparisons, rising, with their counts."""


class Tally(msgspec.Struct, frozen=True):
    """The results of a league.

    Attributes:
        kinds: the different comparisons. Units name them by their numbers here.
        blocks: the units of each block.
    """

    kinds: tuple[TeamComparison, ...]
    blocks: tuple[tuple[Unit, ...], ...]

    def learners(self) -> tuple[frozenset[str], ...]:
        """By comparison: the players and pseudo-players that it says anything about."""
        return tuple(frozenset(member.player for member in kind.members if member.updated) for kind in self.kinds)

    def played(self) -> Counter[str]:
        """By player and pseudo-player: how many blocks say anything about it."""
        learners = self.learners()
        played: Counter[str] = Counter()
        for block in self.blocks:
            played.update(frozenset().union(*(learners[kind] for unit in block for kind, _ in unit)))
        return played

    def names(self) -> frozenset[str]:
        """All players and pseudo-players."""
        teams = {team for kind in self.kinds for team in (kind.upper, kind.lower)}
        return frozenset(member.player for team in teams for member in team)

    def ordered(self, rank: Mapping[str, int]) -> "Tally":
        """The same results in the order that follows from the ranks of players alone, not from names or seats.

        Args:
            rank: by player and pseudo-player; all different.
        """
        key = kind_key(rank)
        order = sorted(range(len(self.kinds)), key=lambda number: key(self.kinds[number]))
        number = {kind: at for at, kind in enumerate(order)}
        units = {unit: tuple(sorted((number[kind], count) for kind, count in unit)) for unit in self.units()}
        blocks = (tuple(sorted(units[unit] for unit in block)) for block in self.blocks)
        return Tally(tuple(self.kinds[kind] for kind in order), tuple(sorted(blocks)))

    def units(self) -> frozenset[Unit]:
        """The different units. A long league has many units and few that differ."""
        return frozenset(unit for block in self.blocks for unit in block)


def kind_key(rank: Mapping[str, int]) -> Callable[[TeamComparison], tuple[object, ...]]:
    """The key that puts comparisons in order by the ranks of their players. Equal keys say the same."""

    @cache
    def team(members: Team) -> tuple[tuple[int, float, bool], ...]:
        return tuple(sorted((rank[member.player], member.weight, member.updated) for member in members))

    @cache
    def key(kind: TeamComparison) -> tuple[object, ...]:
        teams = [team(kind.upper), team(kind.lower)]
        return (kind.teams, kind.drawn, *(sorted(teams) if kind.drawn else teams))

    return key


def tally(contests: Iterable[Contest]) -> Tally:
    """Count the results.

    Raises:
        ValueError: a contest cannot be rated; the message names its block.
    """
    counter = ResultCounter()
    counter.add(contests)
    return counter.tally()


class ResultCounter:
    """Counts results as they come. What was counted before costs nothing again."""

    def __init__(self) -> None:
        self._comparisons = _ComparisonIndex()
        self._kinds: dict[str, dict[frozenset[str], list[int]]] = {}
        self._blocks: dict[str, tuple[Unit, ...]] = {}
        self._counted = cache(_counted)

    def add(self, contests: Iterable[Contest]) -> None:
        """Count these, too.

        Raises:
            ValueError: as `tally`.
        """
        more = set[str]()
        for contest in contests:
            players, kinds = self._comparisons.of(contest)
            self._kinds.setdefault(contest.block, {}).setdefault(players, []).extend(kinds)
            more.add(contest.block)
        for block in more:
            units = self._kinds[block].values()
            self._blocks[block] = tuple(self._counted(*kinds) for kinds in units if kinds)

    def tally(self) -> Tally:
        """All results so far."""
        return Tally(tuple(self._comparisons.numbers), tuple(filter(None, map(self._blocks.get, self._kinds))))


def growing(parts: Iterable[Iterable[Contest]]) -> Iterator[Tally]:
    """After each part, the results so far as one block: enough for ratings, but not for intervals.

    Raises:
        ValueError: as `tally`.
    """
    known = _ComparisonIndex()
    counts: Counter[int] = Counter()
    for part in parts:
        for contest in part:
            counts.update(known.of(contest).kinds)
        yield Tally(tuple(known.numbers), ((tuple(sorted(counts.items())),),) if counts else ())


class _ContestKind(NamedTuple):
    """The players of equal contests, and the numbers of their comparisons."""

    players: frozenset[str]
    kinds: tuple[int, ...]


class _ComparisonIndex:
    """The comparisons of contests, computed once for all equal contests.

    Attributes:
        numbers: every comparison so far, with its number.
    """

    def __init__(self) -> None:
        self.numbers: dict[TeamComparison, int] = {}
        self._contest_kinds: dict[object, _ContestKind] = {}

    def of(self, contest: Contest) -> _ContestKind:
        """The players of a contest, and the numbers of its comparisons."""
        result = (contest.teams, contest.places)
        contest_kind = self._contest_kinds.get(result)
        if contest_kind is None:
            kinds = tuple(self.numbers.setdefault(kind, len(self.numbers)) for kind in comparisons(contest))
            players = frozenset(member.player for team in contest.teams for member in team)
            contest_kind = self._contest_kinds[result] = _ContestKind(players, kinds)
        return contest_kind


def _counted(*kinds: int) -> Unit:
    """The unit of these comparisons."""
    return tuple(sorted(Counter(kinds).items()))
