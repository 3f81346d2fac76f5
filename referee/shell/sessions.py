"""Which sessions of bots a run has started, so that the next run can end what a killed one left behind.

A pid may be given away again; a pid together with its start time may not.
"""

import contextlib
import os
import shutil
import signal
from pathlib import Path

_FILE = "session"
_START_TIME = 19  # /proc/PID/stat, field 22 (proc(5)), counted from the state after the command's name


def record_session(scratch: Path, pid: int) -> None:
    """Note in `scratch` that the process `pid` leads a session of ours.

    Raises:
        OSError: it cannot be written, or the process is gone.
    """
    (scratch / _FILE).write_text(f"{pid} {_start_time(pid)}")


def end_sessions(run_dir: Path) -> int:
    """End every session that was recorded in the folders below `run_dir`, then remove `run_dir`; how many still ran."""
    ended = sum(_end(path) for path in run_dir.glob(f"*/{_FILE}"))
    shutil.rmtree(run_dir, ignore_errors=True)
    return ended


def _end(path: Path) -> bool:
    """Kill every process of the recorded session. The leader may be gone and its children alive."""
    try:
        pid, start_time = (int(word) for word in path.read_text().split())
    except (OSError, ValueError):
        return False
    if _start_time_or_none(pid) not in (None, start_time):
        return False
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _start_time(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[_START_TIME])


def _start_time_or_none(pid: int) -> int | None:
    with contextlib.suppress(OSError):
        return _start_time(pid)
    return None
