"""What a rogue may try to gain time, or a match that does not count, when it should answer.

Its clock stands still while the machine keeps it from running. So each of these tries to look as if the machine did.
"""

import contextlib
import hashlib
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable

from .bot import SECOND, STARTED, Moment, at
from .frames import PING, SETTINGS, WINDOW_UPDATE, frame

HOUR_S = 3600.0
MANY = 100

_LOOK_S = (0.000_2, 0.002)
"""A process that spins and sees this much time pass at once was interrupted for a look; another bot would take more."""


@at(SECOND)
def sleeps(_moment: Moment) -> None:
    """Does nothing at all."""
    time.sleep(HOUR_S)


@at(SECOND)
def spins(_moment: Moment) -> None:
    """Works without end."""
    _spin(HOUR_S)


@at(SECOND)
def starves_itself_with_threads(_moment: Moment) -> None:
    """Has a hundred threads that all work, so that each waits for the others nearly all the time."""
    _threads(MANY, lambda: _work(HOUR_S))
    time.sleep(HOUR_S)


@at(SECOND)
def starves_itself_with_processes(_moment: Moment) -> None:
    """Has as many processes that all work as it may have."""
    _processes(MANY, HOUR_S)
    _spin(HOUR_S)


@at(SECOND)
def wakes_all_at_once(_moment: Moment) -> None:
    """Has threads that sleep, wake together, and want the core at the same moment: together they hardly use it."""

    def wake() -> None:
        while True:
            time.sleep(0.05 - time.monotonic() % 0.05)
            _work(0.000_5)

    _threads(50, wake)
    time.sleep(HOUR_S)


@at(SECOND)
def hides_its_children(_moment: Moment) -> None:
    """Lets children that nobody waits for take the core, all the time, and none of them lives for long."""
    _forget_children()
    while True:
        _processes(5, 0.02)
        _spin(0.03)


@at(SECOND)
def hides_its_children_between_looks(moment: Moment) -> None:
    """Sees when the referee looks, and lets children take the core just after that: few live at the next look."""
    unseen_s = moment.time_left_ms / 1000 / 40  # whatever it takes, it gains about the same: see `pause_ns`
    _forget_children()
    while True:
        _until_interrupted()
        _processes(5, unseen_s)
        _spin(unseen_s)


@at(SECOND)
def hogs_the_core_around_its_deadline(moment: Moment) -> None:
    """Sleeps until just before its deadline. Then it takes the core, so that the referee is late."""
    time.sleep(moment.time_left_ms / 1000)
    _processes(MANY, HOUR_S)
    _spin(HOUR_S)


@at(SECOND)
def hogs_the_core_unseen_around_its_deadline(moment: Moment) -> None:
    """Sleeps until just before its deadline. Then children take the core that nobody waits for and that end soon."""
    _forget_children()
    time.sleep(moment.time_left_ms / 1000)
    while True:
        _processes(MANY, 0.05)


@at(STARTED, SECOND)
def changes_its_threads(_moment: Moment) -> bool | None:
    """Lets a thread wait for others while a match begins. Later that thread takes the place of the first one (execve).

    To the kernel, this is a first thread that has suddenly waited for long.
    """
    if not _WAITED:
        until = time.monotonic() + _WAITS_S
        _threads(20, lambda: _work(until - time.monotonic()))
        _WAITED.append(_becomes_another_later())
        time.sleep(_WAITS_S)
        return False
    time.sleep(0.4)  # what was before the first look does not count
    _WAITED[0].set()
    time.sleep(HOUR_S)
    return None


_WAITS_S = 6.0
"""More than three times the limit."""

_WAITED: list[threading.Event] = []
"""Set when the thread that has waited takes the place of the first one."""


def _becomes_another_later() -> threading.Event:
    now = threading.Event()
    until = time.monotonic() + _WAITS_S

    def run() -> None:
        _work(until - time.monotonic())
        now.wait()
        for descriptor in range(3, 50):
            with contextlib.suppress(OSError):
                os.set_inheritable(descriptor, True)  # so that the referee's connection stays
        os.execv(sys.executable, [sys.executable, "-c", f"import time; time.sleep({HOUR_S})"])  # noqa: S606 - that is the attack

    threading.Thread(target=run, daemon=True).start()
    return now


@at(SECOND)
def keeps_the_referee_busy_with_pings(moment: Moment) -> None:
    """Sends pings without end, so that the referee uses the core in its place."""
    moment.line.flood(frame(PING, payload=bytes(8)) * 100)


@at(SECOND)
def keeps_the_referee_busy_with_settings(moment: Moment) -> None:
    """Sends settings without end, so that the referee uses the core in its place."""
    moment.line.flood(frame(SETTINGS) * 100)


@at(SECOND)
def keeps_the_referee_busy_with_windows(moment: Moment) -> None:
    """Opens its window without end, so that the referee uses the core in its place."""
    moment.line.flood(frame(WINDOW_UPDATE, payload=struct.pack(">I", 1)) * 100)


def _threads(count: int, work: Callable[[], None]) -> None:
    """Start so many threads, or as many as it may."""
    threading.stack_size(1 << 16)
    with contextlib.suppress(RuntimeError):
        for _ in range(count):
            threading.Thread(target=work, daemon=True).start()


def _processes(count: int, seconds: float) -> None:
    """Start so many children that spin for so long, or as many as it may."""
    until = time.monotonic() + seconds
    with contextlib.suppress(OSError):
        for _ in range(count):
            if os.fork() == 0:
                _spin(until - time.monotonic())
                os._exit(0)


def _forget_children() -> None:
    """Let nobody wait for children, so that the kernel forgets for how long they ran."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def _spin(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def _work(seconds: float) -> None:
    """Work for so long without the interpreter's lock, so that threads want the core at the same time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 500)


def _until_interrupted() -> None:
    before = time.monotonic()
    while not _LOOK_S[0] < (now := time.monotonic()) - before < _LOOK_S[1]:
        before = now
