"""Reading and writing the file of a transcript."""

from pathlib import Path

import msgspec

from referee.files.problems import FileProblems
from referee.match.transcript import Transcript, from_file, to_file


def read_transcript(path: Path) -> tuple[Transcript, str]:
    """The transcript in a file, and the digest that the file claims.

    Raises:
        FileProblems: it cannot be read, or is not a transcript.
    """
    try:
        return from_file(path.read_bytes())
    except OSError as error:
        raise FileProblems([f"{path}: cannot be read: {error.strerror}"]) from error
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise FileProblems([f"{path}: is not a transcript: {error}"]) from error


def write_transcript(path: Path, transcript: Transcript) -> None:
    """Write the file.

    Raises:
        FileProblems: it cannot be written.
    """
    try:
        path.write_bytes(to_file(transcript))
    except OSError as error:
        raise FileProblems([f"{path}: the transcript cannot be written: {error.strerror}"]) from error
