"""The log of runs: a file of JSON lines that never grows too long."""

from pathlib import Path

import msgspec

from referee.core.errors import WrongUse
from tournaments.play.events import Event
from tournaments.play.log_files import LogFile, moment

LONGEST = 16 << 20
"""A file with this many bytes is put aside, and a new one is begun."""

KEPT = 4
"""How many files that were put aside are kept: FILE.1 is the newest."""


class LogFailed(WrongUse):
    """The log cannot be written."""


class EventLog:
    """Appends events to a file, one line each. Several runs may write to it.

    Attributes:
        failure: why nothing is written any more, one sentence; None while all is well. A league does not end for this.
    """

    def __init__(self, path: Path, longest: int = LONGEST) -> None:
        """Open the file, or begin it.

        Raises:
            LogFailed: it cannot be opened.
        """
        self.failure: str | None = None
        self._path = path
        try:
            self._lines = LogFile(path, longest, KEPT)
        except OSError as error:
            raise LogFailed(f"the log {path} cannot be written: {error.strerror}") from error

    def note(self, event: Event, now_ms: int) -> None:
        """Append an event that happened at `now_ms`, in milliseconds since 1970 (UTC)."""
        if self.failure is not None:
            return
        try:
            self._lines.append(msgspec.json.encode({"at": moment(now_ms), **msgspec.to_builtins(event)}) + b"\n")
        except OSError as error:
            self.failure = f"the log {self._path} is no longer written: {error.strerror}; the league goes on"
            self.close()

    def close(self) -> None:
        """Close the file."""
        self._lines.close()
