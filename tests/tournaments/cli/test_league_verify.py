"""`league verify` as a process: what it shows, and that nothing is left of it when it is stopped or killed."""

import contextlib
import io
import re
import signal
import subprocess
from pathlib import Path

import pytest

from referee.cli.console import Console
from tests.cli.command import BOTS, GAME, Ended, finish, referee, start
from tests.runtime.rogues import eventually
from tests.tournaments.arena import alive, write_league
from tests.tournaments.cli.runs import wait_until
from tests.tournaments.fakes import FakeExecutor, FakeMachine, bids_high
from tournaments.cli import maintenance as commands
from tournaments.cli import progress
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.results.verify import PART
from tournaments.store.pinned_league import contents


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A league of three parts, played."""
    return played(tmp_path, PART + 5)


def played(folder: Path, deals: int) -> Path:
    file = write_league(folder / "autumn.toml", [BOTS / "random", BOTS / "greedy"], deals=deals)
    bots = {"random@1": bids_high, "greedy@1": bids_high}
    league = league_in(file)
    machine = FakeMachine(FakeExecutor(bots, game=GAME, together=100, clock=league.clock), contents)
    with open_run(league, f"sqlite:///{folder / 'autumn.sqlite'}", machine) as run:
        assert sum(1 for _ in run.play()) == 2 * deals
    return folder


def children(process: "subprocess.Popen[str]") -> list[str]:
    """The command lines of the processes that it started."""
    pids = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    found = []
    for pid in pids:
        with contextlib.suppress(OSError):  # it ended while we looked
            found.append(Path(f"/proc/{pid}/cmdline").read_text())
    return found


@pytest.mark.slow
@pytest.mark.process
def test_stopped_it_says_one_sentence_and_neither_then_nor_killed_does_it_leave_a_process(
    folder: Path, scratch: Path
) -> None:
    def stopped(number: signal.Signals) -> Ended:
        process = start(folder, scratch, "league", "verify", "autumn.toml", "--workers", "2")
        wait_until(lambda: sum("spawn_main" in command for command in children(process)) == 2, process)
        process.send_signal(number)
        return finish(process)

    for number, code, said in ((signal.SIGINT, 130, "stopped before it was done\n"), (signal.SIGKILL, -9, "")):
        tries = (stopped(number) for _ in range(5))
        ended = next(ended for ended in tries if ended.code != 0)  # on a busy machine it may be done before that
        assert ended.code == code
        assert ended.err == said or number == signal.SIGKILL  # of a killed one Python says what it left to itself
        assert eventually(lambda: not alive(scratch))


def test_on_a_terminal_a_bar_counts_the_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = io.StringIO()
    terminal = Console(file=screen, width=40, force_terminal=True, soft_wrap=True)
    monkeypatch.setattr(progress, "err", terminal)
    monkeypatch.setattr(commands, "err", terminal)
    file = played(tmp_path, 3) / "autumn.toml"
    ended = referee("league", "verify", file, "--store", f"sqlite:///{tmp_path / 'autumn.sqlite'}")
    assert (ended.out, ended.err, capsys.readouterr().err) == ("6 matches checked: all hold\n", "", "")
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())
    lines = [line.strip() for line in re.split(r"[\r\n]", shown) if line.strip()]
    assert lines[0].endswith("0 of 6")
    assert lines[-1].endswith("6 of 6")


def test_more_workers_than_the_machine_can_use_are_refused(tmp_path: Path) -> None:
    file = played(tmp_path, 1) / "autumn.toml"
    ended = referee("league", "verify", file, "--store", f"sqlite:///{tmp_path / 'autumn.sqlite'}", "--workers", "999")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("999 workers are too many for ")
