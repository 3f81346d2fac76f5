"""The next run ends what a killed run left behind, and nothing else."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.runtime.process_sessions import end_run, end_sessions, record_session, remove_tree, temporary_folder
from tests.ordinary_user import GROUP, USER
from tests.runtime.rogues import ENDS_SLOWLY, eventually, members

pytestmark = pytest.mark.process


@pytest.mark.parametrize("transport", ["unix", "tcp"])
def test_what_a_dead_leader_left_of_its_session_is_ended(tmp_path: Path, transport: str) -> None:
    scratch = tmp_path / "run" / "slot" / "bot"
    scratch.mkdir(parents=True)
    token = None if transport == "unix" else "0123"
    environment = {"REFEREE_ADDRESS": f"unix:{scratch}/bot.sock"} if token is None else {"REFEREE_TOKEN": token}
    with subprocess.Popen(
        ["sh", "-c", "sleep 600 & read line"],
        stdin=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, **environment},
    ) as leader:
        assert eventually(lambda: len(members(leader.pid)) == 2)
        record_session(scratch, leader.pid, token)
    assert len(members(leader.pid)) == 1
    assert end_run(tmp_path / "run") == 1
    assert eventually(lambda: not members(leader.pid))
    assert not (tmp_path / "run").exists()


WITHOUT_ITS_FIRST_THREAD = """
import ctypes, platform, threading, time
threading.Thread(target=time.sleep, args=(600,)).start()
print("up", flush=True)
ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[platform.machine()], 0)
"""


def test_a_process_whose_first_thread_has_ended_is_ended(tmp_path: Path) -> None:
    scratch = tmp_path / "run" / "bot"
    scratch.mkdir(parents=True)
    command = [sys.executable, "-c", WITHOUT_ITS_FIRST_THREAD]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        record_session(scratch, process.pid)
        status = Path(f"/proc/{process.pid}/status")
        assert eventually(lambda: "State:\tZ" in status.read_text())
        assert end_run(tmp_path / "run") == 1
        assert process.wait(60) == -signal.SIGKILL


def test_a_session_whose_number_was_given_to_another_process_is_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as stranger:
        try:
            scratch = tmp_path / "run" / "bot"
            scratch.mkdir(parents=True)
            record_session(scratch, stranger.pid)
            pid, start_time = (tmp_path / "run" / "bot.session").read_text().split()
            (tmp_path / "run" / "bot.session").write_text(f"{pid} {int(start_time) - 1}")
            assert end_sessions(tmp_path / "run") == 0
            assert members(stranger.pid) == [stranger.pid]
        finally:
            stranger.kill()


@pytest.mark.parametrize(
    "record",
    [
        "{stranger} {later}",  # the number was given to another process
        "{orphaned} 1",  # the leader of a strange session is gone, too
        "{own} {own_start}",
        "0 0",
        "1 {first_start}",
        "-1 0",
        "-{stranger} {same}",
        "{stranger}",
        "{orphaned} 1 P",
        "99999999999999999999999999 1",
        pytest.param("9" * 5000 + " 1", id="more digits than a number may have"),
        "\0 \0 \0",
        "{{}}",
        "[" * 100,
    ],
)
def test_a_record_that_names_a_process_that_it_does_not_record_ends_nothing(tmp_path: Path, record: str) -> None:
    quiet = {"stdin": subprocess.DEVNULL, "start_new_session": True}
    with (
        subprocess.Popen(["sleep", "600"], **quiet) as stranger,  # type: ignore[call-overload]  # arguments as above
        subprocess.Popen(["sh", "-c", "sleep 600 &"], **quiet) as gone,  # type: ignore[call-overload]  # as above
    ):
        try:
            gone.wait()
            same = started(stranger.pid)
            words = record.format(
                stranger=stranger.pid,
                same=same,
                later=same + 1,
                orphaned=gone.pid,
                own=os.getsid(0),
                own_start=started(os.getsid(0)),
                first_start=started(1),
            )
            (tmp_path / "run").mkdir()
            (tmp_path / "run" / "bot.session").write_text(words)
            assert end_run(tmp_path / "run") == 0
            assert members(stranger.pid) == [stranger.pid]
            assert len(members(gone.pid)) == 1
        finally:
            stranger.kill()
            for left in members(gone.pid):
                os.kill(left, signal.SIGKILL)


def test_a_session_has_ended_when_its_folder_is_removed_though_a_process_of_it_ends_slowly(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    command = [sys.executable, "-c", ENDS_SLOWLY]
    with subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE) as leader:
        assert leader.stdout is not None
        leader.stdout.readline()
        record_session(tmp_path / "run" / "bot", leader.pid)
        assert end_run(tmp_path / "run") == 1
        assert leader.poll() == -signal.SIGKILL


def started(pid: int) -> int:
    """When a process began, in the kernel's ticks; 0 if there is none (another one of this number is outside)."""
    stat = Path(f"/proc/{pid}/stat")
    return int(stat.read_text().rpartition(")")[2].split()[19]) if stat.exists() else 0


