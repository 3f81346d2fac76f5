"""Watches what all processes of a box take together, for which the kernel has no limit: memory, files and disk."""

import contextlib
import os
import re
import signal
import threading
from pathlib import Path

from referee.core.bot_limits import MIB, SandboxLimits
from referee.runtime.process_sessions import members

_LOOK_EVERY_S = 0.5
"""Within this time, only the limits of its processes bound the use of a box."""

_OWN_MEMORY = re.compile(r"^(?:RssAnon|VmSwap|VmPTE):\s*(\d+) kB$", re.MULTILINE)
"""The memory that belongs to a process alone, in memory and in swap, and the page tables of all that it has mapped."""

_MAPPING_BYTES, _LINK_BYTES, _DESCRIPTOR_BYTES, _WATCH_BYTES = 2048, 64, 8192, 4096
"""What counts for a mapping of a process, for each process that may share its pages, for an open file, and for a file
in an epoll set. Mappings and epoll sets take less of the kernel, but it takes time to count them."""

_EPOLL_SET = "anon_inode:[eventpoll]"

_BUFFER_BYTES = 212_992
"""The memory that one socket can fill, unless the machine says otherwise (socket(7), wmem_default)."""

_QUEUES = 4
"""The column of /proc/PID/net/tcp that has the bytes to send and those received, as two hexadecimal numbers."""


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
        """Prepare to watch. `init` is the first process of the box, with which the box ends."""
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
            too_much = too_much_memory(self.session, self.limits.memory_mib, self.socket_bytes())
            self.limit_exceeded = too_much or self.took_too_much_else()
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

    def socket_bytes(self) -> int:
        """The memory that its sockets can hold; 0 if the box has ended."""
        try:
            return _sockets(self._first) * _buffer_bytes() + _queued_bytes(self._first)
        except OSError:
            return 0

    def took_too_much_else(self) -> str | None:
        """The limit besides memory that the bot exceeded; None if none. The bytes of its scratch need no watching."""
        try:
            found, sockets = os.statvfs(self.scratch), _sockets(self._first)
        except OSError:  # the box has ended
            return None
        if sockets > 2 * self.limits.files:  # the kernel keeps up to some hundred KiB for each
            return f"opened {sockets} sockets; allowed: {2 * self.limits.files}"
        return too_many_files(found.f_files - found.f_ffree, self.limits)


def too_much_memory(session: int, most_mib: int, more_bytes: int = 0) -> str | None:
    """That the processes of a session use too much memory together, in words that go after "it"; None if not.

    `more_bytes` is memory that the kernel holds for them.
    """
    pids = [*members(session)]
    memory_mib = (sum(_own_bytes(pid, len(pids)) for pid in pids) + more_bytes) // MIB
    return f"used {memory_mib} MiB of memory; allowed: {most_mib}" if memory_mib > most_mib else None


def too_many_files(files: int, limits: SandboxLimits) -> str | None:
    """That a bot has made too many files, in words that go after "it"; None if it has not."""
    return f"made {files} files; allowed: {limits.scratch_files}" if files > limits.scratch_files else None


def _sockets(pid: int) -> int:
    """How many sockets there are in the network of a process, which is the box's own (proc(5), net/sockstat)."""
    _, _, used = Path(f"/proc/{pid}/net/sockstat").read_text().partition("sockets: used ")
    return int(used.split()[0])


def _buffer_bytes() -> int:
    try:
        return int(Path("/proc/sys/net/core/wmem_default").read_text())
    except OSError:  # some containers do not show it
        return _BUFFER_BYTES


def _queued_bytes(pid: int) -> int:
    """The bytes in TCP's queues in the network of a process. The kernel lets these grow beyond a buffer (tcp(7))."""
    tables = [Path(f"/proc/{pid}/net/{table}") for table in ("tcp", "tcp6")]
    rows = [row.split() for table in tables if table.exists() for row in table.read_text().splitlines()[1:]]
    return sum(int(size, 16) for row in rows for size in row[_QUEUES].split(":"))


def _own_bytes(pid: int, processes: int) -> int:
    """The memory that one of so many processes takes from others; 0 if it is gone (proc(5), status)."""
    try:
        threads = Path(f"/proc/{pid}/task")
        thread = threads / os.listdir(threads)[-1]  # noqa: PTH208 - faster. The first one shows nothing once it has ended
        status = (thread / "status").read_text(errors="replace")
    except (OSError, IndexError):
        return 0
    return sum(int(kib) << 10 for kib in _OWN_MEMORY.findall(status)) + _kernel_bytes(thread, processes)


def _kernel_bytes(thread: Path, processes: int) -> int:
    """The memory that the kernel holds for the mappings and open files of a thread's process, as far as we may look."""
    held = 0
    with contextlib.suppress(OSError):
        held += _lines(thread / "maps") * (_MAPPING_BYTES + _LINK_BYTES * processes)
        for name in os.listdir(thread / "fd"):  # noqa: PTH208 - as above
            held += _DESCRIPTOR_BYTES
            with contextlib.suppress(OSError):  # it has just been closed
                if os.readlink(f"{thread}/fd/{name}") == _EPOLL_SET:  # noqa: PTH115 - as above
                    held += _lines(thread / "fdinfo" / name) * _WATCH_BYTES
    return held


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)


_BLOCK_BYTES = 512  # stat(2): the unit of st_blocks, whatever the file system


def written(top: Path, most: int) -> tuple[int, int] | None:
    """How many files and folders lie below a folder, and their bytes on the disk; None if one cannot be looked into.

    Args:
        top: the folder. A bot may change the folder at the same time.
        most: of more files no more are counted.
    """
    files = total = 0
    folders = [str(top)]
    while folders and files <= most:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    files += 1
                    total += entry.stat(follow_symlinks=False).st_blocks * _BLOCK_BYTES
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except FileNotFoundError:  # the bot has removed it meanwhile
            continue
        except OSError:  # too deep, or closed
            return None
    return files, total
