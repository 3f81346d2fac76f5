"""A night: a league is played while everything fails, then quietly to its end, and compared with a quiet run."""

import contextlib
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from referee.core.errors import UserError
from tests.nights.disk import Disk
from tests.nights.executor import Matches
from tests.nights.faults import QUIET, draw_faults
from tests.nights.invariants import DIGEST, ENDS, GOES_ON, Broken, Observer, check_digest, check_files
from tests.nights.leagues import BY_RESULTS, NightLeague, draw_league
from tests.nights.machine import VirtualMachine
from tests.nights.organizer import Organizer
from tests.nights.quiet import History, QuietLeague
from tests.nights.world import Endless, Killed, Signalled, World
from tests.tournaments.leagues import SEED
from tournaments.league.deals import LeagueClosed
from tournaments.league.model import FinishedMatch, Fixture
from tournaments.play.events import EventRecorder
from tournaments.play.run import Run, open_run
from tournaments.results.league_location import NeverRun
from tournaments.results.progress import is_league_over
from tournaments.results.stored_league import open_results
from tournaments.schedule.formats import IssuedWave
from tournaments.store import Store, StoreError

MOST_RUNS = 4
MOST_QUIET_RUNS = 6
LONGEST_BREAK_MS = 1_800_000
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder in memory, where there is one


class NightReport(NamedTuple):
    """How a night went.

    Attributes:
        seed: that of the night.
        kind: the format of its league.
        strikes: how often each fault struck.
        pairs: how often a result of the second row of `RetryPolicy` came after one of the first row in a run.
        log: what happened, a line each.
        matches: how many matches counted at the end.
        waves: how many waves there were.
        broken: the invariant that does not hold; None if all do.
    """

    seed: int
    kind: str
    strikes: Counter[str]
    pairs: Counter[tuple[str, str]]
    log: Sequence[str]
    matches: int
    waves: int
    broken: Broken | None


class _Ended(NamedTuple):
    """How a run ended: with an error, or with what counts."""

    error: BaseException | None
    counted: int = 0
    abandoned: int = 0
    is_over: bool = False
    waves: int = 0
    planned: Sequence[Fixture] = ()
    digests: Sequence[tuple[str, str]] = ()


def play_night(seed: int, kind: str | None = None) -> NightReport:
    """Play the night of a seed; with `kind`, with a league of this format."""
    rng = Random(seed)
    league = draw_league(rng, kind)
    world = World(rng.getrandbits(64), draw_faults(rng))
    place = _MEMORY if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="night-", dir=place) as folder:
        night = _Night(league, world, Path(folder))
        broken = None
        try:
            with _scratch_in(night.scratch), night.disk.mounted():
                night.play()
        except Broken as error:
            world.note(f"BROKEN  {error}")
            broken = error
    log = [line.replace(folder, "") for line in world.log]
    return NightReport(seed, league.kind, world.strikes, world.pairs, log, night.matches, night.waves, broken)


@contextmanager
def _scratch_in(folder: Path) -> Iterator[None]:
    """Have temporary files made in this folder."""
    folder.mkdir()
    usual, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = usual


