"""Stores matches of persons as files, and removes the oldest if there are too many or they take too much room."""

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from referee.core.errors import OurFailure
from referee.match.terms import EntryTerms
from referee.match.transcript import Transcript, from_file, to_file

_ENDING = ".json"
_NAME = re.compile("[0-9a-f]{32}")


class CannotKeep(OurFailure):
    """A match cannot be written to the disk."""


class Archive:
    """A folder of transcripts."""

    def __init__(self, folder: Path, most: int, most_bytes: int) -> None:
        """Keep at most `most` transcripts there, of `most_bytes` together. The folder is made when it is needed."""
        self._folder = folder
        self._most = most
        self._most_bytes = most_bytes

    def keep(self, transcript: Transcript, now_ms: int) -> Path:
        """Write a transcript, and remove the oldest ones if there are too many.

        File names begin with the time. The rest is the name under which `read` finds it; nobody can guess it.

        Raises:
            CannotKeep: it cannot be written to the disk.
        """
        path = self._folder / f"{now_ms:014d}-{secrets.token_hex(16)}{_ENDING}"
        beside = path.with_suffix(".part")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            beside.write_bytes(to_file(transcript))
            os.replace(beside, path)  # noqa: PTH105 - so that no half of a file is ever called a transcript
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise CannotKeep(f"{path}: cannot be written: {error.strerror}") from error
        self._thin_out()
        return path

    def read(self, name: str) -> bytes | None:
        """The transcript of this name, as visitors may see it; None if there is none, or none any more."""
        for path in self._folder.glob(f"*-{name}{_ENDING}") if _NAME.fullmatch(name) else ():
            with suppress(FileNotFoundError):
                return to_file(for_visitors(from_file(path.read_bytes())[0]))
        return None

    def _thin_out(self) -> None:
        paths = sorted(self._folder.glob(f"{'[0-9]' * 14}-*{_ENDING}"), reverse=True)  # no file of another name
        room = self._most_bytes
        for number, path in enumerate(paths):
            room -= path.stat().st_size
            if number >= self._most or (room < 0 and number):  # the newest stays, however large it is
                path.unlink(missing_ok=True)


def for_visitors(transcript: Transcript) -> Transcript:
    """The transcript without the data that visitors may not see: paths, stderr, variables and arguments of bots.

    The record and its digest are the same.
    """
    metadata = transcript.metadata
    remarks = tuple(replace(remark, stderr="") for remark in metadata.remarks)
    terms = tuple(EntryTerms(clock=each.clock) for each in transcript.terms)
    return replace(transcript, metadata=replace(metadata, remarks=remarks, bots=(), terms=terms))
