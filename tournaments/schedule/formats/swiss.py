"""Swiss: in each round bots meet others that did about as well as they, and everybody plays to the end.

A round is a wave of new deals. The bots that meet play all of them, at every table and in every line-up, so that seats
and luck are even between them. A bot's points in the round are its mean share of these matches, from 0 to 1.

With two bots a table, `pairs` finds the best pairs; with more, `groups` looks for good groups. If bots are left
over, those with the lowest score have a bye, none a second one before every bot had one. With two bots a table, a bye
is worth the mean of the points that the bot got in the rounds that it played; with more, the average points of a bot in
that round. Both are 0.5 if there are none. So a bye is worth what a bot may expect, and nobody gains by having one.

A group counts when each of its line-ups was played on at least half of its deals; before that no next round is decided
(`tournaments.schedule.counting_rules`). So only if bots were suspended or withdrawn no match of a group counts. Then
its remaining bots get a bye afterwards, and they have not met.

Matches among the entries of one author give no points (`League.authors`): a bot's share is that of the bots of other
authors. So two such bots are only paired if the round cannot do without, and then both have a bye.

A bot that enters late begins with 0 points. One that leaves is not paired any more; the points of its opponents stay.
"""

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import count
from math import fsum
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from referee.core import seeds
from tournaments.league.format_settings import SwissSettings
from tournaments.league.model import TableSpec
from tournaments.rating.sides import shares
from tournaments.schedule.formats.format import Counted
from tournaments.schedule.formats.issued_waves import (
    IssuedWave,
    group_size,
    line_ups_of,
    next_deal,
    stayed,
    unfit_tables,
)

if TYPE_CHECKING:
    from tournaments.schedule.formats.swiss_pairing import SwissPlayer


class SwissRoundResult(msgspec.Struct, frozen=True):
    """How a bot fared in a round.

    Attributes:
        opponents: the bots that it met, by name; empty for a bye.
        points: from 0 to 1.
        bye: whether it got its points without playing.
    """

    opponents: tuple[str, ...]
    points: float
    bye: bool = False


class SwissStanding(msgspec.Struct, frozen=True):
    """A bot in the table of a Swiss.

    Attributes:
        entry: the name of the bot.
        points: the sum of its points in all rounds.
        buchholz: the sum of the points of its opponents, each as often as they met. A bye counts like opponents that
            have as many points as the bot itself: one with two bots a table, two with three. A round that it missed
            counts nothing.
        byes: how many byes it had.
        rounds: how it fared, round by round; None where it had no part.
    """

    entry: str
    points: float
    buchholz: float
    byes: int
    rounds: tuple[SwissRoundResult | None, ...]


SAME_AUTHOR = 1_000
"""A pair of one author costs as much as so many rematches."""

Shares: TypeAlias = Mapping[frozenset[str], Mapping[str, Sequence[float]]]
"""By group and bot, the bot's shares in the matches of the group that count. A group without any is missing."""


class SwissTable:
    """How bots fared in some rounds.

    Attributes:
        rounds: for each round, how each bot fared; bots that had no part in it are missing.
    """

    def __init__(
        self,
        issues: Sequence[IssuedWave],
        gone: Sequence[Set[str]],
        counted: Counted,
        size: int,
        authors: Mapping[str, str] = {},
    ) -> None:
        """Read the results.

        Args:
            issues: the first rounds, in order. All are settled.
            gone: for each round, the entries that were suspended or withdrawn by its end.
            counted: reads every match that counts. Those of later rounds change nothing.
            size: how many bots meet at a table.
            authors: by entry, its author.
        """
        self._size = size
        found = _shares(issues, counted, authors)
        self.rounds = [_played(issue, shares) for issue, shares in zip(issues, found, strict=True)]
        self.rounds = [
            played | {name: self._bye(played, name) for name in _byes(issue, played, still_there)}
            for issue, played, still_there in zip(issues, self.rounds, stayed(issues, gone), strict=True)
        ]

    def points(self, name: str) -> float:
        """The sum of a bot's points."""
        return fsum(result.points for result in self._round_results(name))

    def byes(self, name: str) -> int:
        """How many byes a bot had."""
        return sum(result.bye for result in self._round_results(name))

    def met(self, name: str) -> Counter[str]:
        """How often a bot met each other bot."""
        return Counter(rival for result in self._round_results(name) for rival in result.opponents)

    def standing(self, name: str) -> SwissStanding:
        """A bot in the table."""
        points, byes = self.points(name), self.byes(name)
        played = (times * self.points(rival) for rival, times in self.met(name).items())
        buchholz = fsum([*played, byes * (self._size - 1) * points])
        return SwissStanding(name, points, buchholz, byes, tuple(each.get(name) for each in self.rounds))

    def _bye(self, played: Mapping[str, SwissRoundResult], name: str) -> SwissRoundResult:
        """The bye of a bot in a round in which these bots played. The rounds have no byes so far."""
        results = self._round_results(name) if self._size == 2 else played.values()
        points = [result.points for result in results]
        return SwissRoundResult((), fmean(points) if points else 0.5, bye=True)

    def _round_results(self, name: str) -> Iterator[SwissRoundResult]:
        return (each[name] for each in self.rounds if name in each)


