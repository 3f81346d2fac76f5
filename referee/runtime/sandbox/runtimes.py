"""The runtimes and compilers for bots that are found on this machine, and whether they run in a box."""

import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

import msgspec

from referee.runtime.confinement import Confinement
from referee.runtime.process_sessions import temporary_folder
from referee.runtime.sandbox.run_command import CommandResult, run_building, run_playing

_Run: TypeAlias = Callable[[Confinement, Sequence[str], Path], CommandResult]

_COMMANDS: tuple[tuple[_Run, tuple[str, ...]], ...] = (
    (run_playing, (sys.executable, "--version")),
    (run_playing, ("java", "-version")),
    (run_playing, ("node", "--version")),
    (run_building, ("javac", "-version")),
    (run_building, ("npm", "--version")),
    (run_building, ("go", "version")),
    (run_building, ("rustc", "--version")),
    (run_building, ("cargo", "--version")),
    (run_building, ("g++", "--version")),
    (run_building, ("cmake", "--version")),
    (run_building, ("make", "--version")),
)
"""The commands that say the version of what bots run with, and of what they are built with."""


class Runtime(msgspec.Struct, frozen=True):
    """A program that runs or builds bots.

    Attributes:
        name: the name of the program.
        place: where it is; None if it is not installed.
        runs: whether it runs confined; None if that was not tried.
        words: what it says about its version; where it does not run, the reason.
    """

    name: str
    place: str | None
    runs: bool | None = None
    words: str = ""


def runtimes(confined: Confinement | None, names: Collection[str] | None = None) -> Iterator[Runtime]:
    """The runtimes and compilers that are known here, after each was tried.

    Args:
        confined: how they are tried; None if nothing can be confined here.
        names: which of them; None: all.
    """
    for run, command in _COMMANDS:
        name = "python" if command[0] == sys.executable else command[0]
        if names is not None and name not in names:
            continue
        place = shutil.which(command[0])
        if place is None or confined is None:
            yield Runtime(name, place)
        else:
            yield Runtime(name, place, *_tried(partial(run, confined, command)))


def _tried(run: Callable[[Path], CommandResult]) -> tuple[bool, str]:
    """Whether a command runs, and its output."""
    with temporary_folder() as folder:
        try:
            ended = run(folder)
        except OSError as error:
            return False, str(error)
    return ended.code == 0, _first_line(ended)


def _first_line(ended: CommandResult) -> str:
    """Some programs write their version to standard output, and some to standard error."""
    texts = [ended.output, ended.words] if ended.code == 0 else [ended.words, ended.output]
    lines = [line for text in texts for line in text.splitlines()]
    return lines[0] if lines else f"it ended with code {ended.code}"
