"""Files of transcripts. The match in which a game failed becomes a file, too, for whoever mends the game."""

from pathlib import Path

import msgspec

from referee.core.errors import FileProblems, GameBug
from referee.files.safe_read import read_ordinary
from referee.files.write_file import write
from referee.match.transcript import Transcript, from_file, to_file


def keep(bug: GameBug) -> str:
    """Write the match into the current folder. Returns what happened, and where the match is, in a sentence."""
    path = Path(f"game-bug-{bug.match_id}.json")
    try:
        path.write_bytes(msgspec.json.format(bug.played))
        note = f"the match up to there is in {path}"
    except OSError as error:
        note = f"the match could not be kept as {path}: {error.strerror}"
    return f"{bug}, and no bot pays for it; {note}"


MOST_BYTES = 64 << 20
"""The size of a transcript that is read. The longest matches of our games take less than a hundredth of that."""


def read_transcript(path: Path) -> tuple[Transcript, str]:
    """The transcript in a file, and the digest that the file claims.

    Raises:
        FileProblems: it cannot be read, or is not a transcript.
    """
    try:
        return from_file(read_ordinary(path, MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise FileProblems([f"{path}: is not a transcript: {error}"]) from error


def write_transcript(path: Path, transcript: Transcript) -> None:
    """Write the file.

    Raises:
        FileProblems: it cannot be written.
    """
    write(path, "transcript", to_file(transcript))
