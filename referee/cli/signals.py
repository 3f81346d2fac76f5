"""How Ctrl-C (SIGINT) and SIGTERM end a command: with one sentence, its bots ended and its temporary files removed.

As long as there is nothing to tidy up, as while modules are imported, the process ends where it is: an exception that
comes in the middle of an import may be taken for something else. Later it is `Stopped` that ends the command. A second
signal changes nothing.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM)

_SENTENCE = "stopped before it was done"
_AGAIN_S = 0.01
"""An exception that got lost is raised again so much later, when whatever swallowed it should be over."""


class Stopped(SystemExit):
    """SIGINT or SIGTERM came. A SystemExit, since other exceptions that come in a task of asyncio stay in the task.

    Attributes:
        number: of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Let SIGINT and SIGTERM end what is done meanwhile, at once until `something_to_tidy_up` is called.

    After it they are ignored: nothing is left to be done but to end the process, and its exit code is settled.
    """
    for number in SIGNALS:
        signal.signal(number, _end_at_once)
    hook = sys.unraisablehook
    try:
        yield
    except Stopped:
        print(_SENTENCE, file=sys.stderr)
        raise
    finally:
        sys.unraisablehook = hook
        for handler in (_do_nothing, signal.SIG_IGN):  # Python complains of one that is pending as it becomes ignored
            for number in SIGNALS:
                signal.signal(number, handler)


def something_to_tidy_up() -> None:
    """From now on a signal raises `Stopped` in the main thread."""
    import logging  # noqa: PLC0415 - it would delay the first handling of signals

    logging.getLogger("asyncio").addFilter(_is_no_stop)
    for number in SIGNALS:
        signal.signal(number, _stop)
    sys.unraisablehook = _raise_again(sys.unraisablehook)


def _end_at_once(number: int, _frame: FrameType | None) -> NoReturn:
    os.write(2, f"{_SENTENCE}\n".encode())
    os._exit(128 + number)


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    for each in SIGNALS:
        signal.signal(each, _do_nothing)
    raise Stopped(number)


def _do_nothing(_number: int, _frame: FrameType | None) -> None:
    pass


def _raise_again(otherwise: Any) -> Any:
    """A hook for exceptions that nobody can catch, since they were raised in a destructor or a callback of C."""

    def hook(lost: Any) -> None:
        if isinstance(lost.exc_value, Stopped):
            number = lost.exc_value.number
            signal.signal(signal.SIGALRM, lambda _alarm, frame: _stop(number, frame))
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
        else:
            otherwise(lost)

    return hook


def _is_no_stop(record: Any) -> bool:
    """Of a task that was stopped, asyncio would say that nobody asked what became of it."""
    return not (record.exc_info and isinstance(record.exc_info[1], Stopped))
