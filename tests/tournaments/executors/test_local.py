"""Workers and bots as real processes."""

import multiprocessing
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.shell.confinement import Unconfined
from referee.wire.registry import games
from tests.tournaments.arena import alive, starts, write_bot, write_league
from tests.tournaments.no_time import NoTime
from tournaments import league as leagues
from tournaments import seeding
from tournaments.config import read_league
from tournaments.digest import league_digest
from tournaments.executors.local import LocalExecutor, WorkerBug, WorkersFail, may_begin
from tournaments.executors.work import Result, Voided, Work, work_of
from tournaments.model import Entry, Fixture, League, Remote, Sitting
from tournaments.schedule import plan, sittings
from tournaments.store import Store

pytestmark = pytest.mark.process


@pytest.fixture
def run_dir() -> Iterator[Path]:
    """A folder of a short name, since the path of a socket may not be long; nothing lives in it when a test ends."""
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        yield Path(folder)
        assert alive(Path(folder)) == []
        assert list(Path(folder).iterdir()) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("local")


@pytest.fixture(scope="module")
def league(folder: Path) -> League:
    bots = [write_bot(folder / name, name, folder / "log") for name in ("ann", "bob")]
    file = write_league(folder / "local.toml", bots, deals=12)
    return read_league(file, {name: entry.game for name, entry in games().items()})


def play(league: League, folder: Path, executor: LocalExecutor, tell: Callable[[Result], None]) -> tuple[str, int]:
    """The digest of the league played by `executor`, and how many matches were void."""
    with Store(f"sqlite:///{folder / 'store.sqlite'}", league.name) as store:
        pinned = store.open_league(league, {entry.name: "tree" for entry in league.entries}, b"", 0)
        season = leagues.season_of(league, store, store.results())
        leagues.play(league, pinned, store, season, executor, NoTime(), tell)
        results = {played.fixture: played.digest for played in store.results()}
        return league_digest((fixture.id, results[fixture.id]) for fixture in plan(league)), len(store.voids())


@pytest.fixture(scope="module")
def digest(league: League, folder: Path) -> str:
    """Of the league, played by one worker."""
    with (
        tempfile.TemporaryDirectory(prefix="rt-") as run_dir,
        LocalExecutor(work_of(league), 1, Path(run_dir)) as executor,
    ):
        found, voids = play(league, folder, executor, lambda _: None)
    assert voids == 0
    assert set(starts(folder / "log", "ann").values()) == {1}
    return found


def kill_a_worker() -> None:
    worker = multiprocessing.active_children()[0]
    os.kill(worker.pid or 0, signal.SIGKILL)


def test_two_workers_play_what_one_plays(league: League, tmp_path: Path, run_dir: Path, digest: str) -> None:
    with LocalExecutor(work_of(league), 2, run_dir) as executor:
        assert play(league, tmp_path, executor, lambda _: None) == (digest, 0)


def test_a_worker_that_is_killed_costs_one_void_match_which_is_played_again(
    league: League, tmp_path: Path, run_dir: Path, digest: str
) -> None:
    told: list[Result] = []

    def tell(result: Result) -> None:
        told.append(result)
        if len(told) in (5, 12):
            kill_a_worker()

    with LocalExecutor(work_of(league), 1, run_dir) as executor:
        assert play(league, tmp_path, executor, tell) == (digest, 2)
    lost = [result for result in told if isinstance(result, Voided)]
    assert [result.reason for result in lost] == ["a worker process was lost"] * 2
    assert multiprocessing.active_children() == []


def test_three_workers_lost_in_a_row_stop_the_run(league: League, tmp_path: Path, run_dir: Path) -> None:
    with pytest.raises(WorkersFail, match="3 workers in a row"), LocalExecutor(work_of(league), 1, run_dir) as executor:
        play(league, tmp_path, executor, lambda _: kill_a_worker())
    assert multiprocessing.active_children() == []


def test_an_error_in_a_worker_stops_the_run_loudly_with_its_traceback(
    league: League, tmp_path: Path, run_dir: Path
) -> None:
    gone = {entry.name: Entry(entry.name, str(tmp_path / "gone")) for entry in league.entries}
    nowhere = Work(league.game, league.clock, gone, Unconfined())
    with pytest.raises(WorkerBug) as caught, LocalExecutor(nowhere, 1, run_dir) as executor:
        play(league, tmp_path, executor, lambda _: None)
    assert "Traceback" in str(caught.value)
    assert "gone: there is no such folder" in str(caught.value)


def test_the_next_match_begins_when_the_last_was_taken_and_what_is_not_wanted_is_left_out(
    folder: Path, league: League, run_dir: Path
) -> None:
    wanted = {fixture.id for fixture in plan(league)[6:10]}
    begun_before = starts(folder / "log", "ann").total()
    with LocalExecutor(work_of(league), 1, run_dir) as executor:
        results = executor.play(
            sittings(plan(league)),
            lambda fixture: seeding.header(league, bytes(32), fixture),
            lambda fixture: fixture.id in wanted,
        )
        taken = []
        for result in results:
            taken.append(result.fixture.id)
            assert starts(folder / "log", "ann").total() - begun_before == len(taken)
    assert set(taken) == wanted


def test_leaving_in_the_middle_ends_worker_and_bots(league: League, run_dir: Path) -> None:
    with LocalExecutor(work_of(league), 1, run_dir) as executor:
        results = executor.play(
            sittings(plan(league)), lambda fixture: seeding.header(league, bytes(32), fixture), lambda _: True
        )
        next(results)
        assert len(alive(run_dir)) == 2  # the bots


def sitting_of(*names: str) -> Sitting:
    return Sitting("+".join(names), (Fixture("id", "table", names, 0, 0),))


NEAR, FAR = Entry("near@1", "/bots/near"), Entry("far@1", "grpcs://far:1", Remote(parallel=2))
ENTRIES = {entry.name: entry for entry in (NEAR, FAR)}


@pytest.mark.parametrize(
    ("names", "held", "may"),
    [
        (("near@1", "near@1"), {"near@1": 9, "far@1": 9}, True),
        (("near@1", "far@1"), {}, True),
        (("near@1", "far@1"), {"far@1": 1}, True),
        (("near@1", "far@1"), {"far@1": 2}, False),
        (("far@1", "far@1"), {"far@1": 1}, False),
        (("far@1", "far@1", "far@1"), {}, True),  # more than it should hold, but it must be played some time
        (("far@1", "far@1", "far@1"), {"far@1": 1}, False),
    ],
)
def test_a_sitting_may_begin_if_no_remote_bot_holds_more_seats_than_it_should(
    names: tuple[str, ...], held: dict[str, int], may: bool
) -> None:
    assert may_begin(sitting_of(*names), Counter(held), ENTRIES) is may
