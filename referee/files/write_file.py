"""Writing a file that somebody asked for, and seeing beforehand that it can be written."""

import errno
import os
from pathlib import Path

from referee.core.errors import FileProblems


def check_writable(path: Path, kind: str) -> None:
    """See, before there is anything to lose, that `kind` can be written there.

    Raises:
        FileProblems: it cannot.
    """
    try:
        wrong = _why_not(path)
    except OSError as error:
        raise _unwritable(path, kind, error.errno) from error
    if wrong is not None:
        raise _unwritable(path, kind, wrong)


def write(path: Path, kind: str, content: bytes) -> None:
    """Write `kind`.

    Raises:
        FileProblems: it cannot be written.
    """
    try:
        path.write_bytes(content)
    except OSError as error:
        raise _unwritable(path, kind, error.errno) from error


def _why_not(path: Path) -> int | None:
    """The error that writing the file would cause, as an errno. This opens nothing: the file may be a pipe."""
    if path.is_dir():
        return errno.EISDIR
    if not path.exists() and not path.parent.is_dir():
        return errno.ENOENT
    return None if os.access(path if path.exists() else path.parent, os.W_OK) else errno.EACCES


def _unwritable(path: Path, kind: str, number: int | None) -> FileProblems:
    return FileProblems([f"{path}: the {kind} cannot be written: {os.strerror(number or 0)}"])
