"""What bots write for people: told under the decision at which it came, and kept in a file.

The files are in the user's cache, under the names of the bots. The next command with the same bot replaces them.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from referee.cli.console import remark
from referee.core.outcome import Seat
from referee.core.text import one_line, several
from referee.match.conversation import Reply
from referee.match.match import Match, Request
from referee.match.narrator import Narrator
from referee.runtime.host import StderrListener

MOST_BYTES = 1 << 20
"""Of what a bot writes in a match, so much is kept: the beginning."""


class KeptOutput(msgspec.Struct, frozen=True):
    """What one bot wrote.

    Attributes:
        seat: its seat.
        lines: how many lines it wrote.
        file: where they are.
    """

    seat: Seat
    lines: int
    file: str

    @property
    def words(self) -> str:
        """How much it is, and where."""
        return f"{several(self.lines, 'line', 'lines')}: {self.file}"


class BotOutput:
    """What some bots write, by seat."""

    def __init__(self, names: Sequence[str]) -> None:
        """By seat, the name of the file without its ending."""
        self._names = names
        self._written = [bytearray() for _ in names]
        self._told = [0] * len(names)

    @property
    def listeners(self) -> list[StderrListener]:
        """By seat, what hears the bot."""
        return [partial(self._hear, seat) for seat in range(len(self._written))]

    def news(self, seat: Seat) -> list[str]:
        """The lines that a bot has written since the last call."""
        new = self._written[seat][self._told[seat] :]
        self._told[seat] = len(self._written[seat])
        return _lines(new)

    def keep(self) -> Iterator[KeptOutput]:
        """Write a file for each bot that has written something."""
        for seat, (name, written) in enumerate(zip(self._names, self._written, strict=True)):
            if lines := _lines(written):
                file = _folder() / f"{name}.txt"
                try:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
                    yield KeptOutput(seat, len(lines), str(file))
                except OSError as error:
                    remark(f"what the bot wrote cannot be kept: {error.filename or file}: {error.strerror}")

    def _hear(self, seat: Seat, output: bytes) -> None:
        self._written[seat] += output[: MOST_BYTES - len(self._written[seat])]


class OutputNarrator:
    """Tells a match as another narrator does, and after each reply what the bot has written: a `Narrator`."""

    def __init__(self, narrator: Narrator, output: BotOutput, say: Callable[[str], None]) -> None:
        self._narrator, self._output, self._say = narrator, output, say

    def __call__(self, match: Match, request: Request, reply: Reply | None, /) -> None:
        """Hear of a request and its reply."""
        self._narrator(match, request, reply)
        for line in self._output.news(request.seat):
            self._say(f"  seat {request.seat} wrote: {line}")


def _folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "referee" / "output"


def _lines(written: bytes | bytearray) -> list[str]:
    return [one_line(line) for line in written.decode(errors="backslashreplace").splitlines()]
