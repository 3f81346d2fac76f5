"""`python -m tests.busy.watched NOTES COMMAND...`: `referee COMMAND...`, whose workers note what they saw.

A line of the file NOTES is a `Starvation` in which the machine kept a bot from answering. The numbers are nanoseconds.
"""

import os
import sys
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

from referee.cli.main import main
from referee.match.starvation import Starvation
from referee.runtime import stopwatch
from tournaments.play.workers import worker

LOOKS = ("between", "overslept")
"""The functions with which a stopwatch judges its samples."""


def noted(notes: Path) -> list[Starvation]:
    """What was noted, in no particular order."""
    lines = notes.read_text().splitlines() if notes.exists() else []
    return [Starvation(*map(int, line.split())) for line in lines]


def noting(look: Callable[..., Starvation], note: Callable[[Starvation], None]) -> Callable[..., Starvation]:
    """The same function, which tells `note` of each result in which a bot was kept from answering."""

    @wraps(look)
    def looked(*arguments: Any) -> Starvation:
        happened = look(*arguments)
        if happened.kept_ns:
            note(happened)
        return happened

    return looked


def _write(notes: str, happened: Starvation) -> None:
    """Note it. A single write to a file opened for appending does not mix with lines of other workers."""
    file = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, (" ".join(map(str, happened)) + "\n").encode())
    os.close(file)


def _work(notes: str, *arguments: Any) -> None:
    """What a worker does, in its own process."""
    for name in LOOKS:
        setattr(stopwatch, name, noting(getattr(stopwatch, name), partial(_write, notes)))
    worker.main(*arguments)


if __name__ == "__main__":
    worker.main = partial(_work, sys.argv.pop(1))
    main()
