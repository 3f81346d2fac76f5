"""Ctrl-C (SIGINT) and SIGTERM end a command. It prints one sentence, ends its bots and removes its temporary files.

While there is nothing to tidy up, for example during imports, the process ends at once: code that is being imported
could mistake an exception for something else. Later, the exception `Stopped` ends the command. A second signal changes
nothing.
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
"""A lost exception is raised again after this delay. By then, the code that swallowed it should be done."""


class Stopped(SystemExit):
    """The process got SIGINT or SIGTERM.

    This is a SystemExit because asyncio keeps other exceptions of a task in the task.

    Attributes:
        number: the number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


@contextmanager
def end_on_signals() -> Iterator[None]:
    """Let SIGINT and SIGTERM end the block. They end the process at once until `something_to_tidy_up` is called.

    After the block they are ignored: only the end of the process is left, and its exit code is settled.
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
        for handler in (_do_nothing, signal.SIG_IGN):  # Python complains if a pending signal becomes ignored
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
    """A hook for exceptions that nobody can catch because a destructor or a C callback raised them."""

    def hook(lost: Any) -> None:
        if isinstance(lost.exc_value, Stopped):
            number = lost.exc_value.number
            signal.signal(signal.SIGALRM, lambda _alarm, frame: _stop(number, frame))
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
        else:
            otherwise(lost)

    return hook


def _is_no_stop(record: Any) -> bool:
    """Whether to keep a log record. asyncio would complain that nobody fetched the exception of a stopped task."""
    return not (record.exc_info and isinstance(record.exc_info[1], Stopped))
