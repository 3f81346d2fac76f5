"""Signals while something is done that must not be left half done."""

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

ENDING = frozenset({signal.SIGINT, signal.SIGTERM})
"""Signals that end a command: Ctrl-C, and what timeout(1) and supervisors send."""


@contextmanager
def hold_signals_back(numbers: Iterable[signal.Signals] = ENDING) -> Iterator[None]:
    """Let these signals make no exception meanwhile. The first signal is raised afterwards.

    Python calls the handlers of signals in the main thread only. In any other thread there is nothing to do.
    """
    came: list[int] = []
    ours = numbers if threading.current_thread() is threading.main_thread() else ()
    handlers = {number: signal.signal(number, lambda number, _frame: came.append(number)) for number in ours}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for first in came[:1]:
            signal.raise_signal(first)
