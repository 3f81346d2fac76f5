"""The errors that end a command with one sentence, and with an exit code that says who must act.

A bot's fault is not one of them: it is data of the match. A bug is not one either: it stays a traceback.
"""

from enum import IntEnum
from typing import ClassVar


class Exit(IntEnum):
    """The exit codes of all commands."""

    DONE = 0
    DOES_NOT_HOLD = 1
    WRONG_USE = 2
    OUR_FAILURE = 3


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


class Void(OurFailure):
    """A match does not count, through our fault, and must be played again; the text says why."""


class CannotStart(Void):
    """A match did not begin because this machine can start no bot now, not even a program of ours; it says why."""


class Busy(Void):
    """A match does not count because the machine was too busy for it; the text says how much time it took away."""
