"""Swiss leagues whose results are simulated: the stronger bot tends to come first, and a fixture always ends alike."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from referee.core.outcome import Outcome, Side
from tournaments.league.model import Fixture, StoredMatch, TableSpec
from tournaments.schedule.formats.issued_waves import Decider, IssuedLineUps, IssuedWave
from tournaments.schedule.formats.swiss import SwissRounds
from tournaments.schedule.formats.wave import Wave

Result = tuple[Fixture, StoredMatch]
Skips = Callable[[Fixture], bool]
"""Whether a fixture is skipped."""


def table(seats: int, name: str = "plain") -> TableSpec:
    return TableSpec(name, seats, {})


def bots(number: int) -> list[str]:
    return [f"bot{at}@1" for at in range(number)]


def played(fixture: Fixture, places: Sequence[int], sides: tuple[Side, ...] = ()) -> Result:
    return fixture, StoredMatch(fixture.id, "", fixture.entries, Outcome("won", tuple(places), sides), (), (), (), 0)


def fixtures(issue: IssuedWave) -> list[Fixture]:
    return list(Wave("nim", IssuedLineUps(issue.line_ups), range(issue.first_deal, issue.first_deal + issue.deals)))


def result(fixture: Fixture, strengths: Mapping[str, float]) -> Result:
    """The end of a match. The id of a fixture and the strengths of its bots decide its result."""
    luck = Random(fixture.id)
    performed = [strengths.get(name, 0.0) + luck.gauss(0, 0.7) for name in fixture.entries]
    return played(fixture, [1 + sum(other > mine for other in performed) for mine in performed])


class Event:
    """A Swiss so far.

    Attributes:
        issues: its rounds.
        results: what counts of them.
    """

    def __init__(self, rounds: SwissRounds, strengths: Mapping[str, float] | None = None) -> None:
        self.rounds = rounds
        self._decider: Decider = rounds
        self.issues: list[IssuedWave] = []
        self.results: list[Result] = []
        self._strengths = strengths or {}

    def counted(self) -> Sequence[Result]:
        return self.results

    def next(self, roster: Sequence[str], skips: Skips = lambda _fixture: False) -> IssuedWave | None:
        """The next round, with its results."""
        issue = self._decider.decide(self.issues, roster, self.counted)
        if issue is not None:
            playing = [each for each in fixtures(issue) if not skips(each)]
            self.results += [result(each, self._strengths) for each in playing]
            self.issues.append(issue)
        return issue

    def play(self, roster: Sequence[str]) -> "Event":
        """All rounds."""
        while self.next(roster):
            pass
        return self


def meetings(issue: IssuedWave) -> list[tuple[str, ...]]:
    """The groups of a round, each with its bots in alphabetical order."""
    return list(dict.fromkeys(tuple(sorted(set(line_up.entries))) for line_up in issue.line_ups))