def _shares(issues: Sequence[IssuedWave], counted: Counted, authors: Mapping[str, str]) -> list[Shares]:
    found: list[dict[frozenset[str], dict[str, list[float]]]] = [{} for _ in issues]
    first_deals = [issue.first_deal for issue in issues]
    end = next_deal(issues)
    for fixture, played in counted() if issues else ():
        if fixture.deal < end:
            of_wave = found[bisect(first_deals, fixture.deal) - 1]
            for name, share in shares(played.outcome, fixture.entries, authors).items():
                of_wave.setdefault(frozenset(fixture.entries), defaultdict(list))[name].append(share)
    return list(found)


def _groups(issue: IssuedWave) -> set[frozenset[str]]:
    return {frozenset(line_up.entries) for line_up in issue.line_ups}


def _played(issue: IssuedWave, shares: Shares) -> dict[str, SwissRoundResult]:
    """How the bots fared of whose groups something counted."""
    return {
        name: SwissRoundResult(tuple(sorted(group - {name})), fmean(shares[group][name]))
        for group in _groups(issue) & shares.keys()
        for name in group & shares[group].keys()
    }


def _byes(issue: IssuedWave, played: Collection[str], still_there: Collection[str]) -> set[str]:
    """The bots with a bye: those that were left over, and those still there of whose group nothing counted."""
    paired = {name for group in _groups(issue) for name in group}
    return {*issue.byes, *(name for name in paired if name not in played and name in still_there)}


def problems(tables: Sequence[TableSpec]) -> list[str]:
    """The faults of these tables for a Swiss, a sentence each; empty if there are none."""
    found = list(unfit_tables(tables, "a Swiss", "at least two sides"))
    sizes = {group_size(table): table.name for table in reversed(tables) if table.seating != "copies"}
    if len(sizes) > 1:
        filled = ", ".join(f"{name!r} by {size}" for size, name in sorted(sizes.items()))
        found.append(
            f"in a Swiss the same bots meet at all tables, but these are filled by different numbers of bots: {filled};"
            " keep those of one number"
        )
    return found


