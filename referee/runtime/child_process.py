"""A process that serves another one on this machine: it ends with that one, and leaves the signals to it."""

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from referee.runtime.signals import ENDING, hold_signals_back

_PR_SET_PDEATHSIG = 1  # prctl(2)


def serve(master: int) -> None:
    """Do this first in a process that serves the process `master`, which has started it."""
    _die_with(master)
    _leave_signals_to_the_master()


def _die_with(master: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != master:  # it died before the call above
        os.kill(os.getpid(), signal.SIGKILL)


def _leave_signals_to_the_master() -> None:
    """Do nothing at signals that end a command, and no longer hold them back.

    They may reach the whole process group. The served process decides what they mean.
    This uses a handler, not SIG_IGN, which bots would inherit: they must receive the SIGTERM that ends them.
    """
    for number in ENDING:
        signal.signal(number, lambda _number, _frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


@contextmanager
def defer_signals() -> Iterator[None]:
    """Meanwhile no signal makes an exception. The started process has them blocked, until it is set for them.

    To block them does not suffice: any other thread may take them, and Python calls their handlers in the main one.
    """
    with hold_signals_back():
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
