"""Knock-outs whose results are made up: the id of a fixture decides its result."""

from collections.abc import Callable, Sequence
from hashlib import blake2b

from referee.core.outcome import Outcome
from tournaments.league.format_settings import KnockoutSettings
from tournaments.league.model import Fixture, StoredMatch, TableSpec
from tournaments.schedule.formats.issued_waves import IssuedLineUps, IssuedWave
from tournaments.schedule.formats.knockout import KnockoutRounds
from tournaments.schedule.formats.wave import Wave

Result = tuple[Fixture, StoredMatch]
Places = Callable[[Fixture], Sequence[int]]


def table(seats: int, name: str = "plain") -> TableSpec:
    return TableSpec(name, seats, {})


def names(number: int) -> list[str]:
    """Bots of which the first is the highest seed."""
    return [f"bot{at}@1" for at in range(1, number + 1)]


def luck(*what: object) -> int:
    return int.from_bytes(blake2b(repr(what).encode(), digest_size=4).digest())


def by_number(fixture: Fixture) -> list[int]:
    """The lower the number of a bot, the better its place."""
    numbers = [int(name.removeprefix("bot").partition("@")[0]) for name in fixture.entries]
    return [1 + sum(other < own for other in numbers) for own in numbers]


def all_equal(fixture: Fixture) -> list[int]:
    return [1] * len(fixture.entries)


def by_luck(fixture: Fixture) -> list[int]:
    """Many ties."""
    scores = [luck(fixture.deal, name) % 3 for name in fixture.entries]
    return [1 + sum(other > own for other in scores) for own in scores]


def played(fixture: Fixture, places: Sequence[int]) -> Result:
    return fixture, StoredMatch(fixture.id, "", fixture.entries, Outcome("won", tuple(places), ()), (), (), (), 0)


class Event:
    """A knock-out so far.

    Attributes:
        issues: its waves.
        results: what counts of them.
        roster: who may play now.
        gone: by wave, who left before its end.
    """

    def __init__(
        self,
        roster: Sequence[str],
        seats: int = 2,
        deals: int = 1,
        settings: KnockoutSettings | None = None,
        tables: int = 1,
    ) -> None:
        specs = [table(seats, f"table-{at}") for at in range(tables)]
        self.rounds = KnockoutRounds(settings or KnockoutSettings(), specs, deals, bytes(32))
        self.issues: list[IssuedWave] = []
        self.results: list[Result] = []
        self.roster = list(roster)
        self.gone: list[set[str]] = []

    def counted(self) -> Sequence[Result]:
        return self.results

    def next(self) -> list[Fixture] | None:
        """Issue the next wave, and return its fixtures; None if it is over."""
        issue = self.rounds.decide(self.issues, self.roster, self.counted, self.gone)
        if issue is None:
            return None
        self.issues.append(issue)
        self.gone.append(set())
        return list(Wave("nim", IssuedLineUps(issue.line_ups), range(issue.first_deal, issue.first_deal + issue.deals)))

    def leave(self, *names: str) -> None:
        """Bots leave while the last wave is under way."""
        self.gone[-1].update(names)
        self.roster = [name for name in self.roster if name not in names]

    def play(self, places: Places = by_number) -> "Event":
        """Play all waves to the end."""
        while (fixtures := self.next()) is not None:
            self.results += [played(fixture, places(fixture)) for fixture in fixtures]
        return self

    def groups(self, wave: int = -1) -> list[set[str]]:
        """Who meets whom in a wave, in the order of play."""
        found = dict.fromkeys(frozenset(line_up.entries) for line_up in self.issues[wave].line_ups)
        return [set(group) for group in found]
