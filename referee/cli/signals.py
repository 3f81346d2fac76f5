"""Ctrl-C (SIGINT), SIGTERM and SIGHUP end a command.

It prints one sentence, ends its bots and removes its temporary files. A terminal sends SIGHUP when it closes. A command
that was started to ignore SIGHUP (nohup) goes on.

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

from referee.core.errors import Stopped

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_SENTENCE = "stopped before it was done"
_AGAIN_S = 0.01
"""A lost exception is raised again after this delay. By then, the code that swallowed it should be done."""


@contextmanager
def end_on_signals() -> Iterator[None]:
    """Let the signals of `SIGNALS` end the block. They end the process at once until `something_to_tidy_up` is called.

    After the block they are ignored: only the end of the process is left, and its exit code is settled.
    """
    _handle(_end_at_once)
    hook = sys.unraisablehook
    try:
        yield
    except Stopped:
        print(_SENTENCE, file=sys.stderr)
        raise
    finally:
        sys.unraisablehook = hook
        for handler in (_do_nothing, signal.SIG_IGN):  # Python complains if a pending signal becomes ignored
            _handle(handler)


def something_to_tidy_up() -> None:
    """From now on a signal raises `Stopped` in the main thread."""
    import logging  # noqa: PLC0415 - it would delay the first handling of signals

    logging.getLogger("asyncio").addFilter(_is_no_stop)
    _handle(_stop)
    sys.unraisablehook = _raise_again(sys.unraisablehook)


def _handle(handler: Any) -> None:
    """Set the handler of all signals, but leave an ignored SIGHUP ignored.

    SIGINT is set all the same: a shell lets commands in the background ignore it, and `kill -INT` is to end them.
    """
    for number in SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _end_at_once(number: int, _frame: FrameType | None) -> NoReturn:
    os.write(2, f"{_SENTENCE}\n".encode())
    os._exit(128 + number)


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    _handle(_do_nothing)
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
