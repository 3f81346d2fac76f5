"""How a command ends before it is done: a run with one sentence, and with the command that goes on."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from referee.cli.console import fail, sentences
from referee.core.errors import Exit, OurFailure, Stopped
from referee.runtime.shortages import describe_shortage, is_shortage


@contextmanager
def exit_on_stop(hint: str) -> Iterator[None]:
    """When a run is stopped, end it and say how to go on."""
    try:
        yield
    except Stopped as stopped:
        fail(128 + stopped.number, f"stopped; {hint}")


@contextmanager
def exit_on_failure(hint: str, *passed_on: type[OurFailure]) -> Iterator[None]:
    """When a run cannot go on now, end it and say how to go on. The caller handles what is `passed_on`."""
    try:
        yield
    except passed_on:
        raise
    except OurFailure as failure:
        fail(failure.exit_code, *sentences(failure), hint)
    except (OSError, RuntimeError, MemoryError) as error:
        if not is_shortage(error):
            raise
        fail(Exit.OUR_FAILURE, f"this machine lacks something {describe_shortage(error)}", hint)


@contextmanager
def until_ctrl_c() -> Iterator[None]:
    """Go on until Ctrl-C, if not less: that is how such a command is meant to end."""
    try:
        yield
    except Stopped as stopped:
        if stopped.number != signal.SIGINT:
            raise
