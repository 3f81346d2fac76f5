import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tournaments.store.run_lock import LockFailed, LockHeld, RunLock, runner

HOLDER = """
import sys
from pathlib import Path
from tournaments.store.run_lock import RunLock
lock = RunLock.acquire(Path(sys.argv[1]), Path("/run/of/the/first"))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "league.lock"


@pytest.fixture
def holder(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process, which holds the lock."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.mark.process
def test_a_second_runner_is_refused_and_told_of_the_first(path: Path, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(LockHeld) as caught:
        RunLock.acquire(path, Path("/run/of/the/second"))
    text = str(caught.value)
    assert f"process {holder.pid} on {os.uname().nodename} has been playing this league since 20" in text
    assert "\n" not in text


@pytest.mark.process
def test_the_lock_of_a_killed_runner_is_free_and_says_what_it_left(path: Path, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    ended: list[Path] = []
    with RunLock.acquire(path, Path("/run/of/the/second"), ended.append):
        assert ended == [Path("/run/of/the/first")]


@pytest.mark.process
def test_what_a_killed_runner_left_is_ended_before_its_name_is_gone_from_the_lock(
    path: Path, holder: subprocess.Popen[str]
) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    named: list[bytes] = []
    with RunLock.acquire(path, Path("/run/of/the/second"), lambda _: named.append(path.read_bytes())):
        assert b"/run/of/the/first" in named[0]
        assert b"/run/of/the/second" in path.read_bytes()


def test_a_lock_given_up_is_free_and_leaves_nothing(path: Path) -> None:
    RunLock.acquire(path, Path("/first")).release()
    ended: list[Path] = []
    with RunLock.acquire(path, Path("/second"), ended.append):
        assert ended == []


def test_one_process_cannot_take_it_twice_and_a_refusal_harms_nothing(path: Path) -> None:
    with RunLock.acquire(path, Path("/first")):
        for _ in range(2):
            with pytest.raises(LockHeld, match=str(os.getpid())):
                RunLock.acquire(path, Path("/second"))


def test_giving_up_twice_does_not_take_it_from_the_next(path: Path) -> None:
    first = RunLock.acquire(path, Path("/first"))
    first.release()
    with RunLock.acquire(path, Path("/second")):
        first.release()
        with pytest.raises(LockHeld):
            RunLock.acquire(path, Path("/third"))


def test_a_file_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LockFailed, match=r"nowhere/league\.lock cannot be used: No such file"):
        RunLock.acquire(tmp_path / "nowhere" / "league.lock", Path("/run"))


@pytest.mark.process
def test_who_looks_at_a_lock_sees_the_runner_and_takes_nothing(path: Path, holder: subprocess.Popen[str]) -> None:
    found = runner(path)
    assert found is not None
    assert (found.pid, found.host) == (holder.pid, socket.gethostname())
    content = path.read_bytes()
    with pytest.raises(LockHeld):
        RunLock.acquire(path, Path("/run"))
    assert path.read_bytes() == content
    holder.kill()
    holder.wait()
    assert path.read_bytes() == content  # it could not tidy up
    assert runner(path) is None


def test_no_file_an_empty_one_and_one_of_a_process_that_has_another_file_open_mean_no_runner(path: Path) -> None:
    assert runner(path) is None
    with RunLock.acquire(path, Path("/run")):
        holder = runner(path)
        content = path.read_bytes()
    assert holder is not None
    assert holder.pid == os.getpid()
    assert runner(path) is None
    path.write_bytes(content)  # as if the number of a killed runner were given to this process
    assert runner(path) is None


def test_a_runner_on_another_machine_is_taken_to_run(path: Path) -> None:
    path.write_bytes(b'{"pid": 1, "host": "elsewhere", "since": "2026-11-22T08:00:00+00:00", "run_dir": "/run"}')
    found = runner(path)
    assert found is not None
    assert found.host == "elsewhere"
