"""Reading and writing the file of a transcript."""

import errno
import os
from pathlib import Path

import msgspec

from referee.files.problems import FileProblems
from referee.files.reading import read_ordinary
from referee.match.transcript import Transcript, from_file, to_file

MOST_BYTES = 64 << 20
"""The size of a transcript that is read. The longest matches of our games take less than a hundredth of that."""


def read_transcript(path: Path) -> tuple[Transcript, str]:
    """The transcript in a file, and the digest that the file claims.

    Raises:
        FileProblems: it cannot be read, or is not a transcript.
    """
    try:
        return from_file(read_ordinary(path, MOST_BYTES))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FileProblems([f"{path}: is not a transcript: {error}"]) from error


def hold_writable(path: Path) -> None:
    """See, before there is anything to lose, that a file can be written there.

    Raises:
        FileProblems: it cannot.
    """
    try:
        wrong = _why_not(path)
    except OSError as error:
        raise _unwritable(path, error.errno) from error
    if wrong is not None:
        raise _unwritable(path, wrong)


def write_transcript(path: Path, transcript: Transcript) -> None:
    """Write the file.

    Raises:
        FileProblems: it cannot be written.
    """
    try:
        path.write_bytes(to_file(transcript))
    except OSError as error:
        raise _unwritable(path, error.errno) from error


def _why_not(path: Path) -> int | None:
    """What would go wrong if the file were written, as an errno. Nothing is opened: it may be a pipe."""
    if path.is_dir():
        return errno.EISDIR
    if not path.exists() and not path.parent.is_dir():
        return errno.ENOENT
    return None if os.access(path if path.exists() else path.parent, os.W_OK) else errno.EACCES


def _unwritable(path: Path, number: int | None) -> FileProblems:
    return FileProblems([f"{path}: the transcript cannot be written: {os.strerror(number or 0)}"])
