"""Leagues that are played in batches: the same results as singly, whatever goes wrong in a batch."""

import json
import multiprocessing
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.match.conversation import Chosen, Failed, Reply
from referee.match.match import Ask
from referee.match.transcript import FaultKind, Header
from tests.runtime.test_batches import BATCHER
from tests.tournaments.arena import PATIENT, alive
from tests.tournaments.exporting import AVENUE
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tournaments.league.model import Fixture
from tournaments.play.environment import LocalEnvironment
from tournaments.play.match_results import Result
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in
from tournaments.store import Store

pytestmark = pytest.mark.process

HURRIED = "[clock]\nmove_ms = 700\nstart_ms = 300_000\n"


@pytest.fixture
def run_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """All temporary files are in here, but the folder of the test. No process uses it when a test ends."""
    assert tmp_path.exists()
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
    with open_run(league_in(file), store, LocalEnvironment(workers)) as run:
        for number, _ in enumerate(run.play(), 1):
            tell(number)
        found = league_standings(run.results)
    with Store(store, "b") as kept:
        return found.digest, found.void, kept.broken_batches()


def right(ask: Ask, _seed: str) -> Reply:
    """The choice of an honest batcher."""
    return Chosen(ask.number % len(ask.legal))


FAULTS = {
    "dies_in_some": FaultKind.CRASH,
    "errs_in_some": FaultKind.ILLEGAL,
    "hangs_in_some": FaultKind.TIMEOUT,
}


class OnPaper(FakeExecutor):
    """Plays in this process what the two bots play singly. What they do wrong in batches only, they do not do."""

    def __init__(self, how: str) -> None:
        super().__init__({"good@1": right, "other@1": self._other}, game=AVENUE)
        self._fault = FAULTS.get(how)
        self._marked = False

    def _play(self, fixture: Fixture, header: Header) -> Result:
        self._marked = bytes.fromhex(header.match_id)[0] % 8 == 3
        return super()._play(fixture, header)

    def _other(self, ask: Ask, seed: str) -> Reply:
        if self._fault and self._marked and ask.number == 2:
            return Failed(self._fault, "")
        return right(ask, seed)


def singly(file: Path, how: str) -> str:
    """The digest of the same league if each match is played for itself."""
    with open_run(league_in(file), f"sqlite:///{file.with_suffix(f'.{how}')}", FakeMachine(OnPaper(how))) as run:
        for _ in run.play():
            pass
        return league_standings(run.results).digest


@pytest.mark.slow
@pytest.mark.usefixtures("run_dir")
def test_singly_processes_come_to_the_digest_that_is_held_against_batches(tmp_path: Path) -> None:
    file = league_file(tmp_path, "dies_in_some", 1, deals=8)
    assert play(file, 2) == (singly(file, "dies_in_some"), 0, {})


@pytest.mark.usefixtures("run_dir")
@pytest.mark.parametrize("workers", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_a_league_in_batches_has_the_digest_of_the_league_without(workers: int, tmp_path: Path) -> None:
    file = league_file(tmp_path, "right", 4)
    assert play(file, workers) == (singly(file, "right"), 0, {})


@pytest.mark.slow
@pytest.mark.usefixtures("run_dir")
@pytest.mark.parametrize(
    "how", [how if how == "dies_in_some" else pytest.param(how, marks=pytest.mark.slow) for how in FAULTS]
)
def test_a_bot_that_fails_in_some_matches_fails_in_the_same_ones_in_batches(how: str, tmp_path: Path) -> None:
    file = league_file(tmp_path, how, 4, deals=8, clock=HURRIED if how == "hangs_in_some" else PATIENT)
    found, void, broken = play(file, 2 if how == "dies_in_some" else 1)
    assert (found, void) == (singly(file, how), 0)
    assert found != singly(file, "right")
    assert set(broken) == {"other@1"}
    assert 1 <= broken["other@1"] <= 4  # the third is not known to the other worker while it plays


@pytest.mark.slow
@pytest.mark.usefixtures("run_dir")
def test_a_bot_that_breaks_every_batch_plays_singly_after_the_third(tmp_path: Path) -> None:
    file = league_file(tmp_path, "dies", 4, deals=24)
    assert play(file, 1) == (singly(file, "dies"), 0, {"other@1": 3})  # in four sittings


@pytest.mark.slow
@pytest.mark.usefixtures("run_dir")
def test_a_bot_that_hangs_in_batches_alone_loses_nothing(tmp_path: Path) -> None:
    file = league_file(tmp_path, "says_nothing", 4, deals=8, clock=HURRIED)
    assert play(file, 1) == (singly(file, "says_nothing"), 0, {"other@1": 3})


@pytest.mark.slow
@pytest.mark.usefixtures("run_dir")
def test_a_worker_that_is_lost_in_a_batch_costs_no_match_and_nobody_is_to_blame(tmp_path: Path) -> None:
    def kill(number: int) -> None:
        if number in (3, 14):
            for worker in multiprocessing.active_children()[:1]:
                os.kill(worker.pid or 0, signal.SIGKILL)

    file = league_file(tmp_path, "right", 8)
    assert play(file, 1, kill)[::2] == (singly(file, "right"), {})


@pytest.mark.slow
@pytest.mark.usefixtures("run_dir")
def test_a_run_that_ends_in_the_middle_of_batches_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    file = league_file(tmp_path, "right", 8)

    def stop(number: int) -> None:
        if number == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(file, 2, stop)
    assert play(file, 2) == (singly(file, "right"), 0, {})
