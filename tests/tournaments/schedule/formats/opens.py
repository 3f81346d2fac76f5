"""Open leagues with made-up results, played wave by wave."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from msgspec.structs import replace

from referee.core.outcome import FAULT, Outcome, Side
from referee.match.transcript import FaultKind, FaultMark
from tests.tournaments.leagues import SEED, league
from tournaments.league.format_settings import OpenSettings
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.schedule.formats.issued_waves import IssuedLineUps, IssuedWave
from tournaments.schedule.formats.open_league import OpenLeague
from tournaments.schedule.formats.wave import Wave

PAIRS, TWO_ONE, TOGETHER = ((0, 2), (1, 3)), ((0, 2), (1,)), ((0, 1),)
TABLES = {
    "duel": TableSpec("duel", 2, {}),
    "three": TableSpec("three", 3, {}),
    "copies": TableSpec("copies", 3, {}, "copies"),
    "partners": TableSpec("partners", 4, {}, "distinct", PAIRS),
    "partners, copies": TableSpec("partners, copies", 4, {}, "copies", PAIRS),
    "teams": TableSpec("teams", 4, {}, "teams", PAIRS),
    "two-one": TableSpec("two-one", 3, {}, "distinct", TWO_ONE),
    "together": TableSpec("together", 2, {}, "distinct", TOGETHER),
    "together, teams": TableSpec("together, teams", 2, {}, "teams", TOGETHER),
}
NAMES = tuple(f"{letter}@1" for letter in "abcdefgh")

LUCK = Random(1)

Judge = Callable[[Fixture, TableSpec], Outcome]


def open_league(
    settings: OpenSettings, tables: Sequence[str] = ("duel",), deals: int = 1, seed: bytes = SEED
) -> OpenLeague:
    return OpenLeague(settings, the_league(tables, deals), seed)


def the_league(tables: Sequence[str], deals: int = 1) -> League:
    """With all bots of `NAMES`, whether or not they are on the roster."""
    return replace(
        league([name.partition("@")[0] for name in NAMES], deals), tables=tuple(TABLES[name] for name in tables)
    )


def by_luck(luck: Random, skills: Counter[str] | None = None) -> Judge:
    """Each side performs as its bots are good on average, in points, plus luck."""
    good = skills or Counter()

    def judge(fixture: Fixture, table: TableSpec) -> Outcome:
        teams = table.sides or tuple((seat,) for seat in range(table.seats))
        sides = tuple(Side(f"side {at}", seats) for at, seats in enumerate(table.sides))
        did = [sum(good[fixture.entries[seat]] for seat in seats) / len(seats) + luck.gauss(0, 4) for seats in teams]
        if len(teams) == 1:
            return Outcome("over", (1 if did[0] > 0 else 2,) * table.seats, sides)
        places = {seat: 1 + sum(other > did[at] for other in did) for at, seats in enumerate(teams) for seat in seats}
        return Outcome("over", tuple(places[seat] for seat in range(table.seats)), sides)

    return judge


class Running:
    """An open league while it is played."""

    def __init__(self, decider: OpenLeague, the_league: League, judge: Judge) -> None:
        self.issues: list[IssuedWave] = []
        self.matches: list[tuple[Fixture, StoredMatch]] = []
        self._decider = decider
        self._tables = {table.name: table for table in the_league.tables}
        self._judge = judge

    def decided(self, roster: Sequence[str]) -> IssuedWave | None:
        return self._decider.decide(self.issues, roster, lambda: self.matches)

    def play(self, issue: IssuedWave, luck: Random = LUCK, count: float = 1, faults: float = 0) -> None:
        """This part of the matches counts, by luck; this part of them ends by a fault of the bot in the first seat."""
        self.issues.append(issue)
        for fixture in self.fixtures(issue):
            if luck.random() < count:
                self.matches.append((fixture, self._played(fixture, faulty=luck.random() < faults)))

    def fixtures(self, issue: IssuedWave) -> list[Fixture]:
        return list(Wave("nim", IssuedLineUps(issue.line_ups), range(issue.first_deal, issue.first_deal + issue.deals)))

    def _played(self, fixture: Fixture, *, faulty: bool) -> StoredMatch:
        outcome = self._judge(fixture, self._tables[fixture.table])
        marks = (FaultMark(0, 1, FaultKind.CRASH),) if faulty else ()
        if faulty:
            last = next((side.seats for side in outcome.sides if 0 in side.seats), (0,))
            places = tuple(2 if seat in last else 1 for seat in range(len(outcome.places)))
            outcome = Outcome(FAULT, places, outcome.sides)
        return StoredMatch(fixture.id, "digest", fixture.entries, outcome, marks, (), (), 0)


def met(issue: IssuedWave) -> Counter[tuple[str, ...]]:
    """How often each two different bots meet on a deal."""
    pairs = (combinations(sorted(set(line_up.entries)), 2) for line_up in issue.line_ups)
    return Counter(pair for each in pairs for pair in each)


def sits(issue: IssuedWave) -> Counter[str]:
    """By bot, in how many line-ups it is."""
    return Counter(name for line_up in issue.line_ups for name in set(line_up.entries))
