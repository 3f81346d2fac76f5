"""The next run removes the folder of a killed run, and nothing else, whatever the file of the lock names."""

import fcntl
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from tests.needed import needs
from tests.ordinary_user import GROUP, USER
from tournaments.play.run import lock_league
from tournaments.store.run_lock import LockFailed

RUNNER = """
import sys
from pathlib import Path
from tournaments.play.run import lock_league
with lock_league(Path(sys.argv[1])) as run_dir:
    (run_dir / "slot" / "bot").mkdir(parents=True)
    print(run_dir, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "x.sqlite.x.lock"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder like that of a run, where those of runs are, with a letter in it."""
    made = Path(tempfile.gettempdir(), f"referee-{secrets.token_hex(4)}")
    made.mkdir()
    (made / "letter").write_text("hi")
    yield made
    shutil.rmtree(made)


def names(lock: Path, run_dir: object, host: str | None = None) -> None:
    """Let the lock's file look as if a killed run had left it."""
    holder = {"pid": 4194300, "host": host or socket.gethostname(), "since": "x", "run_dir": run_dir}
    lock.write_bytes(msgspec.json.encode(holder))


def start(lock: Path) -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().rstrip())


def test_what_a_killed_run_made_is_removed(lock: Path) -> None:
    process, run_dir = start(lock)
    with process:
        assert run_dir.parent == Path(tempfile.gettempdir())
        process.send_signal(signal.SIGKILL)
    assert (run_dir / "slot" / "bot").exists()
    with lock_league(lock) as own:
        assert not run_dir.exists()
        assert own.exists()
    assert not own.exists()


def test_the_folder_of_a_living_run_stays(lock: Path) -> None:
    process, run_dir = start(lock.with_name("y.lock"))
    with process:
        try:
            shutil.copy(lock.with_name("y.lock"), lock)
            with lock_league(lock):
                assert (run_dir / "slot" / "bot").exists()
        finally:
            process.communicate()
    assert not run_dir.exists()


def test_a_folder_without_the_mark_of_its_run_stays(lock: Path, folder: Path) -> None:
    for mark in (None, b"", b"referee-00000000", b"\0" * 4096):
        if mark is not None:
            (folder / ".run").write_bytes(mark)
        names(lock, str(folder))
        with lock_league(lock):
            pass
        assert (folder / "letter").read_text() == "hi"


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("letter")])
def test_a_mark_that_is_no_file_is_no_mark(lock: Path, folder: Path, make: Callable[[Path], None]) -> None:
    (folder / "letter").write_text(folder.name)
    make(folder / ".run")
    names(lock, str(folder))
    with lock_league(lock):
        pass
    assert (folder / "letter").exists()


def test_no_other_path_leads_to_a_folder(lock: Path, folder: Path, tmp_path: Path) -> None:
    (folder / ".run").write_text(folder.name)
    link = Path(tempfile.gettempdir(), f"referee-{secrets.token_hex(4)}")
    link.symlink_to(folder)
    elsewhere = tmp_path / folder.name
    shutil.copytree(folder, elsewhere)
    here = Path.cwd()
    try:
        os.chdir(folder.parent)
        ways = [link, elsewhere, f"{folder}/../{folder.name}", f"{folder}/.", folder.name, ".", "..", "/", "", "a\0b"]
        way: object
        for way in [*map(str, ways), "x" * 5000, f"/proc/self/cwd/{folder.name}", None, 7, [], {}]:
            names(lock, way)
            if str(way) != f"{folder}/.":  # the same path, to pathlib
                with lock_league(lock):
                    pass
            assert (folder / "letter").read_text() == (elsewhere / "letter").read_text() == "hi", way
    finally:
        os.chdir(here)
        link.unlink()


@pytest.mark.parametrize("content", [b"{", b"\0" * 100, b"\xff", b"[" * 60_000, b"x" * 100_000])
def test_a_lock_that_cannot_be_read_names_nothing(lock: Path, content: bytes) -> None:
    lock.write_bytes(content)
    with lock_league(lock):
        pass


def test_a_folder_that_a_run_of_another_machine_made_stays(lock: Path, folder: Path) -> None:
    (folder / ".run").write_text(folder.name)
    names(lock, str(folder), host="elsewhere")
    with lock_league(lock):
        pass
    assert (folder / "letter").exists()


@needs("root", there=os.geteuid() == 0)
@pytest.mark.parametrize("what", [".", ".run"])
def test_what_another_user_made_stays(lock: Path, folder: Path, what: str) -> None:
    (folder / ".run").write_text(folder.name)
    shutil.chown(folder / what, USER, GROUP)
    names(lock, str(folder))
    with lock_league(lock):
        pass
    assert (folder / "letter").exists()


def test_a_link_in_the_place_of_a_lock_is_refused_and_what_it_leads_to_stays(lock: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.write_text("hi")
    lock.symlink_to(letter)
    with pytest.raises(LockFailed, match="cannot be used"), lock_league(lock):
        pass
    assert letter.read_text() == "hi"


def test_the_mark_is_locked_as_long_as_the_run_lives(lock: Path) -> None:
    with lock_league(lock) as run_dir, (run_dir / ".run").open() as mark, pytest.raises(BlockingIOError):
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
