"""The log of runs: a file of JSON lines that never grows too long."""

import contextlib
import datetime
import os
from pathlib import Path
from typing import BinaryIO

import msgspec

from referee.core.errors import WrongUse
from tournaments.chronicle import Event

LONGEST = 16 << 20
"""A file with this many bytes is put aside, and a new one is begun."""

KEPT = 4
"""How many files that were put aside are kept: FILE.1 is the newest."""


class CannotLog(WrongUse):
    """The log cannot be written."""


class Journal:
    """Appends events to a file, one line each. Several runs may write to it, one after the other.

    Attributes:
        failure: why nothing is written any more, one sentence; None while all is well. A league does not end for this.
    """

    def __init__(self, path: Path, longest: int = LONGEST) -> None:
        """Open the file, or begin it.

        Raises:
            CannotLog: it cannot be opened.
        """
        self.failure: str | None = None
        self._path = path
        self._longest = longest
        try:
            self._file: BinaryIO | None = self._open()
        except OSError as error:
            raise CannotLog(f"the log {path} cannot be written: {error.strerror}") from error

    def note(self, event: Event, now_ms: int) -> None:
        """Append an event that happened at `now_ms`, in milliseconds since 1970 (UTC)."""
        if self._file is None:
            return
        line = msgspec.json.encode({"at": _moment(now_ms), **msgspec.to_builtins(event)}) + b"\n"
        try:
            if self._file.tell() + len(line) > self._longest:
                self._file.close()
                self._put_aside()
                self._file = self._open()
            self._file.write(line)
        except OSError as error:
            self.failure = f"the log {self._path} is no longer written: {error.strerror}; the league goes on"
            self.close()

    def close(self) -> None:
        """Close the file."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()

    def _open(self) -> BinaryIO:
        file = self._path.open("ab", buffering=0)
        if _ends_amid_a_line(self._path):  # a run was killed while it wrote, or the disk was full
            file.write(b"\n")
        return file

    def _put_aside(self) -> None:
        for number in range(KEPT, 0, -1):
            newer = self._path if number == 1 else self._aside(number - 1)
            if newer.exists():
                newer.replace(self._aside(number))

    def _aside(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


def _ends_amid_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return False
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"


def _moment(now_ms: int) -> str:
    return datetime.datetime.fromtimestamp(now_ms / 1_000, datetime.UTC).isoformat(timespec="milliseconds")
