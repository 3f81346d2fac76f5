"""What must hold of a league, whatever happens in the night. It is checked from outside, with as little of the program
as possible: from the rows of the store, from what the executor was asked to play, and from what the run told.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from tests.nights.leagues import BY_RESULTS, NightLeague
from tests.nights.organizer import Arrival, Departure
from tests.nights.world import World
from tournaments.league.model import FinishedMatch, Fixture
from tournaments.play.events import BotSuspended, Event
from tournaments.results.computed_tables import league_rounds
from tournaments.results.progress import league_moment
from tournaments.results.stored_league import StoredLeague
from tournaments.schedule.counting_rules import VOIDS_ALLOWED
from tournaments.schedule.formats import Bracket, IssuedWave, SwissStanding
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.issued_waves import IssuedWaves

DIGEST = "one digest"
PLAYED = "nothing follows from matches that were not played"
INNOCENT = "no innocent bot has a fault or is suspended"
LOST = "nothing that was told is lost"
DOUBLED = "nothing is doubled"
ENDS = "every run ends, or stops with a reason"
GOES_ON = "every stop can go on"
WHOLE = "waves are decided from whole waves"
CLOSED = "closed deals are never played"
TIDY = "no process and no file is left"
STANDS = "what complete waves say never changes"
TRUE = "nothing is told that is not so at the end"

INVARIANTS = (DIGEST, PLAYED, INNOCENT, LOST, DOUBLED, ENDS, GOES_ON, WHOLE, CLOSED, TIDY, STANDS, TRUE)

TOLERATED = 4
"""A bot with more faults than these may be suspended, if they are many enough."""


class Broken(AssertionError):
    """An invariant does not hold.

    Attributes:
        invariant: which.
    """

    def __init__(self, invariant: str, what: str) -> None:
        super().__init__(invariant, what)
        self.invariant = invariant

    def __str__(self) -> str:
        return ": ".join(self.args)


class Rows(NamedTuple):
    """What a store has.

    Attributes:
        digests: by fixture, the digest of its match and when it was stored.
        faults: by entry, the fixtures that its fault cut short.
        issues: the waves that were issued.
        left: the entries that were withdrawn.
        abandoned: the fixtures that were void too often.
        is_closed: whether the whole league is closed.
        reinstated: the entries that are exempt from suspension.
    """

    digests: Mapping[str, tuple[str, int]]
    faults: Mapping[str, Set[str]]
    issues: Sequence[IssuedWave]
    left: Set[str]
    abandoned: Set[str]
    is_closed: bool
    reinstated: Set[str] = frozenset()


_issue = msgspec.json.Decoder(IssuedWave)
_NOTHING = Rows({}, {}, (), frozenset(), frozenset(), is_closed=False)


def read_rows(file: Path) -> Rows:
    """Read a store without the program."""
    if not file.exists():
        return _NOTHING
    with closing(sqlite3.connect(file)) as store:
        try:
            digests = {
                name: (digest, at) for name, digest, at in store.execute("SELECT fixture, digest, stored_ms FROM match")
            }
        except sqlite3.OperationalError:  # it has no tables so far
            return _NOTHING
        faults: dict[str, set[str]] = {}
        for entry, fixture in store.execute("SELECT entry, fixture FROM seat WHERE fault IS NOT NULL"):
            faults.setdefault(entry, set()).add(fixture)
        issues = [_issue.decode(wave) for (wave,) in store.execute("SELECT wave FROM issue ORDER BY number")]
        left = {name for (name,) in store.execute("SELECT name FROM change WHERE entry IS NULL")}
        voids = Counter(name for (name,) in store.execute("SELECT fixture FROM void WHERE counts"))
        reinstated = {name for (name,) in store.execute("SELECT name FROM entry WHERE reinstated_ms IS NOT NULL")}
        (is_closed,) = store.execute("SELECT count(closed_ms) FROM league").fetchone()
    abandoned = {name for name, count in voids.items() if count >= VOIDS_ALLOWED and name not in digests}
    return Rows(digests, faults, issues, left, abandoned, bool(is_closed), reinstated)


class Observer:
    """Watches one league through a night.

    Attributes:
        rows: what was stored when that was last read, and all that was told since.
    """

    def __init__(self, night: NightLeague, world: World, file: Path) -> None:
        self._night = night
        self._world = world
        self._file = file
        self._told: set[str] = set()
        self._stored: set[str] = set()
        self._latest_deal = 0
        self._is_closed = False
        self._said: dict[tuple[str, int], object] = {}
        self._suspended: dict[str, tuple[int, int]] = {}
        self.rows = _NOTHING

    # What the run does

    def read(self) -> Rows:
        """Read the store between two runs.

        Raises:
            Broken: something that was told is not there, or an innocent bot has a fault.
        """
        before, self.rows = self.rows, read_rows(self._file)
        for fixture, stored in before.digests.items():
            if self.rows.digests.get(fixture) != stored:
                raise Broken(LOST, f"{fixture} was stored and is gone, or was stored again")
        lost = self._told - self.rows.digests.keys()
        if lost:
            raise Broken(LOST, f"{', '.join(sorted(lost))}: told, and not stored")
        innocent = self.rows.faults.keys() - self._night.failing.keys()
        if innocent:
            raise Broken(INNOCENT, f"{', '.join(sorted(innocent))}: never fails, and has a fault")
        self._stored = set(self.rows.digests)
        self._is_closed = self.rows.is_closed
        return self.rows

    def begin(self, fixture: Fixture) -> None:
        """A match begins.

        Raises:
            Broken: it must not begin, or the wave before its own is not whole.
        """
        if fixture.id in self._stored:
            raise Broken(DOUBLED, f"{fixture.id} is played, and has a result")
        if self._is_closed:
            raise Broken(CLOSED, f"{fixture.id} is played, and the league is closed")
        if self._night.kind in BY_RESULTS:
            first = self._first_deal(fixture.deal)
            if first < self._latest_deal:
                raise Broken(CLOSED, f"{fixture.id} is played, and a later wave has begun")
            self._latest_deal = first

    def _first_deal(self, deal: int) -> int:
        issues = self.rows.issues
        if not issues or issues[-1].first_deal + issues[-1].deals <= deal:
            before, rows = len(issues), read_rows(self._file)
            self.rows = self.rows._replace(issues=rows.issues)
            for issue in rows.issues[max(0, before - 1) : -1]:
                self._check_whole(rows, issue, "another wave begins")
        return max((issue.first_deal for issue in self.rows.issues if issue.first_deal <= deal), default=0)

    def tell(self, match: FinishedMatch) -> None:
        """The run tells a result.

        Raises:
            Broken: it told it before.
        """
        if match.fixture.id in self._told:
            raise Broken(DOUBLED, f"{match.fixture.id} was told twice")
        self._told.add(match.fixture.id)
        self._stored.add(match.fixture.id)

    def note_event(self, event: Event) -> None:
        """The run tells an event."""
        if isinstance(event, BotSuspended):
            self._suspended[event.bot] = event.faults, event.matches

    # Between runs

    def check_stands(self, league_results: StoredLeague) -> None:
        """Somebody may have done something to the league.

        Raises:
            Broken: a complete wave says something else than it did before.
        """
        says = dict(self._complete(league_results))
        for what, said in self._said.items():
            if says.get(what) != said:
                raise Broken(STANDS, f"{what[0]} {what[1] + 1} said {said}, and now {says.get(what)}")
        self._said = says

    def _complete(self, league_results: StoredLeague) -> Iterator[tuple[tuple[str, int], object]]:
        """What complete waves say: which matches of them count, who met whom, who had a bye, and who went on."""
        waves = league_results.state.plan.waves
        complete = waves[:-1] if league_moment(league_results).phase == "under way" else waves
        counted = [fixture for fixture, _ in league_results.state.counted()]
        for number, wave in enumerate(complete):
            yield ("wave", number), [fixture.id for fixture in counted if fixture.deal in wave.deals]
        if self._night.kind == "open":
            return
        rounds = league_rounds(league_results)
        if isinstance(rounds, Bracket):
            for number, round_ in enumerate(rounds.rounds):
                if all(group.why for group in round_.groups):
                    yield (
                        ("round", number),
                        [each.name for group in round_.groups for each in group.contestants if each.on],
                    )
        else:
            for number in range(len(rounds[0].rounds) if rounds else 0):
                results = {line.entry: line.rounds[number] for line in rounds}
                yield (
                    ("round", number),
                    sorted((name, each.opponents, each.bye) for name, each in results.items() if each is not None),
                )

    def check_told(self, league_results: StoredLeague, rows: Rows) -> None:
        """The league is over. Who leaves a wave takes its matches along, so its opponents may have fewer faults then.

        Raises:
            Broken: a suspension was told that does not stand.
        """
        verdict = league_results.state.verdict()
        stand = verdict.suspensions | verdict.lifted
        for bot, told in self._suspended.items():
            if (
                not rows.left
                and bot not in rows.reinstated
                and (bot not in stand or (stand[bot].faults, stand[bot].matches) != told)
            ):
                raise Broken(TRUE, f"it was told that {bot} is suspended after {told[0]} faults in {told[1]} matches")

    def check_departures(self, league_results: StoredLeague, departures: Sequence[Departure]) -> None:
        """The league is over.

        Raises:
            Broken: of a bot that left other matches count than its command said.
        """
        waves = league_results.state.plan.waves
        for leaving, counted in departures:
            bot, wave, loss = leaving.bot, leaving.wave, leaving.loss
            lost = range(0) if wave is None else waves[wave].deals
            stay = {name for name, deal in counted.items() if loss != "everything" and deal not in lost}
            count = {fixture.id for fixture, _ in league_results.state.counted() if bot in fixture.entries}
            if count != stay:
                raise Broken(TRUE, f"{bot} left and loses {loss}: {', '.join(sorted(count ^ stay))} counts otherwise")

    def check_arrivals(self, rows: Rows, arrivals: Sequence[Arrival]) -> None:
        """The league is over.

        Raises:
            Broken: a bot that entered does not play from when on its command said.
        """
        for bot, begins, waves in arrivals:
            if bot not in rows.left and not begins.endswith("run"):
                later = rows.issues[waves:]
                if any(bot not in issue.roster for issue in later) or not (later or "if" in begins):
                    raise Broken(TRUE, f"{bot} entered after {waves} waves; it {begins}, and it does not")

    # The end of a run

    def check_end(self, league_results: StoredLeague) -> None:
        """A run has ended as if nothing remained.

        Raises:
            Broken: something follows from matches that were not played.
        """
        rows = self.read()
        suspended = league_results.state.verdict().suspensions
        for entry in suspended:
            if len(rows.faults.get(entry, ())) <= TOLERATED:
                raise Broken(INNOCENT, f"{entry} is suspended after {len(rows.faults.get(entry, ()))} faults")
        if rows.is_closed:
            return
        if self._night.kind in BY_RESULTS:
            self._check_rounds(league_results, rows)

    def _check_rounds(self, league_results: StoredLeague, rows: Rows) -> None:
        """No bye and no place in a bracket follows from matches that were not played."""
        excused = self._excused(rows)
        if self._night.kind == "knockout":
            bracket = league_rounds(league_results)
            assert isinstance(bracket, Bracket)
            for number, round_ in enumerate(bracket.rounds, 1):
                for group in round_.groups:
                    unplayed = [each.name for each in group.contestants if each.scores[:1] == (None,)]
                    if (
                        group.why is not None
                        and len(unplayed) > 1
                        and excused.isdisjoint(e.name for e in group.contestants)
                    ):
                        winners = ", ".join(each.name for each in group.contestants if each.on)
                        raise Broken(PLAYED, f"round {number}: {winners} goes on from {', '.join(unplayed)}, unplayed")
            if bracket.champion and not rows.digests:
                raise Broken(PLAYED, f"{bracket.champion} wins, and no match was played")
        elif self._night.kind == "swiss":
            standings = league_rounds(league_results)
            assert not isinstance(standings, Bracket)
            for standing in standings:
                for number, (issue, result) in enumerate(zip(rows.issues, standing.rounds, strict=False), 1):
                    if result is not None and result.bye and not self._may_have_bye(standing, issue, excused):
                        raise Broken(PLAYED, f"{standing.entry} has a bye in round {number}, and was paired")

    @staticmethod
    def _may_have_bye(standing: SwissStanding, issue: IssuedWave, excused: Set[str]) -> bool:
        groups = [line_up.entries for line_up in issue.line_ups if standing.entry in line_up.entries]
        return standing.entry in issue.byes or not groups or not all(excused.isdisjoint(group) for group in groups)

    def check_over(self, planned: Iterable[Fixture], rows: Rows) -> Set[str]:
        """The league is over: every planned match was played, or a bot is the reason, or half of its line-up was.

        Returns:
            The matches that were abandoned for good.

        Raises:
            Broken: a match was not played, and there is no reason.
        """
        for issue in rows.issues:
            self._check_whole(rows, issue, "the league is over")
        if self._night.kind not in BY_RESULTS:
            self._check_played(planned, rows, "the league is over")
        return rows.abandoned

    def _check_whole(self, rows: Rows, issue: IssuedWave, when: str) -> None:
        wave = IssuedWaves(self._night.league.game, [issue]).wave(0, NothingPlayed())
        assert wave is not None
        self._check_played(wave, rows, when)

    def _check_played(self, planned: Iterable[Fixture], rows: Rows, when: str) -> None:
        """Every fixture of a wave was played; or it was abandoned, and its line-up was played on half of the deals."""
        excused = self._excused(rows)
        wave = [fixture for fixture in planned if excused.isdisjoint(fixture.entries)]
        missing = [fixture for fixture in wave if fixture.id not in rows.digests]
        for fixture in missing:
            if fixture.id not in rows.abandoned:
                raise Broken(WHOLE, f"{when}, and {fixture.id} has no result")
        played, unplayed = Counter(map(_line_up, wave)), Counter(map(_line_up, missing))
        for line_up, count in unplayed.items():
            if 2 * count > played[line_up]:
                raise Broken(PLAYED, f"{when}, and {count} of {played[line_up]} matches of {line_up} were not played")

    def _excused(self, rows: Rows) -> Set[str]:
        """The bots whose matches need not be played: they left, or failed so often that they may be suspended."""
        return rows.left | {entry for entry, fixtures in rows.faults.items() if len(fixtures) > TOLERATED}


def _line_up(fixture: Fixture) -> str:
    return fixture.id.replace(f"/deal-{fixture.deal}/", "/")


def check_files(folder: Path, scratch: Path, league: str, file: Path) -> None:
    """Nothing is left behind.

    Raises:
        Broken: something is.
    """
    lock = file.with_name(f"{file.name}.{league}.lock")
    left = [path.name for path in scratch.iterdir()]
    expected = {file, lock, scratch, file.with_name(f"{file.name}.bots")}
    left += [path.name for path in folder.iterdir() if path not in expected]
    left += [path.name for path in folder.glob("*.bots/.*")]
    if left:
        raise Broken(TIDY, f"left behind: {', '.join(sorted(left))}")
    if lock.exists() and lock.read_bytes():
        raise Broken(TIDY, "the lock still names a runner")


def check_digest(expected: Sequence[tuple[str, str]], found: Sequence[tuple[str, str]]) -> None:
    """The same matches count as in a quiet run, with the same digests, in the same order.

    Raises:
        Broken: they do not.
    """
    if list(expected) != list(found):
        missing, more = dict(expected).keys() - dict(found).keys(), dict(found).keys() - dict(expected).keys()
        differing = [name for name, digest in expected if dict(found).get(name, digest) != digest]
        raise Broken(
            DIGEST,
            f"{len(missing)} matches count only in the quiet run, {len(more)} only in this one, {len(differing)} differ"
            f": {(*sorted(missing), *sorted(more), *differing, 'their order')[0]}",
        )
