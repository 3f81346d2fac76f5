"""Watches what all processes of a box take together, for which the kernel has no limit."""

import os
import signal
import threading
from pathlib import Path

from referee.core.sandbox import MIB, SandboxLimits
from referee.runtime.process_sessions import members

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_LOOK_EVERY_S = 0.5
"""Within this time, only the limits of its processes bound the use of a box."""


class BoxWatch(threading.Thread):
    """Looks at a box from time to time, and ends it when it exceeds a limit.

    It is a thread because a worker's loop stands still while the worker waits for its next match.

    Attributes:
        limit_exceeded: the limit that the bot exceeded, in words that go after "it"; None if none.
        session: the session of all processes of the box.
        scratch: the folder in which the bot can write, as the host sees it.
        limits: what it may take.
    """

    def __init__(self, session: int, init: int, scratch: Path, limits: SandboxLimits) -> None:
        """Prepare to watch.

        Args:
            session: the session of all processes of the box.
            init: the first process of the box, with which the box ends.
            scratch: the folder in which the bot can write, as the host sees it.
            limits: what it may take.
        """
        super().__init__(name=f"watch of {session}", daemon=True)
        self.limit_exceeded: str | None = None
        self.session = session
        self.scratch = scratch
        self.limits = limits
        self._first = init
        self._init = os.pidfd_open(init)
        self._over = threading.Event()

    def run(self) -> None:
        """Look until `stop`."""
        while not self._over.wait(_LOOK_EVERY_S):
            self.limit_exceeded = self._took_too_much()
            if self.limit_exceeded is not None:
                self.end()
                return

    def end(self) -> None:
        """End all watched processes: a box ends with its first process."""
        self.signal_first(signal.SIGKILL)

    def signal_first(self, number: int) -> bool:
        """Send a signal to the first process, or none (0); whether there still is that process."""
        try:
            signal.pidfd_send_signal(self._init, number)
        except ProcessLookupError:
            return False
        return True

    def stop(self) -> None:
        """Stop looking. Stopping twice is the same as stopping once."""
        if self._over.is_set():
            return
        self._over.set()
        if self.is_alive():
            self.join()
        os.close(self._init)

    def _took_too_much(self) -> str | None:
        return too_much_memory(self.session, self.limits.memory_mib) or self.took_too_much_else()

    def took_too_much_else(self) -> str | None:
        """The limit besides memory that the bot exceeded; None if none. The bytes of its scratch need no watching."""
        try:
            found, sockets = os.statvfs(self.scratch), _sockets(self._first)
        except OSError:  # the box has ended
            return None
        if sockets > 2 * self.limits.files:  # the kernel keeps up to some hundred KiB for each
            return f"opened {sockets} sockets; allowed: {2 * self.limits.files}"
        return too_many_files(found.f_files - found.f_ffree, self.limits)


def too_much_memory(session: int, most_mib: int) -> str | None:
    """That the processes of a session use too much memory together, in words that go after "it"; None if not."""
    memory_mib = sum(map(_private_bytes, members(session))) // MIB
    return f"used {memory_mib} MiB of memory; allowed: {most_mib}" if memory_mib > most_mib else None


def too_many_files(files: int, limits: SandboxLimits) -> str | None:
    """That a bot has made too many files, in words that go after "it"; None if it has not."""
    return f"made {files} files; allowed: {limits.scratch_files}" if files > limits.scratch_files else None


def _sockets(pid: int) -> int:
    """How many sockets there are in the network of a process, which is the box's own (proc(5), net/sockstat)."""
    _, _, used = Path(f"/proc/{pid}/net/sockstat").read_text().partition("sockets: used ")
    return int(used.split()[0])


def _private_bytes(pid: int) -> int:
    """The memory that belongs to a process alone; 0 if the process is gone (proc(5), statm)."""
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0
    return (int(resident) - int(shared)) * _PAGE_BYTES
