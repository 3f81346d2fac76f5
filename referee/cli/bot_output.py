"""What a bot writes for people in a command: told at once, and kept in a file.

The files are in the user's cache, under the names of the bots. The next command with the same bot replaces them.
"""

import os
from pathlib import Path

from referee.cli.console import remark
from referee.core.text import one_line

MOST_BYTES = 1 << 20
"""So much is kept: the beginning."""


class BotOutput:
    """What one bot writes, at one seat or at all of them."""

    def __init__(self, name: str) -> None:
        """`name` is that of the file, without its ending."""
        self._name = name
        self._written = bytearray()
        self._told = 0

    def hear(self, output: bytes) -> None:
        """Take a piece: a `StderrListener`."""
        self._written += output[: MOST_BYTES - len(self._written)]

    def news(self) -> list[str]:
        """The lines since the last call."""
        new, self._told = self._written[self._told :], len(self._written)
        return [one_line(line) for line in new.decode(errors="backslashreplace").splitlines()]

    def keep(self) -> Path | None:
        """Write the file. Returns it; None if the bot wrote nothing, or the file cannot be written."""
        self._told = 0
        lines = self.news()
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "referee" / "output"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / f"{self._name}.txt"
            file.unlink(missing_ok=True)  # what the bot of an earlier command wrote is no longer true
            if lines:
                file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
                return file
        except OSError as error:
            remark(f"what the bot wrote cannot be kept: {error.filename or folder}: {error.strerror}")
        return None
