"""Files that several processes append to: nothing is lost, nothing is torn, and they never grow too long."""

import fcntl
import multiprocessing
import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.play.log_files import LogFile, old_file

KEPT = 2


def files(path: Path, kept: int = KEPT) -> list[Path]:
    """Oldest first."""
    return [file for file in (*(old_file(path, number) for number in range(kept, 0, -1)), path) if file.exists()]


def numbers(path: Path) -> list[int]:
    return [int(line) for file in files(path) for line in file.read_bytes().splitlines()]


def test_only_its_owner_may_read_a_new_file(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        LogFile(tmp_path / "log", 100, KEPT).close()
    finally:
        os.umask(before)
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


@settings(max_examples=settings().max_examples * 3 // 2)
@given(lengths=st.lists(st.integers(1, 120), max_size=60), writers=st.integers(1, 3))
def test_whoever_appends_the_lines_are_whole_in_order_and_the_newest(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], writers: int
) -> None:
    path = tmp_path_factory.mktemp("lines") / "log"
    several = [LogFile(path, 100, KEPT) for _ in range(writers)]
    lines = [f"{number}".rjust(length, "0").encode() + b"\n" for number, length in enumerate(lengths)]
    for number, line in enumerate(lines):
        several[number % writers].append(line)
    kept = numbers(path)
    assert kept == list(range(len(lines) - len(kept), len(lines)))
    assert all(file.stat().st_size <= max(100, *map(len, lines)) for file in files(path) if file.stat().st_size)
    for each in several:
        each.close()


def _append(path: Path, name: int, count: int) -> None:
    lines = LogFile(path, 4_000, 100)
    for number in range(count):
        lines.append(f"{name:02}{number:06}\n".encode())
    lines.close()


@pytest.mark.process
def test_of_several_processes_that_put_a_file_aside_again_and_again_no_line_is_lost(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=_append, args=(tmp_path / "log", name, 3_000)) for name in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    found = [line for file in tmp_path.iterdir() for line in file.read_text().splitlines()]
    assert sorted(found) == [f"{name:02}{number:06}" for name in range(3) for number in range(3_000)]
    assert len(list(tmp_path.iterdir())) > 1


def test_who_was_away_while_others_put_the_file_aside_goes_on_in_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "log"
    one, other = LogFile(path, 100, 1), LogFile(path, 100, 1)
    one.append(b"1\n")
    for _ in range(3):
        other.append(b"2" * 99 + b"\n")
    one.append(b"3\n")
    assert [file.read_bytes()[:1] for file in files(path, 1)] == [b"2", b"3"]
    one.close()
    other.close()


def test_nobody_waits_for_somebody_who_was_stopped_while_putting_the_file_aside(tmp_path: Path) -> None:
    path = tmp_path / "log"
    lines = LogFile(path, 100, 1)
    with path.open("rb") as stopped:
        fcntl.flock(stopped, fcntl.LOCK_EX)
        for _ in range(500):
            lines.append(b"x" * 9 + b"\n")
    assert path.stat().st_size == 1_600
    lines.append(b"y\n")
    assert path.read_bytes() == b"y\n"
    lines.close()


def _with_little_room(write: Callable[[], None], size: int) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        write()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_line_that_was_written_in_part_costs_no_other_line(tmp_path: Path) -> None:
    lines = LogFile(tmp_path / "log", 1_000, 1)
    lines.append(b"first\n")
    with pytest.raises(OSError, match="No space left on device"):
        _with_little_room(lambda: lines.append(b"second\n"), 10)
    lines.append(b"third\n")
    assert (tmp_path / "log").read_bytes() == b"first\nseco\nthird\n"
    lines.close()


def test_no_file_stays_open_after_a_failure(tmp_path: Path) -> None:
    lines = LogFile(tmp_path / "log", 1_000, 1)
    (tmp_path / "log").write_bytes(b"half a line")
    lines.close()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        with pytest.raises(OSError, match="File too large"):
            _with_little_room(lambda: lines.append(b"x\n"), 5)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
