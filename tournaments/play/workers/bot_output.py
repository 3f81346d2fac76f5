"""Stores the output of bots during the matches of one player in the logs of the bots.

Of each match, it stores the beginning at once and the end when the match is over. So no bot can fill a disk, and the
output of one match does not displace that of the others.
"""

import codecs
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from referee.runtime.host import StderrListener
from tournaments.play.bot_logs import BotLog

BEGINNING_BYTES = 32 << 10
"""When the lines for a seat and a match have this many bytes, only the end of what follows is kept."""

END_BYTES = 4 << 10

_UTF_8 = codecs.getincrementaldecoder("utf-8")


class BotOutput:
    """Listens to the bots of one sitting at a time."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` is that of the logs; None: no output is stored."""
        self._folder = folder
        self._logs: list[BotLog] = []
        self._heard: list[_Heard] = []
        self._match: str | None = None

    def stderr_listeners(self, entries: Sequence[str]) -> list[StderrListener]:
        """By seat, the listener to the bot's output; empty if output is not stored.

        A match must begin before its bots write.
        """
        if self._folder is None:
            return []
        self._logs = [BotLog(self._folder, entry) for entry in entries]
        return [partial(self._hear, seat) for seat in range(len(entries))]

    def begin(self, match: str) -> None:
        """Note that the match of this fixture begins, and that the one before is over.

        It does not distinguish the matches of a batch: it stores all output with the first one.
        """
        if match == self._match:
            return
        self._end()
        self._match = match
        self._heard = [_Heard(log, match, seat) for seat, log in enumerate(self._logs)]

    def close(self) -> None:
        """Note that the bots of the sitting have ended."""
        self._end()
        for log in self._logs:
            log.close()
        self._logs, self._heard, self._match = [], [], None

    def _hear(self, seat: int, output: bytes) -> None:
        self._heard[seat].hear(output)

    def _end(self) -> None:
        for heard in self._heard:
            heard.end()


class _Heard:
    """The output of the bot in one seat in one match."""

    def __init__(self, log: BotLog, match: str, seat: int) -> None:
        self._log = log
        self._match = match
        self._seat = seat
        self._decoder = _UTF_8("backslashreplace")
        self._left = BEGINNING_BYTES
        self._end_bytes = b""
        self._hidden = 0

    def hear(self, output: bytes) -> None:
        beginning, rest = output[: self._left], output[self._left :]
        if beginning:
            self._left = max(0, self._left - self._keep(self._decoder.decode(beginning)))
        if rest:
            self._hidden += len(rest)
            self._end_bytes = (self._end_bytes + rest[-END_BYTES:])[-END_BYTES:]

    def end(self) -> None:
        self._keep(self._decoder.decode(self._end_bytes, final=True), self._hidden - len(self._end_bytes))

    def _keep(self, text: str, left_out: int = 0) -> int:
        """Keep a piece; how many bytes that took."""
        return self._log.keep(time.time_ns() // 1_000_000, self._match, self._seat, text, left_out) if text else 0
