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
_LONGEST = 1 << 12
_STATE, _START_TIME = 0, 19  # in what `_stat` gives


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
    if run_dir.is_symlink():
        return 0
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


def remove_tree(top: Path) -> None:
    """Remove a folder, whatever a bot made in it. This leaves links elsewhere, and the things that it cannot remove.

    Folders may be nested so deep that no path reaches the last one and no recursion ends. So this moves folders
    up to `top` one by one, and removes each from there.
    """
    ours = secrets.token_hex(8)  # a name that no bot has used
    moved = 0
    with contextlib.suppress(OSError):
        with _opened(top, os.O_PATH | os.O_DIRECTORY) as held:
            there = Path(f"/proc/self/fd/{held}")  # whatever takes the place of `top` meanwhile
            while folders := _without_files(there):
                for folder in folders:
                    for inner in _without_files(folder):
                        inner.chmod(0o700)  # only root may move a folder that nobody may write
                        inner.rename(there / f"{ours}-{moved}")
                        moved += 1
                    folder.rmdir()
        top.rmdir()


@contextlib.contextmanager
def _opened(path: Path, how: int) -> Iterator[int]:
    """Something that is no link, held open."""
    opened = os.open(path, how | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield opened
    finally:
        os.close(opened)


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
    """Kill the recorded session; whether one of its processes was alive."""
    try:
        with _opened(path, os.O_RDONLY | os.O_NONBLOCK) as record:
            pid, start_time = map(int, os.read(record, _LONGEST).split())
    except (OSError, ValueError):
        return False
    scratch = os.fsencode(path.with_suffix(""))
    return pid not in {0, 1, os.getsid(0)} and sum(_kill(each, pid, start_time, scratch) for each in members(pid)) > 0


def _kill(pid: int, session: int, start_time: int, scratch: bytes) -> bool:
    """Kill a process of the session with the recorded leader; if that is gone, one that names its scratch folder."""
    with contextlib.suppress(OSError):  # it has just ended, or is another user's
        process = os.pidfd_open(pid)  # if others have got its number since, nothing happens
        try:
            leader = _start_time_or_none(session)
            is_ours = leader == start_time or (leader is None and scratch in _words(pid))
            if is_ours and os.getsid(pid) == session:
                signal.pidfd_send_signal(process, signal.SIGKILL)
                return True
        finally:
            os.close(process)
    return False


def _words(pid: int) -> bytes:
    return b"".join(Path(f"/proc/{pid}/{file}").read_bytes() for file in ("cmdline", "environ"))


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
