"""The sessions of bots that a run has started, so that the next run can end what a killed run left behind.

The kernel may use a pid again, but never a pid together with its start time.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Set
from pathlib import Path

_RECORD = ".session"
_LONGEST = 1 << 12
_KILLS, _KILL_EVERY_S = 200, 0.005
_STATE, _THREADS, _START_TIME = 0, 17, 19  # in what `_stat` gives


def record_session(scratch: Path, pid: int, token: str | None = None) -> None:
    """Note that the process `pid` leads a session of ours. The note lies beside `scratch`, in which bots can write.

    The environment of its processes names `scratch` or has the `token`.

    Raises:
        OSError: the note cannot be written, or the process is gone.
    """
    _record(scratch).write_text(f"{pid} {_start_time(pid)} {token or ''}")


def clear_scratch(scratch: Path) -> None:
    """Remove the folder that a bot had, with all that the bot made in it, and the note beside it."""
    remove_tree(scratch)
    _record(scratch).unlink(missing_ok=True)


def end_run(run_dir: Path) -> int:
    """End every session that a run or one of its workers has recorded, then remove `run_dir`.

    Returns:
        how many sessions were still running.
    """
    return sum(end_sessions(worker) for worker in run_dir.glob("*/")) + end_sessions(run_dir)


def end_sessions(folder: Path) -> int:
    """End every session recorded in `folder`, then remove it; how many were still running.

    Nothing below `folder` is read: that is where bots can write.
    """
    if folder.is_symlink():
        return 0
    ended = sum(_end(path) for path in folder.glob(f"*{_RECORD}"))
    remove_tree(folder)
    return ended


@contextlib.contextmanager
def temporary_folder(parent: Path | None = None) -> Iterator[Path]:
    """A folder with a short name, since the paths of sockets are short. It is removed, whatever a bot makes in it."""
    folder = Path(tempfile.mkdtemp(prefix="referee-", dir=parent))
    try:
        yield folder
    finally:
        remove_tree(folder)


def remove_tree(top: Path) -> None:
    """Remove a folder, whatever a bot made in it. This follows no link, and leaves the things that it cannot remove."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(top, ignore_errors=True)
    if top.is_dir() and not top.is_symlink():
        # Not by a walk of ours: folders may be closed, and nested so deep that no path reaches the last one.
        for command in (("chmod", "-R", "u+rwx"), ("rm", "-rf")):
            subprocess.run([*command, "--", str(top)], check=False, capture_output=True)


def members(session: int) -> list[int]:
    """The living processes of the session that the process `session` leads or led.

    A process that has started a session of its own is no longer in this one, and is not found.
    """
    pids = (int(entry) for entry in os.listdir("/proc") if entry.isdigit())  # noqa: PTH208 - thrice as fast
    return [pid for pid in pids if _session(pid) == session and _alive(pid)]


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
    """Kill the recorded session; whether one of its processes was alive."""
    try:
        record = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            number, started, *tokens = os.read(record, _LONGEST).split()
            pid, start_time = int(number), int(started)
        finally:
            os.close(record)
    except (OSError, ValueError):
        return False
    marks = [os.fsencode(path.with_suffix("")), *(b"REFEREE_TOKEN=" + token for token in tokens)]
    return pid not in {0, 1, os.getsid(0)} and _kill_members(pid, start_time, marks)


def _kill_members(session: int, start_time: int, marks: list[bytes]) -> bool:
    """Kill what is ours of a session until none is left, as one may fork meanwhile; whether one was alive."""
    for kill in range(_KILLS):
        if not sum(_kill(pid, session, start_time, marks) for pid in members(session)):
            return kill > 0
        time.sleep(_KILL_EVERY_S)
    return True


def _kill(pid: int, session: int, start_time: int, marks: list[bytes]) -> bool:
    """Kill a process of the session if the leader is the recorded one, or is gone, but not the mark."""
    with contextlib.suppress(OSError):  # it has just ended, or is another user's
        process = os.pidfd_open(pid)  # if others have got its number since, nothing happens
        try:
            leader = _start_time_or_none(session)
            known = Path(f"/proc/{pid}/environ").read_bytes() if leader is None else b""
            is_ours = leader == start_time or any(mark in known for mark in marks)
            if is_ours and os.getsid(pid) == session:
                signal.pidfd_send_signal(process, signal.SIGKILL)
                return True
        finally:
            os.close(process)
    return False


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