def usual_rounds(bots: int, size: int) -> int:
    """How many rounds there are unless the league file says it.

    After r rounds at most one bot in size^r can have won all its matches. So log_size(bots) rounds, rounded up, are the
    fewest after which one bot alone can be first without a loss. Two more are played because luck decides results, too.
    In simulation (`benchmarks/swiss_rounds.py`) the best bot is then first almost as often as after many more rounds.
    But there are no more rounds than it takes everybody to meet everybody.
    """
    tables = bots // size
    if not tables:
        return 0
    separating = next(rounds for rounds in count() if size**rounds >= bots)
    everybody = -(-bots * (bots - 1) // (tables * size * (size - 1)))
    return min(separating + 2, everybody)


class SwissRounds:
    """Decides the rounds of a Swiss. A `Decider`; its answers do not depend on the order of the roster."""

    authors: Mapping[str, str] = {}

    def __init__(self, settings: SwissSettings, tables: Sequence[TableSpec], deals: int, seed: bytes) -> None:
        """`problems` finds nothing wrong with the tables.

        A round has so many deals. `seed` is the league's, 32 bytes.
        """
        self._settings = settings
        self._tables = tuple(tables)
        self._deals = deals
        self._seed = seeds.child(seed, "swiss")
        self._size = group_size(self._tables[0])

    def decide(
        self, issues: Sequence[IssuedWave], roster: Sequence[str], counted: Counted, gone: Sequence[Set[str]] = ()
    ) -> IssuedWave | None:
        """The next round; None after the last one, or if the roster does not fill a table."""
        if self.is_last(issues, roster):
            return None
        number = len(issues)
        playing, byes = self._byes(number, roster, SwissTable(issues, gone, counted, self._size, self.authors))
        line_ups = tuple(line_ups_of(self._tables, self._groups(number, playing)))
        return IssuedWave(tuple(roster), line_ups, next_deal(issues), self._deals, byes)

    def is_last(self, issues: Sequence[IssuedWave], roster: Sequence[str]) -> bool:
        """Whether no round follows these, whatever their results are."""
        return len(issues) >= self._rounds(issues[0].roster if issues else roster) or len(roster) < self._size

    def standings(
        self, issues: Sequence[IssuedWave], roster: Sequence[str], counted: Counted, gone: Sequence[Set[str]] = ()
    ) -> list[SwissStanding]:
        """The table after some rounds: by points, then by Buchholz, both rounded to 0.001, then by the league's seed.

        It has the bots of the roster and those of the rounds. Matches of later rounds change nothing.
        """
        table = SwissTable(issues, gone, counted, self._size, self.authors)
        found = [table.standing(name) for name in {*roster, *(name for issue in issues for name in issue.roster)}]
        luck = {each.entry: self._luck(len(issues), each.entry) for each in found}
        found.sort(key=lambda each: (round(each.points, 3), round(each.buchholz, 3), luck[each.entry]), reverse=True)
        return found

    def _rounds(self, first_roster: Sequence[str]) -> int:
        return self._settings.rounds or usual_rounds(len(first_roster), self._size)

    def _byes(
        self, number: int, roster: Sequence[str], table: SwissTable
    ) -> tuple[Sequence["SwissPlayer"], tuple[str, ...]]:
        """Those of the roster that play in the round with this number, and the names of the others."""
        from tournaments.schedule.formats.swiss_pairing import SwissPlayer  # noqa: PLC0415 - it imports numpy

        byes = {name: table.byes(name) for name in roster}
        met = {name: table.met(name) + self._avoided(name, roster) for name in roster}
        contenders = [
            SwissPlayer(name, round(1000 * table.points(name)), self._luck(number, name), met[name]) for name in roster
        ]
        contenders.sort(key=lambda each: (byes[each.name], each.score, each.luck))
        over = len(contenders) % self._size
        return contenders[over:], tuple(sorted(each.name for each in contenders[:over]))

    def _avoided(self, name: str, roster: Sequence[str]) -> Counter[str]:
        """The other bots of its author, each as if the two had met many times."""
        author = self.authors.get(name, name)
        return Counter({other: SAME_AUTHOR for other in roster if self.authors.get(other) == author and other != name})

    def _luck(self, number: int, name: str) -> int:
        """The luck of a bot in a round: the first 8 bytes of league seed / "swiss" / round / name, little-endian."""
        return int.from_bytes(seeds.child(self._seed, str(number), name)[:8], "little")

    def _groups(self, number: int, playing: Sequence["SwissPlayer"]) -> Sequence[tuple[str, ...]]:
        """The bots that meet in the round with this number."""
        if self._size == 2:
            from tournaments.schedule.formats.swiss_pairing import pairs  # noqa: PLC0415 - it imports networkx

            return pairs(playing)
        from tournaments.schedule.formats.swiss_pairing import groups  # noqa: PLC0415 - it imports numpy

        return groups(playing, self._size, seeds.child(self._seed, str(number)))
