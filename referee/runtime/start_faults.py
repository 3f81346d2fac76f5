"""Why a bot in a folder did not start, as far as its files say it: the folder is away, or the program cannot be run."""

import os
from collections.abc import Sequence
from pathlib import Path

from referee.files.manifest import MANIFEST

_LONGEST_FIRST_LINE = 256
"""So many bytes of a script's first line the kernel reads (execve(2))."""


def is_away(folder: Path) -> bool:
    """Whether a bot's folder is not there now, such as one on a disk that is not mounted. It is nobody's fault."""
    return not (folder / MANIFEST).exists()


def unusable_program(command: Sequence[str], folder: Path) -> str | None:
    """Why no system can run the program of a command, in words that go after "the bot"; None if nothing is found.

    Only a program in the bot's folder is looked at.
    """
    program = command[0]
    path = folder / program
    if "/" not in program:
        return None
    if not path.is_file():
        return f"has no file {program} in its folder"
    if not os.access(path, os.X_OK):
        return f"has no right to execute {program}; give it: chmod +x {program}"
    try:
        with path.open("rb") as file:
            first = file.readline(_LONGEST_FIRST_LINE)
    except OSError:
        return None
    if first.startswith(b"#!") and first.rstrip(b"\n").endswith(b"\r"):
        return f"has a first line in {program} that ends with CR LF, as on Windows; save the file with LF alone"
    return None
