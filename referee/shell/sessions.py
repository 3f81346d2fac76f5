"""The sessions of bots that a run has started, so that the next run can end what a killed run left behind.

The kernel may use a pid again, but never a pid together with its start time.
"""

import contextlib
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

_FILE = "session"
_STATE, _START_TIME = 0, 19  # in what `_stat` gives


def record_session(scratch: Path, pid: int) -> None:
    """Note in `scratch` that the process `pid` leads a session of ours.

    Raises:
        OSError: the note cannot be written, or the process is gone.
    """
    (scratch / _FILE).write_text(f"{pid} {_start_time(pid)}")


def end_sessions(run_dir: Path) -> int:
    """End every session recorded in the folders below `run_dir`, then remove `run_dir`; how many were still running."""
    ended = sum(_end(path) for path in run_dir.rglob(_FILE))
    shutil.rmtree(run_dir, ignore_errors=True)
    return ended


def kill_session(leader: int) -> bool:
    """Kill every process of the session that `leader` leads or led; whether one was alive.

    A process that has started a session of its own is no longer in this one, and is not found.
    """
    members = [pid for pid in _pids() if _session(pid) == leader and _alive(pid)]
    for pid in members:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return bool(members)


def _end(path: Path) -> bool:
    """Kill the recorded session. Its leader may be gone and its children alive."""
    try:
        pid, start_time = (int(word) for word in path.read_text().split())
    except (OSError, ValueError):
        return False
    # While a session has members, no new process gets its number. So a free pid still stands for that session.
    return _start_time_or_none(pid) in (None, start_time) and kill_session(pid)


def _pids() -> Iterator[int]:
    return (int(entry) for entry in os.listdir("/proc") if entry.isdigit())  # noqa: PTH208 - thrice as fast


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except (ProcessLookupError, PermissionError):
        return None


def _alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return _stat(pid)[_STATE] != "Z"
    return False


def _start_time(pid: int) -> int:
    return int(_stat(pid)[_START_TIME])


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat (proc(5)) from the third on; the second may contain spaces."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _start_time_or_none(pid: int) -> int | None:
    with contextlib.suppress(OSError):
        return _start_time(pid)
    return None
