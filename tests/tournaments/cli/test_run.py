"""`league run` as a process: killed, stopped, refused, out of space. No process and no file is left behind."""

import os
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.cli.command import GAME, finish, referee
from tests.conftest import Tell
from tests.runtime.rogues import eventually
from tests.tournaments.arena import alive
from tests.tournaments.cli.runs import Place, wait_until
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tournaments.play.loop import MOST
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.store.pinned_league import contents

pytestmark = pytest.mark.process

KILLS = int(os.environ.get("REFEREE_TEST_KILLS", "1"))
"""How often the runner is killed. Once is enough for everyday runs of the suite; `make ci-soak` kills it 30 times."""

WORKERS = 2
DEALS = max(8, 4 * KILLS)
MATCHES = 2 * DEALS


@pytest.fixture
def place(tmp_path: Path, scratch: Path, url: str) -> Place:
    """A league in a store of each kind."""
    return Place(tmp_path, scratch, 1, DEALS, url)


@pytest.fixture
def slow(tmp_path: Path, scratch: Path) -> Place:
    """A league that lasts until it is stopped. Its store is where a run makes one."""
    return Place(tmp_path, scratch, 50, DEALS)


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the league if one worker plays it undisturbed, in a SQLite file."""
    with tempfile.TemporaryDirectory(prefix="rt-") as scratch:
        place = Place(tmp_path_factory.mktemp("undisturbed"), Path(scratch), 0, DEALS)
        ended = place.ask("run", "--workers", "1")
        assert ended.code == 0, ended.err
        assert ended.out.endswith(f"digest: {place.digest()}\n")
        assert "SHA-256 of the seed" in ended.err
        assert "done; the seed was" in ended.err
        return place.digest()


@pytest.mark.slow
def test_two_workers_come_to_the_same_digest_and_a_second_run_has_nothing_to_do(place: Place, digest: str) -> None:
    assert place.ask("run", "--workers", "2").code == 0
    assert place.digest() == digest
    assert place.ask("run").code == 0
    assert place.begun() == MATCHES


@pytest.mark.slow
def test_runners_killed_at_any_point_lose_nothing_double_nothing_and_leave_nothing(
    place: Place, digest: str, tell: Tell
) -> None:
    rng = Random(7)
    stored: dict[str, int] = {}
    for _ in range(KILLS):
        process = place.start("--workers", str(WORKERS))
        enough = place.begun() + rng.randrange(1, 6)
        wait_until(lambda enough=enough: place.begun() >= enough, process)  # type: ignore[misc]
        time.sleep(rng.random() * 0.15)  # matches are stored up to 50 ms after they end
        process.kill()
        finish(process)
        assert stored.items() <= place.stored_ms().items()
        stored = place.stored_ms()
    ended = place.run("--workers", str(WORKERS))
    assert ended.code == 0
    assert stored.items() <= place.stored_ms().items()
    assert place.digest() == digest
    # At each kill, what was not stored yet is lost: what each worker plays, and one group of results.
    assert place.begun() - MATCHES <= KILLS * (WORKERS + MOST)
    assert place.left_behind() == []
    tell("runners killed at any point", {"kills": KILLS, "matches stored": MATCHES})


@pytest.mark.parametrize(
    ("numbers", "codes"),
    [
        ((signal.SIGINT,), {130}),
        pytest.param((signal.SIGHUP,), {129}, marks=pytest.mark.slow),
        # Signals that are pending together arrive in any order. The first one counts.
        pytest.param((signal.SIGTERM, signal.SIGINT, signal.SIGTERM), {130, 143}, marks=pytest.mark.slow),
    ],
)
def test_a_signal_stops_a_run_cleanly_and_says_how_to_go_on(
    slow: Place, numbers: tuple[signal.Signals, ...], codes: set[int]
) -> None:
    process = slow.start("--workers", "2", "--store", "sqlite:///here.sqlite")
    wait_until(lambda: slow.begun() >= 2, process)
    for number in numbers:
        process.send_signal(number)
    ended = finish(process)
    assert ended.code in codes
    place = f"stopped; what was played is kept in {slow.folder}/here.sqlite. Go on with: "
    assert ended.err.endswith(f"{place}referee league run autumn.toml --workers 2 --store sqlite:///here.sqlite\n")
    assert "Traceback" not in ended.err
    assert slow.left_behind() == []


@pytest.mark.slow
def test_a_signal_while_workers_are_started_leaves_nothing_either(slow: Place) -> None:
    process = slow.start("--workers", "4")
    assert process.stderr is not None
    while "SHA-256" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGTERM)
    ended = finish(process)
    assert ended.code == 143
    assert "Traceback" not in ended.err
    assert slow.left_behind() == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_whole_group_makes_no_match_void(slow: Place, number: signal.Signals) -> None:
    process = slow.start("--workers", "2", prefix=("setsid",))
    wait_until(lambda: slow.begun() >= 2, process)
    os.killpg(process.pid, number)
    ended = finish(process)
    assert ended.code == 128 + number
    assert "void" not in ended.err
    assert "Go on with: " in ended.err
    assert slow.left_behind() == []
    assert slow.ask("status", "--json").json["progress"]["void"] == 0


@pytest.mark.slow
def test_a_run_that_was_started_with_nohup_outlives_its_terminal(tmp_path: Path, scratch: Path) -> None:
    place = Place(tmp_path, scratch, 20, 2)
    process = place.start("--workers", "2", prefix=("setsid", "env", "--ignore-signal=HUP"))
    wait_until(lambda: place.begun() >= 2, process)
    os.killpg(process.pid, signal.SIGHUP)
    ended = finish(process)
    assert ended.code == 0
    assert "void" not in ended.err


def test_a_second_runner_is_refused_and_told_of_the_first(tmp_path: Path, scratch: Path, url: str) -> None:
    place = Place(tmp_path, scratch, 0, 1, url)
    with open_run(league_in(place.folder / "autumn.toml"), url, FakeMachine(FakeExecutor(game=GAME), contents)):
        second = place.ask("run", "--workers", "1")
    assert second.code == 2
    assert second.err.startswith(f"process {os.getpid()} on ")
    assert len(second.err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("link", "said"), [(os.symlink, "has been playing this league"), (os.link, "2 names")])
def test_a_second_runner_is_refused_under_another_name_of_the_store(
    slow: Place, link: Callable[[Path, Path], None], said: str
) -> None:
    process = slow.start("--workers", "1")
    wait_until(lambda: slow.begun() >= 1, process)
    link(slow.folder / "autumn.sqlite", slow.folder / "other.sqlite")
    url = f"sqlite:///{slow.folder / 'other.sqlite'}"
    second = referee("league", "run", slow.folder / "autumn.toml", "--workers", "1", "--store", url)
    process.terminate()
    finish(process)
    assert second.code == 2
    assert said in second.err
    assert len(second.err.splitlines()) == 1


@pytest.mark.slow
def test_a_run_whose_store_is_removed_stops_and_does_not_say_that_it_is_done(slow: Place) -> None:
    process = slow.start("--workers", "1")
    wait_until(lambda: slow.begun() >= 1, process)
    (slow.folder / "autumn.sqlite").unlink()
    ended = finish(process)
    assert ended.code == 3
    assert "was removed or replaced while it was written" in ended.err
    assert slow.left_behind() == []


@pytest.mark.slow
def test_a_full_disk_stops_a_run_with_one_sentence_and_the_next_run_goes_on(
    tmp_path: Path, scratch: Path, digest: str
) -> None:
    place = Place(tmp_path, scratch, 1, DEALS)
    ended = place.run("--workers", "1", prefix=("prlimit", "--fsize=300000"))
    assert ended.code == 3
    *_, failed, go_on = ended.err.splitlines()
    assert failed.startswith("the store sqlite:///autumn.sqlite could not be written: ")
    assert failed.endswith("; free space on the disk, then the same command goes on")
    command = "referee league run autumn.toml --workers 1"
    assert go_on == f"what was played is kept in {place.folder}/autumn.sqlite. Go on with: {command}"
    assert "Traceback" not in ended.err
    assert place.left_behind() == []
    stored = place.stored_ms()
    assert 0 < len(stored) < MATCHES
    assert place.ask("run", "--workers", "1").code == 0
    assert stored.items() <= place.stored_ms().items()
    assert place.digest() == digest


@pytest.mark.slow
def test_bots_of_workers_that_are_killed_with_their_runner_die_too(slow: Place) -> None:
    process = slow.start("--workers", "2")
    wait_until(lambda: slow.begun() >= 2, process)
    assert len(alive(slow.scratch)) >= 5  # the runner, two workers, bots
    process.kill()
    finish(process)
    assert eventually(lambda: not alive(slow.scratch))
