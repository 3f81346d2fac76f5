"""What the bots of a match write for people: told under the decision at which it came, and kept in a file.

Each seat has a file in the user's cache, under the name of its bot. The next match of the bot in this seat replaces it.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from referee.cli.console import remark
from referee.core.outcome import Seat
from referee.core.text import one_line
from referee.match.conversation import Reply
from referee.match.match import Match, Request
from referee.match.narrator import Narrator
from referee.runtime.host import StderrListener

MOST_BYTES = 1 << 20
"""Of what a bot writes in a match, so much is kept: the beginning."""


class KeptOutput(msgspec.Struct, frozen=True):
    """What one bot wrote in a match.

    Attributes:
        seat: its seat.
        lines: how many lines it wrote.
        file: where they are.
    """

    seat: Seat
    lines: int
    file: str


class BotOutput:
    """What the bots of one match write, by seat."""

    def __init__(self, seats: int) -> None:
        self._written = [bytearray() for _ in range(seats)]
        self._told = [0] * seats

    @property
    def listeners(self) -> list[StderrListener]:
        """By seat, what hears the bot."""
        return [partial(self._hear, seat) for seat in range(len(self._written))]

    def news(self, seat: Seat) -> list[str]:
        """The lines that a bot has written since the last call."""
        new = self._written[seat][self._told[seat] :]
        self._told[seat] = len(self._written[seat])
        return _lines(new)

    def keep(self, entries: Sequence[str]) -> Iterator[KeptOutput]:
        """Write a file for each bot that has written something."""
        for seat, (entry, written) in enumerate(zip(entries, self._written, strict=True)):
            if lines := _lines(written):
                file = _folder() / f"{entry}.seat-{seat}.txt"
                try:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
                    yield KeptOutput(seat, len(lines), str(file))
                except OSError as error:
                    remark(f"what {entry} wrote cannot be kept: {error.filename or file}: {error.strerror}")

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
