"""Memory of the kernel that a rogue could hold, and that no limit of a process counts.

The numbers are what was measured on Linux 6.18. A bot may have 128 processes with 256 open files each.
"""

import contextlib
import ctypes
import fcntl
import os
import select
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Callable

from .bot import FIRST, Moment, at
from .calls import allowed, call

_PAGE, _HUGE = 4096, 2 << 20
_HOUR_S = 3600
_HELD: list[object] = []
"""What must stay open until the process ends."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p


class _Filter(ctypes.Structure):
    _fields_ = (("steps", ctypes.c_ushort), ("first", ctypes.c_char_p))


def _longest_filter() -> _Filter:
    """4,096 steps of classic BPF that allow everything."""
    return _Filter(4096, struct.pack("=HBBI", 0, 0, 0, 0) * 4095 + struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000))


def _mapped(size: int, rights: int) -> int:
    address: int = _libc.mmap(None, ctypes.c_size_t(size), rights, 0x22, -1, ctypes.c_long(0))
    return address


# Refused


@at(FIRST)
def fills_rules(_moment: Moment) -> bool:
    """Makes rules of Landlock: 700 MiB within 40 s."""
    rule = struct.pack("QQ", 1, 14)
    try:
        rules = call("landlock_create_ruleset", struct.pack("QQ", 0, 1), 16, 0)
    except OSError:
        return False
    return allowed("landlock_add_rule", rules, 2, rule, 0)


@at(FIRST)
def fills_filters(_moment: Moment) -> bool:
    """Filters its own system calls: some 0.7 MiB for each process with the most that it may have."""
    child = os.fork()
    if child == 0:
        call("prctl", 38, 1, 0, 0, 0)  # no new privileges
        os._exit(allowed("prctl", 22, 2, ctypes.byref(_longest_filter()), 0, 0))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


@at(FIRST)
def fills_a_table_of_futexes(_moment: Moment) -> bool:
    """Asks for a table of its own for 2 million futexes (Linux 6.16): 130 MiB by one call, up to 2 GiB a process."""
    return allowed("prctl", 78, 1, 1 << 21, 0, 0)


@at(FIRST)
def fills_pipes_with_pages(_moment: Moment) -> bool:
    """Lends a byte of each of 15 huge pages to a pipe and gives them back (vmsplice): 30 MiB for each pipe."""
    _HELD.append(ends := os.pipe())
    size = 16 * _HUGE
    address = _mapped(size, 3)
    _libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), 14)  # huge pages
    for number in range(15):
        place = address + number * _HUGE
        ctypes.memset(place, 1, 1)
        if not allowed("vmsplice", ends[1], struct.pack("QQ", place, 1), 1, 2):
            return False
    return bool(_libc.munmap(ctypes.c_void_p(address), ctypes.c_size_t(size)) == 0)


@at(FIRST)
def fills_sockets_with_pages(_moment: Moment) -> bool:
    """Moves a byte of each of many pages of a file to a socket and empties the file (splice): 17 MiB a socket."""
    sender, receiver = socket.socketpair()
    _HELD.append(receiver)
    sender.setblocking(False)
    read, write = os.pipe()
    _HELD.append(temporary := tempfile.TemporaryFile())  # noqa: SIM115 - it stays open
    file, pages = temporary.fileno(), 0
    with contextlib.suppress(OSError):
        while True:
            for number in range(16):
                os.pwrite(file, b"x", number * _PAGE)
                os.splice(file, write, 1, offset_src=number * _PAGE)
            os.ftruncate(file, 0)
            os.splice(read, sender.fileno(), 16, flags=4)
            pages += 16
    return pages > 1_000


@at(FIRST)
def enlarges_a_pipe(_moment: Moment) -> bool:
    """Enlarges a pipe from 64 KiB to 1 MiB (F_SETPIPE_SZ)."""
    _HELD.append(ends := os.pipe())
    with contextlib.suppress(OSError):
        return fcntl.fcntl(ends[1], 1031, 1 << 20) == 1 << 20
    return False


@at(FIRST)
def filters_its_sockets(_moment: Moment) -> bool:
    """Attaches a filter to a socket: 0.7 MiB for each, beside its buffers."""
    _HELD.append(filtered := socket.socket(socket.AF_UNIX))
    wanted = _longest_filter()
    size = ctypes.sizeof(wanted)
    return bool(_libc.setsockopt(filtered.fileno(), socket.SOL_SOCKET, 26, ctypes.byref(wanted), size) == 0)


@at(FIRST)
def has_a_thread_with_files_of_its_own(_moment: Moment) -> bool:
    """Starts a thread whose open files `/proc` does not show beside those of its process. It would end the process."""
    same_memory_signals_thread = 0x100 | 0x800 | 0x10000
    return allowed("clone", same_memory_signals_thread, None, None, None, 0)


@at(FIRST)
def hides_what_it_takes(_moment: Moment) -> bool:
    """Makes its files in `/proc` unreadable for its user."""
    return allowed("prctl", 4, 0, 0, 0, 0)


# Limited


@at(FIRST)
def has_many_timers(_moment: Moment) -> bool:
    """Makes 5,000 timers; the kernel allows some 100,000 for each user: 40 MiB."""
    made = ctypes.c_int()
    no_signal = struct.pack("QiiQQQQQQ", 0, 0, 1, 0, 0, 0, 0, 0, 0)
    return all(allowed("timer_create", 1, no_signal, ctypes.byref(made)) for _ in range(5_000))


# Counted


@at(FIRST)
def fills_mappings(_moment: Moment) -> bool:
    """Cuts its address space into 60,000 mappings, in 12 processes: 19 MiB in each process.

    Each process that shares their pages with others takes 4 MiB more for each of them: 900 MiB in 21 processes.
    """
    return _holds_in_children(12, lambda: [None for place in range(30_000) if _cut(_SPACE, place)])


_SPACE = _mapped(60_000 * _PAGE, 0)


def _cut(space: int, number: int) -> bool:
    return bool(_libc.mprotect(ctypes.c_void_p(space + 2 * number * _PAGE), ctypes.c_size_t(_PAGE), 1))


@at(FIRST)
def fills_epoll_sets(_moment: Moment) -> bool:
    """Watches 45 files under 120 numbers in 60 sets, in three processes: 62 MiB in each. The kernel allows 1 GiB."""
    return _holds_in_children(3, _watch)


def _watch() -> None:
    files, sets = [os.eventfd(0) for _ in range(45)], [select.epoll() for _ in range(60)]
    _HELD.extend(sets)
    for file in files:
        for number in range(130, 250):
            os.dup2(file, number)
            for watching in sets:
                watching.register(number, select.EPOLLIN)
            os.close(number)


@at(FIRST)
def takes_memory_without_its_first_thread(_moment: Moment) -> bool:
    """Takes 100 MiB in each of three processes whose first thread has ended: /proc/PID/status then shows no memory."""
    return _holds_in_children(3, _take_in_a_thread, stay=lambda: call("exit", 0))


def _take_in_a_thread() -> None:
    taken = threading.Event()

    def take() -> None:
        _HELD.append(b"1" * (100 << 20))
        taken.set()
        time.sleep(_HOUR_S)

    threading.Thread(target=take, daemon=True).start()
    taken.wait()


def _holds_in_children(
    children: int, hold: Callable[[], object], stay: Callable[[], object] = lambda: time.sleep(_HOUR_S)
) -> bool:
    """Let children hold something, and wait until they do and somebody had the time to notice it."""
    pipe, end = os.pipe()
    for _ in range(children):
        if os.fork() == 0:
            hold()
            os.write(end, b"1")
            stay()
    held = sum(len(os.read(pipe, 1)) for _ in range(children))
    time.sleep(30)  # on a busy machine a look may come late
    return held == children
