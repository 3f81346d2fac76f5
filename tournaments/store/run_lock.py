"""Only one runner plays a league at a time: a lock on a file.

The kernel keeps the locks of files (flock), so each ends with its holder, killed or not.
"""

import contextlib
import fcntl
import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import msgspec

from referee.core.errors import OurFailure, WrongUse

_LONGEST = 1 << 16


class FileLock:
    """A file to lock, with what its holder writes into it. It is made if it is not there, and is no link.

    It stays for good: if it were removed, two processes could lock two files of its name.
    """

    def __init__(self, path: Path) -> None:
        """Open the file; it is not locked yet.

        Raises:
            OSError: it cannot be opened.
        """
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self, *, shared: bool = False) -> bool:
        """Lock it, instead of as it was locked before; whether that is possible now. If not, it is not locked.

        Several can share a lock, but not with one who has it alone.
        """
        how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(self._descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            self.free()
            return False
        return True

    def free(self) -> None:
        """Let others lock it."""
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def read(self) -> bytes:
        """The last text that was written into it."""
        return os.pread(self._descriptor, _LONGEST, 0)

    def write(self, content: bytes) -> None:
        """Write this into it, instead of what was there."""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, content, 0)

    def touch(self) -> None:
        """Make now the time of its last change."""
        os.utime(self._descriptor)

    def close(self) -> None:
        """Free it for good."""
        os.close(self._descriptor)


class LockHeld(WrongUse):
    """Another runner plays this league."""


class LockFailed(OurFailure):
    """The lock's file cannot be used."""


class LockLost(OurFailure):
    """This runner lost the lock, and another runner has taken it since."""


class Holder(msgspec.Struct, frozen=True):
    """The facts that a runner writes into the lock's file.

    Attributes:
        pid: the runner's process.
        host: the name of the machine it runs on.
        since: when it took the lock, in ISO 8601, UTC.
        run_dir: the folder in which it records the processes it starts.
    """

    pid: int
    host: str
    since: str
    run_dir: str


class RunLock:
    """The lock on a league, held. Leaving the context, or `release`, gives it up."""

    def __init__(self, file: FileLock) -> None:
        self._file: FileLock | None = file

    @classmethod
    def acquire(cls, path: Path, run_dir: Path, end_leftover: Callable[[Path], object] = lambda _run_dir: None) -> Self:
        """Take the lock in the file `path` and write this runner's name into it. The file need not exist.

        If the last runner was killed on this host, `end_leftover` is called with its folder, to end what it left
        running. Only then this runner's name replaces that of the last one: this runner may be killed at any moment.

        Raises:
            LockHeld: another runner holds it; the text names that runner.
            LockFailed: the file cannot be opened or written.
        """
        try:
            with contextlib.ExitStack() as until_held:
                file = until_held.enter_context(FileLock(path))
                is_free, last = file.take(), _holder_in(file)
                if not is_free:
                    raise LockHeld(_held_by(last))
                if last is not None and last.host == socket.gethostname():  # elsewhere its folder means nothing here
                    end_leftover(Path(last.run_dir))
                since = datetime.now(UTC).isoformat(timespec="seconds")
                file.write(msgspec.json.encode(Holder(os.getpid(), socket.gethostname(), since, str(run_dir))))
                until_held.pop_all()
        except OSError as error:
            raise LockFailed(f"the lock {path} cannot be used: {error.strerror}") from error
        return cls(file)

    def release(self) -> None:
        """Give the lock up. The file stays, empty: another runner may have opened it already."""
        file, self._file = self._file, None
        if file is not None:
            with file:
                file.write(b"")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def runner(path: Path) -> Holder | None:
    """The holder of the lock in the file `path`; None if nobody holds it. This never takes the lock itself.

    For a runner on this machine, it checks whether the runner has the file open. It assumes that one elsewhere runs.
    """
    try:
        holder = msgspec.json.decode(path.read_bytes(), type=Holder)
        return holder if holder.host != socket.gethostname() or _has_open(holder.pid, path) else None
    except (OSError, ValueError, RecursionError):
        return None


def _has_open(pid: int, path: Path) -> bool:
    """Whether a process has a file open. One of another user, into which we may not look, is taken to have it."""
    wanted = path.stat()
    try:
        for opened in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(opened.stat(), wanted):
                    return True
    except PermissionError:
        return True
    except FileNotFoundError:
        pass
    return False


def _held_by(holder: Holder | None) -> str:
    if holder is None:
        return "another runner plays this league; wait for it, or stop it first"
    return (
        f"process {holder.pid} on {holder.host} has been playing this league since {holder.since};"
        " wait for it, or stop it first"
    )


def _holder_in(file: FileLock) -> Holder | None:
    with contextlib.suppress(ValueError, RecursionError):
        return msgspec.json.decode(file.read(), type=Holder)
    return None
