"""Signals while something is done that must not be left half done."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
"""Signals that end a command: Ctrl-C, what timeout(1) and supervisors send, and what a closed terminal sends."""


def ending_signals() -> frozenset[signal.Signals]:
    """Those of `ENDING` that this process does not ignore. nohup(1) starts a program that ignores SIGHUP."""
    return frozenset(number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN)


@contextmanager
def handle_signals(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Let `handler` handle the signals of `ENDING` meanwhile, unless this process ignores them.

    Python calls the handlers of signals in the main thread only. In any other thread there is nothing to do.
    """
    ours = ending_signals() if threading.current_thread() is threading.main_thread() else ()
    before = {number: signal.signal(number, handler) for number in ours}
    try:
        yield
    finally:
        for number, handler_before in before.items():
            signal.signal(number, handler_before)


@contextmanager
def hold_signals_back() -> Iterator[None]:
    """Let the signals of `ENDING` make no exception meanwhile. The first signal is raised afterwards."""
    came: list[int] = []
    try:
        with handle_signals(lambda number, _frame: came.append(number)):
            yield
    finally:
        for first in came[:1]:
            signal.raise_signal(first)