@pytest.mark.parametrize("what", ["a link", "a pipe", "a folder"])
def test_a_record_that_is_no_file_is_not_read(tmp_path: Path, what: str) -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as stranger:
        try:
            run_dir, record = tmp_path / "run", tmp_path / "run" / "bot.session"
            run_dir.mkdir()
            record_session(tmp_path / "elsewhere", stranger.pid)
            match what:
                case "a link":
                    record.symlink_to(tmp_path / "elsewhere.session")
                case "a pipe":
                    os.mkfifo(record)
                case _:
                    record.mkdir()
            assert end_run(run_dir) == 0
            assert members(stranger.pid) == [stranger.pid]
            assert not run_dir.exists()
        finally:
            stranger.kill()


@pytest.mark.parametrize("clear", [end_run, end_sessions, remove_tree])
def test_what_links_lead_to_stays(tmp_path: Path, clear: Callable[[Path], object]) -> None:
    precious, run_dir, link = tmp_path / "precious", tmp_path / "run", tmp_path / "link"
    (precious / "slot").mkdir(parents=True)
    (precious / "letter").write_text("hi")
    (precious / "x.session").write_text("1 1")
    run_dir.mkdir()
    for name in ("slot", "bot.session"):
        (run_dir / name).symlink_to(precious)
    link.symlink_to(precious)
    clear(run_dir)
    (remove_tree if clear is end_run else clear)(link)
    assert not run_dir.exists()
    assert sorted(path.name for path in precious.iterdir()) == ["letter", "slot", "x.session"]


def test_a_run_that_left_nothing_is_cleared_away_quietly(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    (run_dir / "bot").mkdir(parents=True)
    (run_dir / "bot.session").write_text("")  # the run was killed while it wrote the file
    assert end_sessions(run_dir) == 0
    assert not run_dir.exists()


def test_what_a_bot_leaves_in_its_own_folder_is_no_record(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as stranger:
        try:
            run_dir, theirs = tmp_path / "run", tmp_path / "run" / "slot" / "bot"
            theirs.mkdir(parents=True)
            record_session(theirs / "planted", stranger.pid)
            assert end_run(run_dir) == 0
            assert members(stranger.pid) == [stranger.pid]
            assert not run_dir.exists()
        finally:
            stranger.kill()


def test_a_temporary_folder_is_removed_with_all_that_a_bot_left_in_it_also_after_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def fail() -> None:
        with temporary_folder() as folder:
            assert folder.parent == tmp_path
            (folder / "bot" / "closed").mkdir(parents=True)
            (folder / "bot" / "closed" / "file").touch()
            (folder / "bot" / "closed").chmod(0)
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        fail()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_folders_nested_too_deep_for_any_path_are_removed(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    (top / "closed").mkdir(mode=0)
    (top / "out").symlink_to(tmp_path)
    deepest = os.open(top, os.O_RDONLY)
    for depth in range(3000):
        os.mkdir("x", dir_fd=deepest)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=deepest)) if depth % 100 == 0 else None
        inner = os.open("x", os.O_RDONLY, dir_fd=deepest)
        os.close(deepest)
        deepest = inner
    os.close(deepest)
    remove_tree(top)
    assert list(tmp_path.iterdir()) == []


def test_an_ordinary_user_removes_folders_that_nobody_may_write(scratch: Path) -> None:
    top = scratch / "top"
    deepest = top / "a" / "b" / "c"
    deepest.mkdir(parents=True)
    (deepest / "file").touch()
    made = [scratch, top, *top.rglob("*")]
    for path in reversed(made[2:]):
        path.chmod(0o555)
    if os.geteuid() == 0:
        for path in made:
            shutil.chown(path, USER, GROUP)
    child = os.fork()
    if child == 0:
        try:
            become_ordinary()
            remove_tree(top)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert list(scratch.iterdir()) == []


def become_ordinary() -> None:
    """Root gives up that it is root; others stay who they are."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(GROUP)
        os.setuid(pwd.getpwnam(USER).pw_uid)
