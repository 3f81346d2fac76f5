"""Only one runner plays a league at a time. The kernel keeps the lock, so it ends with its holder, killed or not."""

import contextlib
import fcntl
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from referee.core.errors import OurFailure, WrongUse


class LockHeld(WrongUse):
    """Another runner plays this league."""


class LockFailed(OurFailure):
    """The lock's file cannot be used."""


class Holder(msgspec.Struct, frozen=True):
    """What a runner writes into the lock's file.

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
    """The lock on a league, held. Leaving the context, or `release`, gives it up.

    Attributes:
        leftover: the last runner on this host, if it was killed: what it left running can then be ended. None after a
            clean end.
    """

    def __init__(self, descriptor: int, leftover: Holder | None) -> None:
        self.leftover = leftover
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, path: Path, run_dir: Path) -> Self:
        """Take the lock in the file `path` and write this runner's name into it. The file need not exist.

        Raises:
            LockHeld: another runner holds it; the text names that runner.
            LockFailed: the file cannot be opened or written.
        """
        descriptor = -1
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leftover = _on_this_host(_read(descriptor))
            _write(descriptor, msgspec.json.encode(_myself(run_dir)))
        except BlockingIOError as error:
            holder = _read(descriptor)
            os.close(descriptor)
            raise LockHeld(_held_by(holder)) from error
        except OSError as error:
            if descriptor >= 0:
                os.close(descriptor)
            raise LockFailed(f"the lock {path} cannot be used: {error.strerror}") from error
        return cls(descriptor, leftover)

    def release(self) -> None:
        """Give the lock up. The file stays, empty: another runner may have opened it already."""
        if self._descriptor >= 0:
            _write(self._descriptor, b"")
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def runner(path: Path) -> Holder | None:
    """Who holds the lock in the file `path`; None if nobody does. The lock is not touched, not even for a moment.

    Of a runner on this machine it is known whether it has the file open; of one elsewhere it is taken to run.
    """
    try:
        holder = msgspec.json.decode(path.read_bytes(), type=Holder)
        return holder if holder.host != socket.gethostname() or _has_open(holder.pid, path) else None
    except (OSError, msgspec.DecodeError):
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


def _myself(run_dir: Path) -> Holder:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return Holder(os.getpid(), socket.gethostname(), since, str(run_dir))


def _on_this_host(holder: Holder | None) -> Holder | None:
    """The holder, unless it ran on another host: its process numbers and folders mean nothing here."""
    return holder if holder is not None and holder.host == socket.gethostname() else None


def _held_by(holder: Holder | None) -> str:
    if holder is None:
        return "another runner plays this league; wait for it, or stop it first"
    return (
        f"process {holder.pid} on {holder.host} has been playing this league since {holder.since};"
        " wait for it, or stop it first"
    )


def _read(descriptor: int) -> Holder | None:
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.decode(os.pread(descriptor, 1 << 16, 0), type=Holder)
    return None


def _write(descriptor: int, content: bytes) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, content, 0)
