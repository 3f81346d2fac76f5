"""The processes of a run, as a person with `ps` and `kill` sees them."""

import contextlib
import os
import signal
from collections.abc import Iterable
from pathlib import Path


def workers_of(runner: int) -> list[int]:
    """The processes that a runner has spawned to play."""
    return [pid for pid in children_of(runner) if b"spawn_main" in _command(pid)]


def children_of(parent: int) -> list[int]:
    """The processes that a process has started. The bots of a worker are among its."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            if int((process / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(process.name))
    return found


def signalled(pids: Iterable[int], number: signal.Signals) -> bool:
    """Signal these processes; whether one was there."""
    there = False
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
            there = True
    return there


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
