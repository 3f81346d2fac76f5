"""How bots fared in the rounds of a Swiss, and its table."""

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from math import fsum
from statistics import fmean
from typing import TypeAlias

import msgspec

from tournaments.rating.sides import score
from tournaments.schedule.formats.format import Counted
from tournaments.schedule.formats.wave_decider import IssuedWave, next_deal, stayed


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


Shares: TypeAlias = Mapping[frozenset[str], Mapping[str, Sequence[float]]]
"""By group and bot, the bot's shares in the matches of the group that count. A group without any is missing."""


class SwissTable:
    """How bots fared in some rounds.

    Attributes:
        rounds: for each round, how each bot fared; bots that had no part in it are missing.
    """

    def __init__(self, issues: Sequence[IssuedWave], gone: Sequence[Set[str]], counted: Counted, size: int) -> None:
        """Read the results.

        Args:
            issues: the first rounds, in order. All are settled.
            gone: for each round, the entries that were suspended or withdrawn by its end.
            counted: reads every match that counts. Those of later rounds change nothing.
            size: how many bots meet at a table.
        """
        self._size = size
        self.rounds = [_played(issue, shares) for issue, shares in zip(issues, _shares(issues, counted), strict=True)]
        self.rounds = [
            played | {name: self._bye(played, name) for name in _byes(issue, played, still_there)}
            for issue, played, still_there in zip(issues, self.rounds, stayed(issues, gone), strict=True)
        ]

    def points(self, name: str) -> float:
        """The sum of a bot's points."""
        return fsum(outing.points for outing in self._outings(name))

    def byes(self, name: str) -> int:
        """How many byes a bot had."""
        return sum(outing.bye for outing in self._outings(name))

    def met(self, name: str) -> Counter[str]:
        """How often a bot met each other bot."""
        return Counter(rival for outing in self._outings(name) for rival in outing.opponents)

    def standing(self, name: str) -> SwissStanding:
        """A bot in the table."""
        points, byes = self.points(name), self.byes(name)
        played = (times * self.points(rival) for rival, times in self.met(name).items())
        buchholz = fsum([*played, byes * (self._size - 1) * points])
        return SwissStanding(name, points, buchholz, byes, tuple(each.get(name) for each in self.rounds))

    def _bye(self, played: Mapping[str, SwissRoundResult], name: str) -> SwissRoundResult:
        """The bye of a bot in a round in which these bots played. The rounds have no byes so far."""
        outings = self._outings(name) if self._size == 2 else played.values()
        points = [outing.points for outing in outings]
        return SwissRoundResult((), fmean(points) if points else 0.5, bye=True)

    def _outings(self, name: str) -> Iterator[SwissRoundResult]:
        return (each[name] for each in self.rounds if name in each)


def _shares(issues: Sequence[IssuedWave], counted: Counted) -> list[Shares]:
    found: list[dict[frozenset[str], dict[str, list[float]]]] = [{} for _ in issues]
    first_deals = [issue.first_deal for issue in issues]
    end = next_deal(issues)
    for fixture, played in counted() if issues else ():
        if fixture.deal < end:
            group = frozenset(fixture.entries)
            shares = found[bisect(first_deals, fixture.deal) - 1].setdefault(group, defaultdict(list))
            for name in group:
                shares[name].append(score(played.outcome, fixture.entries, name))
    return list(found)


def _groups(issue: IssuedWave) -> set[frozenset[str]]:
    return {frozenset(line_up.entries) for line_up in issue.line_ups}


def _played(issue: IssuedWave, shares: Shares) -> dict[str, SwissRoundResult]:
    """How the bots fared of whose groups something counted."""
    return {
        name: SwissRoundResult(tuple(sorted(group - {name})), fmean(shares[group][name]))
        for group in _groups(issue) & shares.keys()
        for name in group
    }


def _byes(issue: IssuedWave, played: Collection[str], still_there: Collection[str]) -> set[str]:
    """The bots with a bye: those that were left over, and those still there of whose group nothing counted."""
    paired = {name for group in _groups(issue) for name in group}
    return {*issue.byes, *(name for name in paired if name not in played and name in still_there)}
