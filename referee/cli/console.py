"""What commands print, and how they end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich.console import Console

from referee.shell.problems import FileProblems
from referee.shell.remote import Unreachable
from referee.shell.void import Void
from tournaments.executors.local import WorkerBug, WorkersFail
from tournaments.league import BotsAway
from tournaments.lock import LockFailed, LockHeld
from tournaments.pins import LeagueChanged, UnreadableBot
from tournaments.store import StoreError, WrongAddress

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for programs.")]

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)
wide = Console(highlight=False, width=1_000)
"""For tables: they are as wide as they need, not cut to the terminal."""


class Exit(IntEnum):
    """What the exit code of every command means."""

    DONE = 0
    DOES_NOT_HOLD = 1
    WRONG_USE = 2
    OUR_FAILURE = 3


_WRONG_USE = (FileProblems, LeagueChanged, UnreadableBot, LockHeld, WrongAddress)
_OUR_FAILURES = (Void, BotsAway, StoreError, LockFailed, WorkersFail)


def print_json(value: Any) -> None:
    """`value` as one JSON document."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value)).decode() + "\n")


def fail(code: int, *sentences: str) -> NoReturn:
    """Say what is wrong and end with `code`."""
    for sentence in sentences:
        err.print(sentence, markup=False)
    sys.exit(code)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what users can do wrong, and what can go wrong around us, into sentences. A bug stays a traceback."""
    try:
        yield
    except _WRONG_USE as error:
        fail(Exit.WRONG_USE, str(error))
    except Unreachable as error:
        fail(Exit.WRONG_USE, str(error))
    except _OUR_FAILURES as error:
        fail(Exit.OUR_FAILURE, str(error))
    except WorkerBug as error:
        fail(Exit.OUR_FAILURE, "This is a bug in the referee; please report it with what follows.", str(error))