class _Night:
    def __init__(self, league: NightLeague, world: World, folder: Path) -> None:
        self._league = league
        self._world = world
        self._folder = folder
        self.scratch = folder / "scratch"
        self._file = folder / "store.sqlite"
        self._url = f"sqlite:///{self._file}"
        self.disk = Disk(world)
        self._results = Matches(league)
        self._observer = Observer(league, world, self._file)
        self._organizer = Organizer(league, world, self._url, self._check_stands)
        self._left: list[str] = []
        self._is_quiet = False
        self.matches = self.waves = 0

    def play(self) -> None:
        """The night, and the quiet phase after it."""
        world = self._world
        world.on_kill = self._remember_files
        world.note(
            f"a {self._league.kind} league, {len(self._league.league.entries)} bots, {self._league.workers} workers"
        )
        for entry, percent in self._league.failing.items():
            world.note(f"{entry} fails in {percent} % of its matches")
        for fault, windows in world.plan.lasting.items():
            world.note(f"planned: {fault}: " + ", ".join(f"{a / 1000:.1f} to {b / 1000:.1f} s" for a, b in windows))
        for number in range(1, world.rng.randint(2, MOST_RUNS) + 1):
            ended = self._run(number)
            if ended.is_over and not ended.abandoned and not self._organizer.due:
                break
            world.pass_ms(round(LONGEST_BREAK_MS ** world.rng.random()))
            if self._organizer.act_alone():
                self._observer.read()
        self._finish()

    # The quiet phase

    def _finish(self) -> None:
        """Everything works again, and the league must come to its end."""
        world = self._world
        world.note("--- from here on all is quiet")
        world.plan = QUIET
        self._is_quiet = True
        self._organizer.finish()
        ended = self._play_to_the_end()
        if self._organizer.act_after_the_end():
            ended = self._play_to_the_end()
        self._check_stands()
        self._check_end(ended)

    def _play_to_the_end(self) -> _Ended:
        """Run while all is quiet, until the league is over. Returns how the last run ended."""
        for _ in range(MOST_QUIET_RUNS):
            ended = self._run(0)
            if isinstance(ended.error, LeagueClosed) and self._observer.rows.is_closed:
                return ended
            if ended.error is not None:
                raise Broken(GOES_ON, f"all is quiet, and a run ends with: {ended.error!r}")
            # What was abandoned in a wave from which another one followed stays abandoned: its deals are closed.
            if not (ended.abandoned and self._organizer.give("takes abandoned matches up", self._organizer.retry)):
                if not ended.is_over:
                    raise Broken(GOES_ON, "all is quiet, and a run ends, although the league is not over")
                return ended
        raise Broken(ENDS, f"the league is not over after {MOST_QUIET_RUNS} quiet runs")

    def _check_end(self, ended: _Ended) -> None:
        rows = self._observer.read()
        check_files(self._folder, self.scratch, self._league.league.name, self._file)
        if rows.is_closed:
            self._world.note("the league is closed")
            return
        self.matches, self.waves = ended.counted, ended.waves
        quiet_issues, expected = self._quiet(self._observer.check_over(ended.planned, rows))
        self._world.note(f"{self.matches} matches count, in {self.waves} waves")
        if list(quiet_issues) != list(rows.issues):
            number = sum(1 for a, b in zip(quiet_issues, rows.issues, strict=False) if a == b)
            waves = f"{len(rows.issues)}; a quiet run has {len(quiet_issues)}"
            raise Broken(DIGEST, f"wave {number + 1} of {waves}, and another one")
        check_digest(expected, ended.digests)

    def _quiet(self, abandoned: Set[str]) -> tuple[Sequence[IssuedWave], Sequence[tuple[str, str]]]:
        """What becomes of the league in a quiet night with the same history: its waves, and what counts."""
        league = self._league.league
        with Store(self._url, league.name) as store:
            before = self._organizer.waves_before
            reinstated = {entry: (found.deal, before[entry]) for entry, found in store.reinstated().items()}
            history = History(store.changes(), reinstated, abandoned)
        quiet = QuietLeague(league, SEED, self._results, history)
        counted = quiet.play()
        return quiet.issues, counted

    # One run

    def _run(self, number: int) -> _Ended:
        world = self._world
        world.note(f"--- run {number or 'in quiet'}")
        world.begin_run()
        try:
            ended = self._play()
        except (Killed, Signalled) as error:
            ended = _Ended(error)
        except UserError as error:
            ended = _Ended(error)
            if not str(error):
                raise Broken(ENDS, f"a run stops without a reason: {error!r}") from error
        except Endless as error:
            raise Broken(ENDS, f"a run does not end: {error}") from error
        except Broken:
            raise
        except Exception as error:
            raise Broken(ENDS, f"a run ends with a traceback: {error!r}") from error
        finally:
            was_killed = world.killed
            world.end_run()
        if was_killed:
            self._leave_files()
        world.note(
            "the run ended: "
            + (repr(ended.error) if ended.error else f"{ended.counted} matches count, {ended.abandoned} abandoned")
        )
        self._observer.read()
        self._check_stands()
        return ended

    def _check_stands(self) -> None:
        if self._league.kind not in BY_RESULTS:
            return
        with (
            contextlib.suppress(NeverRun, StoreError),
            self._world.aside(),
            open_results(self._league.league, self._url) as results,
        ):
            self._observer.check_stands(results)

    def _play(self) -> _Ended:
        organizer, begin = self._organizer, self._observer.begin
        act = organizer.act_at_decision
        machine = VirtualMachine(self._world, self._league, self._results, begin, self._between_waves, act)
        with open_run(self._league.league, self._url, machine) as run:
            recorder = EventRecorder(self._league.league.name, run.results.state)
            for result in run.play():
                for event in recorder.take(result):
                    self._observer.note_event(event)
                if isinstance(result, FinishedMatch):
                    self._observer.tell(result)
                organizer.act()
            verdict = run.results.state.verdict()
            if not verdict.remaining:
                with self._world.aside():
                    self._observer.check_end(run.results)
            abandoned, waves = len(verdict.abandoned), run.results.state.plan.waves
            if not self._is_quiet:  # to ask whether a league is over takes long where ratings decide it
                return _Ended(None, verdict.counted, abandoned, not verdict.remaining and not verdict.undecided)
            if is_league_over(run.results):
                if not organizer.may_change_suspensions:
                    self._observer.check_told(run.results, self._observer.rows)
                self._observer.check_departures(run.results, organizer.departures)
                self._observer.check_arrivals(self._observer.rows, organizer.arrivals)
            planned = [fixture for wave in waves for fixture in wave]
            return _Ended(
                None, verdict.counted, abandoned, is_league_over(run.results), len(waves), planned, _digests(run)
            )

    def _between_waves(self) -> None:
        self._world.step()
        self._organizer.act_at_decision()

    # What a killed run leaves

    def _remember_files(self) -> None:
        self._left = [path.name for path in self.scratch.iterdir()]

    def _leave_files(self) -> None:
        """Put back what the clean-up removed, since a killed run cleans nothing up."""
        for name in self._left:
            (self.scratch / name).mkdir(exist_ok=True)
            (self.scratch / name / ".run").write_text(name)


def _digests(run: Run) -> list[tuple[str, str]]:
    return [(fixture.id, played.digest) for fixture, played in run.results.state.counted()]
