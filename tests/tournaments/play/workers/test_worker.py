"""A worker without the executor: this test is its runner."""

import multiprocessing
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.tournaments.arena import alive, work, write_bot, write_league
from tests.tournaments.leagues import plan
from tournaments.league import league_seed
from tournaments.league.model import League
from tournaments.play.workers import worker
from tournaments.play.workers.worker_messages import Alive, EndProcesses, Job, Work, WorkerBug
from tournaments.results.league_location import league_in

pytestmark = pytest.mark.process

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def league(tmp_path: Path) -> League:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log", delay_ms=20) for name in ("ann", "bob")]
    return league_in(write_league(tmp_path / "small.toml", bots, deals=1))


@contextmanager
def started(played: Work | None) -> Iterator[Connection]:
    """A worker that ends with the context, by itself and without a bot of its own. Without work it fails at once."""
    ours, theirs = SPAWN.Pipe()
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        core = min(os.sched_getaffinity(0))
        process = SPAWN.Process(target=worker.main, args=(theirs, played, folder, os.getpid(), core, 0.05))
        process.start()
        theirs.close()
        yield ours
        process.join(60)
        assert process.exitcode == 0
        assert alive(Path(folder)) == []


def test_a_worker_ends_quietly_when_its_runner_leaves_without_having_read_all(
    league: League, capfd: pytest.CaptureFixture[str]
) -> None:
    with started(work(league)) as connection:
        assert connection.poll(60)
        connection.close()
    assert capfd.readouterr().err == ""


def test_a_worker_ends_quietly_when_its_runner_leaves_in_the_middle_of_a_match(
    league: League, capfd: pytest.CaptureFixture[str]
) -> None:
    with started(work(league)) as connection:
        fixture = plan(league)[0]
        connection.send(Job(1, fixture, league_seed.header(league, bytes(32), fixture)))
        for _ in range(8):  # it plays and says so
            assert isinstance(connection.recv(), Alive)
        connection.close()
    assert capfd.readouterr().err == ""


def test_a_worker_ends_quietly_when_its_runner_leaves_before_the_worker_has_said_anything(
    league: League, capfd: pytest.CaptureFixture[str]
) -> None:
    with started(work(league)) as connection:
        connection.close()
    assert capfd.readouterr().err == ""


def test_a_worker_ends_quietly_when_its_runner_leaves_while_the_processes_end(
    league: League, capfd: pytest.CaptureFixture[str]
) -> None:
    with started(work(league)) as connection:
        assert isinstance(connection.recv(), Alive)
        connection.send(EndProcesses())
        connection.close()
    assert capfd.readouterr().err == ""


def test_a_worker_that_fails_ends_quietly_when_its_runner_has_left(capfd: pytest.CaptureFixture[str]) -> None:
    with started(None) as connection:
        connection.close()
    assert capfd.readouterr().err == ""


def test_a_worker_that_fails_says_so_to_its_runner() -> None:
    with started(None) as connection:
        assert isinstance(connection.recv(), WorkerBug)
