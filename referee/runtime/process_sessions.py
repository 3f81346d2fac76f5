"""The sessions of bots that a run has started, so that the next run can end what a killed run left behind.

The kernel may use a pid again, but never a pid together with its start time.
"""

import contextlib
import os
import secrets
import signal
from collections.abc import Iterator, Set
from pathlib import Path

_RECORD = ".session"
_STATE, _THREADS, _START_TIME = 0, 17, 19  # in what `_stat` gives


def record_session(scratch: Path, pid: int) -> None:
    """Note that the process `pid` leads a session of ours. The note lies beside `scratch`, in which bots can write.

    Raises:
        OSError: the note cannot be written, or the process is gone.
    """
    _record(scratch).write_text(f"{pid} {_start_time(pid)}")


def clear_scratch(scratch: Path) -> None:
    """Remove the folder that a bot had, with all that the bot made in it, and the note beside it."""
    remove_tree(scratch)
    _record(scratch).unlink(missing_ok=True)


def end_run(run_dir: Path) -> int:
    """End every session that a run or one of its workers has recorded, then remove `run_dir`.

    Returns:
        how many sessions were still running.
    """
    ended = sum(end_sessions(worker) for worker in run_dir.glob("*/"))
    return ended + end_sessions(run_dir)


def end_sessions(folder: Path) -> int:
    """End every session recorded in `folder`, then remove it; how many were still running.

    Nothing below `folder` is read: that is where bots can write.
    """
    ended = sum(_end(path) for path in folder.glob(f"*{_RECORD}"))
    remove_tree(folder)
    return ended


def remove_tree(top: Path) -> None:
    """Remove a folder, whatever a bot made in it. This leaves the things that it cannot remove.

    Folders may be nested so deep that no path reaches the last one and no recursion ends. So this moves folders
    up to `top` one by one, and removes each from there.
    """
    ours = secrets.token_hex(8)  # a name that no bot has used
    moved = 0
    with contextlib.suppress(OSError):
        while folders := _without_files(top):
            for folder in folders:
                for inner in _without_files(folder):
                    inner.chmod(0o700)  # only root may move a folder that nobody may write
                    inner.rename(top / f"{ours}-{moved}")
                    moved += 1
                folder.rmdir()
        top.rmdir()


def _without_files(folder: Path) -> list[Path]:
    """Remove everything but the folders; returns the folders."""
    folder.chmod(0o700)
    folders = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(Path(entry.path))
            else:
                Path(entry.path).unlink()
    return folders


def members(session: int) -> list[int]:
    """The living processes of the session that the process `session` leads or led.

    A process that has started a session of its own is no longer in this one, and is not found.
    """
    return [pid for pid in _pids() if _session(pid) == session and _alive(pid)]


def signal_members(session: int, number: signal.Signals, spared: Set[int] = frozenset()) -> bool:
    """Send a signal to every process of a session but the `spared` ones; whether one was alive."""
    found = members(session)
    for pid in found:
        if pid not in spared:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)
    return bool(found)


def kill_session(leader: int) -> bool:
    """Kill every process of the session that `leader` leads or led; whether one was alive."""
    return signal_members(leader, signal.SIGKILL)


def _record(scratch: Path) -> Path:
    return scratch.with_name(scratch.name + _RECORD)


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
    """Whether it runs. If only its first thread has ended, it looks like a dead one, and has more threads."""
    with contextlib.suppress(OSError):
        found = _stat(pid)
        return found[_STATE] != "Z" or int(found[_THREADS]) > 1
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
