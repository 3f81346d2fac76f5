"""The honest part of a rogue that reads lines on its standard input."""

import json
import os
import signal
import sys
from typing import Any, cast

from .bot import BEFORE_IT_LISTENS, FIRST, HUNG_UP, OVER, SECOND, STARTED, Moment, Rogue
from .frames import PLAY, Connection

NO_ADDRESS = "-"
"""The address of a bot that nobody calls."""


class Pipes:
    """The pipes between the referee and the bot, in the place of a connection."""

    def message(self, _stream: int, message: bytes) -> None:
        """Say a line."""
        while message:
            message = message[os.write(1, message) :]


class LineRogue(Rogue):
    """A rogue that nobody can call. Its messages are lines."""

    def serve(self) -> None:
        """Answer until the input ends."""
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        moment = Moment(self._given, cast("Connection", Pipes()), PLAY)
        if self._strikes(moment, BEFORE_IT_LISTENS) is None:
            return
        while line := sys.stdin.buffer.readline():
            self._take(moment, json.loads(line))
        self._strikes(moment, HUNG_UP)

    def _take(self, moment: Moment, message: dict[str, Any]) -> None:
        if message["type"] == "start":
            self._answer(moment._replace(honest=b"ready\n"), STARTED)
        elif message["type"] == "end":
            self._strikes(moment, OVER)
        elif message["type"] == "decide":
            number, legal = message["number"], len(message["legal"])
            index = self._rule * number % legal
            rows = ((message["match"], number, index),) if "match" in message else ()
            time_left_ms = message["time_left_ms"]
            asked = moment._replace(
                honest=b"%d\n" % index, number=number, legal=legal, time_left_ms=time_left_ms, rows=rows
            )
            self._answer(asked, {1: FIRST, 2: SECOND}.get(number))
