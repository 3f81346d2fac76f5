"""What people are told when a command cannot go on: one sentence, and an exit code that says whose part it was.

A bot's fault is none of these, since it is data of the match. A bug is none either: it stays a traceback.
"""

from enum import IntEnum
from typing import ClassVar


class Exit(IntEnum):
    """What the exit code of every command means."""

    DONE = 0
    DOES_NOT_HOLD = 1
    WRONG_USE = 2
    OUR_FAILURE = 3


class Told(Exception):
    """Ends a command with its text, which is one sentence or several lines of one each.

    Attributes:
        exit_code: of the command.
    """

    exit_code: ClassVar[Exit]


class WrongUse(Told):
    """What was asked for, or a file that was named, has to be mended by the user."""

    exit_code = Exit.WRONG_USE


class OurFailure(Told):
    """The referee, the machine or somebody it depends on failed; nothing that was done is lost."""

    exit_code = Exit.OUR_FAILURE


class Void(OurFailure):
    """A match does not count, through our fault, and is to be played again; the text says why."""
