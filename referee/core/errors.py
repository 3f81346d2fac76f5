"""The errors that end a command with one sentence, and with an exit code that says who must act.

A bot's fault is not one of them: it is data of the match. A bug is not one either: it stays a traceback.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from typing import Any, ClassVar, TypeVar

from referee.core.text import one_line

T = TypeVar("T")


class Exit(IntEnum):
    """The exit codes of all commands."""

    DONE = 0
    DOES_NOT_HOLD = 1
    WRONG_USE = 2
    OUR_FAILURE = 3


def with_causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, the one that it was raised from or that it came up at, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


class UserError(Exception):
    """Ends a command with its text: one sentence, or several lines with one sentence each.

    Attributes:
        exit_code: the exit code of the command.
    """

    exit_code: ClassVar[Exit]


class WrongUse(UserError):
    """The user has to correct the command or a file that it names."""

    exit_code = Exit.WRONG_USE


class OurFailure(UserError):
    """The referee failed, or the machine, or something that the referee depends on. No finished work is lost."""

    exit_code = Exit.OUR_FAILURE


class GameBug(OurFailure):
    """The code of a game raised an exception in a match. No bot is to blame, and the match does not count.

    Attributes:
        match_id: that of the match.
        played: the match so far as JSON, for whoever mends the game: header, luck, choices, and the traceback.
    """

    def __init__(self, text: str, match_id: str, played: bytes) -> None:
        super().__init__(text, match_id, played)  # all of it, so that it can be pickled
        self.match_id = match_id
        self.played = played

    def __str__(self) -> str:
        return str(self.args[0])


class Stopped(SystemExit):
    """The process got a signal that ends a command (`referee.cli.signals`).

    This is a SystemExit because asyncio keeps other exceptions of a task in the task.

    Attributes:
        number: the number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


def pass_on(error: BaseException) -> None:
    """Raise an error again if the package whose code was running is not to blame for it. It is for `sys.exit`."""
    if isinstance(error, MemoryError | Stopped | GeneratorExit | KeyboardInterrupt):
        raise error


def load_of(point: Any, what: str, convert: Callable[[Any], T]) -> T:
    """What a package registers at an entry point, converted.

    Raises:
        WrongUse: it cannot be loaded.
    """
    try:
        return convert(point.load())
    except BaseException as error:  # the package's own code may fail in any way
        pass_on(error)
        why = f"{str(error) or repr(error)}; mend or remove the package that registers it"
        raise WrongUse(f"{what} cannot be loaded from {point.value}: {why}") from error


class Void(OurFailure):
    """A match does not count, through our fault, and must be played again; the text says why."""


class CannotStart(Void):
    """A match did not begin because this machine can start no bot now, not even a program of ours; it says why."""


class Busy(Void):
    """A match does not count because the machine was too busy for it; the text says how much time it took away."""


class FileProblems(WrongUse):
    """A file, or something that it refers to, cannot be used.

    Attributes:
        problems: one sentence for each problem, with its place.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        # They quote what stands in files. The tuple is the only argument, so that the error survives pickling.
        self.problems = tuple(map(one_line, problems))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)
