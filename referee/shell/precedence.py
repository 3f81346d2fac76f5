"""Who gets a core first (sched(7)). No process may push ahead without privileges, but each may step back.

- What is in the *background* (SCHED_IDLE) stands still while a thread that is not wants the core.
- Many kernels make a group of every session (autogroup). Then a thread stands behind those of its own group only, and
  groups share a core evenly. So a session that is in the background has the least weight that a group can have.
- Who asks for little time at once gets the core when it wakes, and not when another has had its slice, which may take
  4 ms. Linux 6.12 and newer know that; others take no notice.
"""

import ctypes
import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from referee.shell.sandbox.seccomp import UnknownArchitecture, architecture_here

_GROUP = "/proc/self/autogroup"
_LEAST, _USUAL = 19, 0
_TRIES, _REST_S = 10, 0.1
"""Such weights are set at most once in 0.1 s, by all users together without root."""

STAY_BEHIND = (
    f"if [ -w {_GROUP} ]; then for try in {' '.join(map(str, range(_TRIES)))};"
    f" do echo {_LEAST} >{_GROUP} && break; sleep {_REST_S}; done 2>/dev/null; fi; "
)
"""Lets the session of a shell weigh as little as it can."""

_SHORT_NS = 100_000
"""The shortest slice that the kernel knows."""

_ATTRIBUTES = "=IIQiIQQQ"
"""struct sched_attr: size, policy, flags, niceness, priority, runtime, deadline, period (sched_setattr(2))."""

_NOT_OF_CHILDREN = 1
"""SCHED_FLAG_RESET_ON_FORK."""

_libc = ctypes.CDLL(None, use_errno=True)


def is_in_background() -> bool:
    """Whether this thread is in the background, and all that it starts."""
    return os.sched_getscheduler(0) == os.SCHED_IDLE


def go_into_background() -> None:
    """Move this thread, and all that it starts, into the background. Only root could bring it back again."""
    with suppress(OSError):  # some containers forbid it; then all is done in the usual way
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


@contextmanager
def staying_behind() -> Iterator[None]:
    """Let the session of this process weigh as little as it can for a while."""
    _weigh(_LEAST)
    try:
        yield
    finally:
        _weigh(_USUAL)


@contextmanager
def prompt() -> Iterator[None]:
    """Let this thread, but nothing that it starts, have a core as soon as it wakes.

    Whoever gave it a priority of its own knows better, and nothing is changed.
    """
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    if os.sched_getscheduler(0) != os.SCHED_OTHER or niceness < 0:
        yield
        return
    _ask_for_slices(_SHORT_NS, niceness)
    try:
        yield
    finally:
        _ask_for_slices(0, niceness)


def _weigh(niceness: int) -> None:
    for _ in range(_TRIES):
        try:
            group = os.open(_GROUP, os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(group, str(niceness).encode())
            finally:
                os.close(group)
        except BlockingIOError:
            time.sleep(_REST_S)
        except OSError:  # this kernel does not know such groups, or nothing can be said to it here
            return
        else:
            return


def _ask_for_slices(length_ns: int, niceness: int) -> None:
    """Ask for slices of a length, or for the usual ones (0). If the kernel does not know that, nothing happens."""
    with suppress(UnknownArchitecture):
        size = struct.calcsize(_ATTRIBUTES)
        wanted = struct.pack(_ATTRIBUTES, size, os.SCHED_OTHER, _NOT_OF_CHILDREN, niceness, 0, length_ns, 0, 0)
        _libc.syscall(architecture_here().numbers["sched_setattr"], 0, wanted, 0)
