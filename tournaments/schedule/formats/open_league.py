"""The open league: it goes on, and each wave takes the groups with the most information.

The information of a group is the expected fall of the variances of the ratings (`tournaments.rating.information_gain`).
Three rules guard this choice. A part of the groups of every wave is drawn at random: the model may be wrong, and the
best bots should meet. Every bot plays at least a part of the even share. And a bot that has played little plays little
in a wave: its results show which opponents it needs next.

Groups with two entries of one author are left out: their matches would not count (`League.authors`).

Entries are looked at in the order of a digest of the league's seed and their names, and groups in the order of these.
Random choices are drawn from the seed. Nothing else depends on names, and nothing on the order of the roster.

Tables that need groups of different sizes take turns, a wave each. At tables where all seats are one side, a group
shows how good its bots are against the game, and so how they differ: the bots with the least certain ratings play most.

A group counts when each of its line-ups was played on at least half of its deals; before that no next wave is decided
(`tournaments.schedule.counting_rules`). A match that is skipped or abandoned gives no information: later waves ask
again.

Waves grow with the number of played matches. So for n matches the league computes its ratings O(log n) times, which
costs O(n log n) in all. A wave has enough groups for every entry to play once, and at most half of all groups. If these
groups are too few for the wanted number of matches, they play the deals of the league several times. But in one group
no entry may play more than a quarter as many matches as it has played so far. So after a new entry the waves are short
again, until it has caught up after O(log n) waves.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from referee.core import seeds
from referee.core.outcome import Seat, Side
from tournaments.league.format_settings import OpenSettings
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.rating import DECIMALS
from tournaments.rating.contest import PSEUDO, TeamComparison, comparisons, contests
from tournaments.rating.sides import counting, owners_of
from tournaments.rating.tally import Tally
from tournaments.schedule.formats.format import Counted
from tournaments.schedule.formats.issued_waves import IssuedWave, group_size, line_ups_of, next_deal
from tournaments.schedule.formats.open_groups import Group, GroupShape, HypotheticalMatches, matches_of, prospect_of

if TYPE_CHECKING:
    from tournaments.rating.ratings import RatedLeague
    from tournaments.schedule.formats.open_selection import GroupSelection


_Kind: TypeAlias = tuple[str, tuple[str, ...], tuple[int, ...], tuple[Side, ...], tuple[Seat, ...]]


class ComparisonCounter:
    """Counts matches. It remembers what equal ones say, since working that out takes longer than all the rest."""

    def __init__(self, league: League) -> None:
        self._league = league
        self._cache: dict[_Kind, tuple[TeamComparison, ...]] = {}

    def tally(self, matches: Iterable[tuple[Fixture, StoredMatch]]) -> Tally:
        """The matches as one block: enough for ratings, which know nothing of deals, but not for intervals."""
        kinds: Counter[_Kind] = Counter()
        for fixture, played in matches:
            faulty = tuple(fault.seat for fault in played.faults)
            kind = (fixture.table, fixture.entries, played.outcome.places, played.outcome.sides, faulty)
            if kind not in self._cache:
                found = contests(self._league, [(fixture, played)])
                self._cache[kind] = tuple(comparison for each in found for comparison in comparisons(each))
            kinds[kind] += 1
        counts: Counter[TeamComparison] = Counter()
        for kind, count in kinds.items():
            for comparison in self._cache[kind]:
                counts[comparison] += count
        unit = tuple(enumerate(counts.values()))
        return Tally(tuple(counts), ((unit,),) if unit else ())


class PlayCounts(msgspec.Struct, frozen=True):
    """How much was issued so far.

    Attributes:
        matches: all matches.
        played: by entry, the matches that it sits in, with or without a result.
        debts: by entry, how far it is behind its least rate, in even shares of a wave, at least 0.
    """

    matches: int
    played: Counter[str]
    debts: dict[str, float]

    def new(self, entry: str) -> bool:
        """Whether the entry was in no match so far."""
        return not self.played[entry]


def attendance(issues: Sequence[IssuedWave], least: float) -> PlayCounts:
    """How much was issued in these waves.

    The even share of a wave is the matches of an entry in it if all of its roster played equally much. In every wave
    an entry of the roster is owed `least` of an even share, and its matches are credited. Matches beyond that are not
    saved up: a bot that was placed with many matches is not left out for long afterwards.
    """
    played: Counter[str] = Counter()
    debts: dict[str, float] = {}
    for issue in issues:
        sits = Counter(entry for line_up in issue.line_ups for entry in set(line_up.entries))
        even = sits.total() / len(issue.roster)
        for entry in issue.roster:
            debts[entry] = max(0.0, debts.get(entry, 0.0) + least - sits[entry] / even)
            played[entry] += sits[entry] * issue.deals
    return PlayCounts(sum(len(issue.line_ups) * issue.deals for issue in issues), played, debts)


_MOST = 2048
"""The largest number of groups in a wave, unless it takes more for every entry to play once."""

_QUARTER = 4

_AT_FIRST = 2
"""How many groups of a wave a new entry may play in."""


class WaveSize(NamedTuple):
    """The size of a wave.

    Attributes:
        groups: how many groups the wave should have.
        limit: how many groups it may have, if more are needed for all entries that are due.
        times: how many times a group plays the deals of the league.
        matches: how many matches a group plays in the wave.
        mean_groups: in how many groups an entry plays on average.
    """

    groups: int
    limit: int
    times: int
    matches: int
    mean_groups: float


def wave_size(
    shape: GroupShape, entries: Sequence[str], attended: PlayCounts, unit: int, growth: float, left: int | None
) -> WaveSize:
    """The size of the next wave.

    Args:
        shape: the shape of its groups.
        entries: the entries that may play; at least as many as a group has.
        attended: what the entries play in the waves so far.
        unit: how many matches a group plays on the deals of the league.
        growth: how many matches the wave should have, as a part of all matches so far.
        left: how many more matches the league may play; None: any number.
    """
    possible = shape.count(len(entries))
    fewest = min(possible, ceil(len(entries) / max(2, shape.size)))
    most = max(fewest, min(_MOST, possible // 2))
    wanted = max(fewest, int(growth * attended.matches / unit))
    if left is not None:
        wanted = min(wanted, max(0, left // unit))
    newest = min(attended.played[entry] for entry in entries)
    times = max(1, min(ceil(wanted / most), newest // (_QUARTER * unit)))
    limit = possible if left is None else min(possible, max(0, left) // (unit * times))
    groups = min(most, max(fewest, wanted // times), limit)
    return WaveSize(groups, limit, times, unit * times, groups * shape.size / len(entries))


def most(entry: str, attended: PlayCounts, size: WaveSize) -> int:
    """In how many groups of the wave an entry should be at most: its results show which opponents it needs next."""
    return max(_AT_FIRST, attended.played[entry] // (_QUARTER * size.matches))


def due(entry: str, attended: PlayCounts, size: WaveSize, least: float) -> int:
    """In how many groups of the wave an entry has to be: it is new, or has played less than `least` of even shares."""
    if attended.new(entry):
        return 1
    return min(int(attended.debts[entry] * size.mean_groups), ceil(least * size.mean_groups))


_ALL = 4096
"""If there are no more groups than these, all are looked at."""

_LEAST_PER_ENTRY = 16
"""Otherwise at least so many of each entry, and ..."""

_CHOICE = 4
"""... so many for each group that the wave has."""

_REMEMBERED = 1 << 13
"""Of so many groups it is remembered what they would play."""

_FINE = 1 << 16
"""Parts of a group are rounded to one in so many."""


def problems(settings: OpenSettings, league: League) -> list[str]:
    """The faults of `matches` for a league, a sentence each; empty if there are none."""
    shapes = _by_shape(league.tables)
    first = next((shape for shape in sorted(shapes) if shape.fits(len(league.entries))), None)
    least = 0 if first is None else matches_of(shapes[first], first.size) * league.deals
    if settings.matches is None or settings.matches >= least:
        return []
    return [f"matches: {settings.matches} is too few for a group of bots to play; take {least} or more, or fewer deals"]


def _by_shape(tables: Iterable[TableSpec]) -> dict[GroupShape, list[TableSpec]]:
    found: dict[GroupShape, list[TableSpec]] = {}
    for table in tables:
        found.setdefault(GroupShape(group_size(table), table.seating == "copies"), []).append(table)
    return found


class OpenLeague:
    """Decides the waves of an open league."""

    authors: Mapping[str, str] = {}

    def __init__(self, settings: OpenSettings, league: League, seed: bytes) -> None:
        """`seed` is the league's, 32 bytes."""
        self._settings = settings
        self._league = league
        self._seed = seeds.child(seed, "open")
        self._tables = _by_shape(league.tables)
        self._results = ComparisonCounter(league)
        self._prospect = lru_cache(_REMEMBERED)(self._would_play)

    def decide(
        self,
        issues: Sequence[IssuedWave],
        roster: Sequence[str],
        counted: Counted,
        gone: Sequence[Set[str]] = (),  # noqa: ARG002 - who left gets nothing for it
    ) -> IssuedWave | None:
        """The next wave; None if the league is over, or if there are too few entries for its tables."""
        shapes = [shape for shape in sorted(self._tables) if shape.fits(len(roster))]
        if not shapes:
            return None
        shape = shapes[len(issues) % len(shapes)]
        order = sorted(roster, key=lambda name: seeds.child(self._seed, "order", name))
        attended = attendance(issues, self._settings.least)
        size = self._extent(shape, order, attended)
        rated = self._rated(order, counting(counted(), self.authors)) if size.groups else None
        if rated is None or self._is_certain(rated, order):
            return None
        groups = self._groups(shape, order, attended, size, rated, seeds.child(self._seed, "wave", str(len(issues))))
        line_ups = line_ups_of(self._tables[shape], groups)
        return IssuedWave(tuple(roster), tuple(line_ups), next_deal(issues), self._league.deals * size.times)

    def _extent(self, shape: GroupShape, order: Sequence[str], attended: PlayCounts) -> WaveSize:
        unit = matches_of(self._tables[shape], shape.size) * self._league.deals
        left = None if self._settings.matches is None else self._settings.matches - attended.matches
        return wave_size(shape, order, attended, unit, self._settings.growth, left)

    def _rated(self, order: Sequence[str], matches: Sequence[tuple[Fixture, StoredMatch]]) -> "RatedLeague":
        """The ratings of all that may play or have played."""
        from tournaments.rating.ratings import at_rest  # noqa: PLC0415 - it imports numpy and scipy

        names = {*order, *(entry for _, played in matches for entry in played.entries)}
        return at_rest(self._results.tally(matches), sorted(names), self._league.draw_probability)

    def _is_certain(self, rated: "RatedLeague", order: Iterable[str]) -> bool:
        enough = self._settings.uncertainty
        return enough is not None and all(round(rated.ratings[name].sigma, DECIMALS) <= enough for name in order)

    def _groups(
        self,
        shape: GroupShape,
        order: Sequence[str],
        attended: PlayCounts,
        size: WaveSize,
        rated: "RatedLeague",
        seed: bytes,
    ) -> Sequence[Group]:
        """The groups of the next wave, in the order in which they are taken."""
        from tournaments.schedule.formats.open_selection import GroupSelection  # noqa: PLC0415 - it imports numpy and scipy

        drawn = shape.at_random(order, self._number_at_random(size, seed), seeds.child(seed, "random"))
        at_random = [group for group in drawn if self._counts(shape, group)]
        listed = dict.fromkeys((*at_random, *_listed(shape, order, size, rated, seeds.child(seed, "listed"))))
        # If no group counts, nothing is left to choose: then they play all the same.
        listed = {group: None for group in listed if self._counts(shape, group)} or listed
        known = tuple(sorted(name for name in rated.ratings if name.startswith(PSEUDO)))
        hypotheticals = {group: self._prospect(shape, group, known) for group in listed}
        deals, draws = self._league.deals * size.times, self._league.draw_probability
        taking = GroupSelection(hypotheticals, deals, rated, order, draws, seeds.child(seed, "alike"))
        for group in at_random:
            taking.take(group)
        bounds = {name: most(name, attended, size) for name in order}
        for name in order:
            _serve(taking, name, due(name, attended, size, self._settings.least), bounds, size.limit)
        while len(taking.taken) < size.groups and (best := taking.best(bounds)) is not None:
            taking.take(best)
        return taking.taken

    def _counts(self, shape: GroupShape, group: Group) -> bool:
        """Whether a group does not have two entries of one author, or all its tables are against the game."""
        against_the_game = all(len(table.sides) == 1 for table in self._tables[shape])
        return against_the_game or len(set(owners_of(group, self.authors))) == len(set(group))

    def _number_at_random(self, size: WaveSize, seed: bytes) -> int:
        """The part of the groups that is drawn at random, rounded up or down by chance."""
        (chance,) = seeds.rolls(seeds.child(seed, "rounded"), _FINE, 1)
        return min(size.groups, int(self._settings.random * size.groups + chance / _FINE))

    def _would_play(self, shape: GroupShape, group: Group, rated_players: tuple[str, ...]) -> HypotheticalMatches:
        return prospect_of(self._league.game, self._tables[shape], group, rated_players)


def _listed(
    shape: GroupShape, order: Sequence[str], size: WaveSize, rated: "RatedLeague", seed: bytes
) -> Iterable[Group]:
    """The groups to choose from: all, or if these are too many, some that are near each other in rating."""
    if shape.count(len(order)) <= _ALL:
        return shape.all(order)
    ranked = sorted(order, key=lambda name: -round(rated.ratings[name].mu, DECIMALS))
    return shape.around(ranked, max(_LEAST_PER_ENTRY, ceil(_CHOICE * size.groups / len(order))), seed)


def _serve(taking: "GroupSelection", name: str, due: int, most: Mapping[str, int], limit: int) -> None:
    """Take groups with this entry until it has as many as it is due, or no more may be taken."""
    while taking.turns[name] < due and len(taking.taken) < limit:
        best = taking.best_with(name, most)
        if best is None:
            return
        taking.take(best)
