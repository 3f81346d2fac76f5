"""A channel to a bot that has called the service of its league, which relays its lines through a socket.

The first line to the service names the entry. It answers with a mark if the bot is there, else with words why not. Then
our lines go to the bot as they are. A mark begins each line from the service: it is the bot's, or says that it is lost.
"""

import asyncio
import contextlib
import json
import socket
from pathlib import Path

from referee.runtime.channels.channel import CallEnded, CallStatus
from referee.runtime.channels.lines_channel import LinesChannel

HERE, OF_BOT, LOST = b"+", b"=", b"!"
"""The marks: the bot is there; a line of it; why it is lost, which ends the call."""

_LONGEST_REPLY = 1 << 12


class SeatChannel(LinesChannel):
    """A `Channel`. The service says that a bot is lost; if it ends without a word, it is the service that is lost."""

    def __init__(self, place: Path | None, entry: str, about: bytes) -> None:
        """Nobody is called yet.

        Args:
            place: the socket of the service; None if no service runs.
            entry: the name of the bot in its league.
            about: what a bot would answer to `Describe`: this one is not asked.
        """
        self._place, self._entry, self._about = place, entry, about
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.setblocking(False)
        to_service, from_service = self._socket.makefile("wb", 0), self._socket.makefile("rb", 0)
        super().__init__(to_service, from_service, asyncio.get_running_loop().create_future())

    @property
    def silence(self) -> str:
        """Nothing: it need not be a program that flushes too late."""
        return ""

    async def describe(self, request: bytes, timeout_s: float | None) -> bytes:  # noqa: ARG002 - it is known here
        """Take the seat of the bot, if it is there."""
        try:
            if self._place is None:
                raise FileNotFoundError
            async with asyncio.timeout(timeout_s):
                await self._loop.sock_connect(self._socket, str(self._place))
                await self._loop.sock_sendall(self._socket, json.dumps(self._entry).encode() + b"\n")
                mark = await self._loop.sock_recv(self._socket, len(HERE))
                words = b"" if mark == HERE else mark + await self._loop.sock_recv(self._socket, _LONGEST_REPLY)
        except TimeoutError as late:
            raise CallEnded(CallStatus("deadline_exceeded")) from late
        except OSError as error:
            raise CallEnded(CallStatus("away", "the service of the league does not run")) from error
        if mark != HERE:
            raise CallEnded(CallStatus("away", words.decode() or "the service of the league does not run"))
        return self._about

    async def finish(self) -> None:
        """Say that nothing more will be sent."""
        self._clear()
        with contextlib.suppress(OSError):  # the service is gone
            self._socket.shutdown(socket.SHUT_WR)

    async def close(self) -> None:
        """End everything."""
        await super().close()
        self._to_bot.close()
        self._socket.close()

    def _note_closed(self) -> None:
        self._end(CallStatus("lost", "the service was lost"))

    def _hear(self, line: bytes) -> None:
        if line.startswith(LOST):
            self._end(CallStatus("ok", line[1:].decode()))
        else:
            super()._hear(line[1:])
