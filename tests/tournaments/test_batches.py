"""Leagues that are played in batches: the same results as singly, whatever goes wrong in a batch."""

import json
import multiprocessing
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.shell.test_batches import BATCHER
from tests.tournaments.arena import PATIENT, alive
from tournaments.kept import league_in
from tournaments.machine import ThisMachine
from tournaments.run import to_play
from tournaments.store import Store

pytestmark = pytest.mark.process

HURRIED = "[clock]\nmove_ms = 700\nstart_ms = 300_000\n"


@pytest.fixture
def run_dir(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """All temporary files are in here. No process uses it when a test ends."""
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)
        assert alive(Path(folder)) == []


def league_file(folder: Path, how: str, batch: int, deals: int = 12, clock: str = PATIENT) -> Path:
    """A league of two bots, of which the second misbehaves."""
    bots = ""
    for name, manner in (("good", "right"), ("other", how)):
        bot = folder / name
        bot.mkdir(exist_ok=True)
        words = ["{python}", str(BATCHER), "{address}", manner, name]
        (bot / "bot.toml").write_text(
            f'name = "{name}"\nversion = "1"\nauthor = "tests"\ngames = ["*"]\nrun = {json.dumps(words)}\n'
        )
        bots += f"[[bots]]\npath = {json.dumps(str(bot))}\n"
    file = folder / f"batch-{batch}.toml"
    file.write_text(
        f'name = "b"\ngame = "agent-avenue"\ndeals = {deals}\nseed = "7"\nrehearsal = true\nsandbox = "none"\n'
        f'batch = {batch}\n{clock}{bots}[[tables]]\nname = "simple"\nseats = 2\n'
    )
    return file


def play(file: Path, workers: int, tell: Callable[[int], None] = lambda _: None) -> tuple[str, int, dict[str, int]]:
    """The league's digest, how many matches were void, and how many batches each entry has broken."""
    store = f"sqlite:///{file.with_suffix('.sqlite')}"
    with to_play(league_in(file), store, ThisMachine(workers)) as run:
        for number, _ in enumerate(run.play(), 1):
            tell(number)
        found = run.standings()
    with Store(store, "b") as kept:
        return found.digest, found.matches.void, kept.broken_batches()


@pytest.mark.usefixtures("run_dir")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_league_in_batches_has_the_digest_of_the_league_without(workers: int, tmp_path: Path) -> None:
    alone = play(league_file(tmp_path, "right", 1), 1)
    assert play(league_file(tmp_path, "right", 4), workers) == alone


@pytest.mark.usefixtures("run_dir")
@pytest.mark.parametrize("how", ["dies_in_some", "errs_in_some", "hangs_in_some"])
def test_a_bot_that_fails_in_some_matches_fails_in_the_same_ones_in_batches(how: str, tmp_path: Path) -> None:
    clock = HURRIED if how == "hangs_in_some" else PATIENT
    digest, void, _ = play(league_file(tmp_path, how, 1, clock=clock), 1)
    found, void_in_batches, broken = play(league_file(tmp_path, how, 4, clock=clock), 2)
    assert (found, void_in_batches, void) == (digest, 0, 0)
    assert set(broken) == {"other@1"}
    assert 1 <= broken["other@1"] <= 4  # the third is not known to the other worker while it plays


@pytest.mark.usefixtures("run_dir")
def test_a_bot_that_breaks_every_batch_plays_singly_after_the_third(tmp_path: Path) -> None:
    digest, *_ = play(league_file(tmp_path, "dies", 1, deals=24), 2)
    assert play(league_file(tmp_path, "dies", 4, deals=24), 1) == (digest, 0, {"other@1": 3})  # in four sittings


@pytest.mark.usefixtures("run_dir")
def test_a_bot_that_hangs_in_batches_alone_loses_nothing(tmp_path: Path) -> None:
    digest, *_ = play(league_file(tmp_path, "right", 1, deals=8), 2)
    file = league_file(tmp_path, "says_nothing", 4, deals=8, clock=HURRIED)
    found, void, broken = play(file, 1)
    assert (void, broken) == (0, {"other@1": 2})
    assert found == digest


@pytest.mark.usefixtures("run_dir")
def test_a_worker_that_is_lost_in_a_batch_costs_no_match_and_nobody_is_to_blame(tmp_path: Path) -> None:
    digest, *_ = play(league_file(tmp_path, "right", 1), 1)

    def kill(number: int) -> None:
        if number in (3, 14):
            for worker in multiprocessing.active_children()[:1]:
                os.kill(worker.pid or 0, signal.SIGKILL)

    assert play(league_file(tmp_path, "right", 8), 1, kill)[::2] == (digest, {})


@pytest.mark.usefixtures("run_dir")
def test_a_run_that_ends_in_the_middle_of_batches_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    digest, *_ = play(league_file(tmp_path, "right", 1), 1)
    file = league_file(tmp_path, "right", 8)

    def stop(number: int) -> None:
        if number == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(file, 2, stop)
    assert play(file, 2) == (digest, 0, {})
