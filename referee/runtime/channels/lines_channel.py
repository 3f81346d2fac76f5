"""A channel to a bot that reads lines on its standard input, and writes lines on its standard output."""

import asyncio
from socket import SocketIO
from typing import IO

from referee.match.conversation import Garbage
from referee.runtime.channels.channel import CallStatus, Channel, PlayListener
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES

_AT_ONCE = 1 << 16
_SILENT = "; nothing arrived; does it flush its output after each answer, and read what bot.toml names as its protocol?"
_TOO_LONG = Garbage(f"sent a line over {MAX_BOT_MESSAGE_BYTES // 1024} KiB")


class LinesChannel(Channel):
    """A `Channel`. Only the end of the bot's process ends it.

    In a box nobody sees that the bot closes its output, since the processes around it have the same pipe. So closing
    the output is silence everywhere.
    """

    def __init__(
        self, to_bot: IO[bytes] | SocketIO, from_bot: IO[bytes] | SocketIO, ended: "asyncio.Future[None]"
    ) -> None:
        """Nothing is read yet.

        Args:
            to_bot: our end of the bot's standard input, a pipe without a buffer that does not block.
            from_bot: our end of its standard output.
            ended: done when its process has ended.
        """
        self._to_bot = to_bot
        self._from_bot = from_bot
        self._loop = asyncio.get_running_loop()
        self._listener: PlayListener | None = None
        self._beginning = b""  # of a line
        self._unsent = b""
        self._cleared: asyncio.Future[None] | None = None
        self._has_spoken = False
        self._ended = ended

    @property
    def silence(self) -> str:
        """What a bot whose time is over should look at, in words that go after its fault."""
        if self._beginning:
            return "; a line began, but it did not end"
        return "" if self._has_spoken else _SILENT

    async def describe(self, request: bytes, timeout_s: float | None) -> bytes:
        """Nobody asks a bot that reads lines for its description."""
        raise NotImplementedError

    def open(self, listener: PlayListener) -> None:
        """Begin to listen."""
        self._listener = listener
        self._loop.add_reader(self._from_bot, self._read)
        self._ended.add_done_callback(lambda _ended: self._lose())

    async def send(self, message: bytes) -> None:
        """Write a message; see `Channel`."""
        if self._unsent:
            self._unsent += message
        else:
            self._unsent = message
            self._push()
        if self._unsent:
            self._loop.add_writer(self._to_bot, self._push)
            self._cleared = self._cleared or self._loop.create_future()
            await asyncio.shield(self._cleared)

    async def finish(self) -> None:
        """Close the bot's standard input, so that it reads the end."""
        self._clear()
        self._to_bot.close()

    def cancel(self) -> None:
        """Listen no more."""
        self._end(None)

    async def close(self) -> None:
        """End everything."""
        self._end(None)
        await self.finish()
        self._from_bot.close()

    def _push(self) -> None:
        """Write as much as the pipe takes. It keeps its size: large pipes are few, and a user has only so many."""
        try:
            self._unsent = self._unsent[self._to_bot.write(self._unsent) or 0 :]
        except OSError:
            self._clear()  # nobody reads it; what the bot said before is still to be read
        if not self._unsent:
            self._clear()

    def _clear(self) -> None:
        self._unsent = b""
        if self._cleared is not None:
            self._loop.remove_writer(self._to_bot)
            self._cleared.set_result(None)
            self._cleared = None

    def _read(self) -> bool:
        """Read what is there; whether there may be more."""
        try:
            octets = self._from_bot.read(_AT_ONCE)
        except OSError:  # a socket, whose other end was closed before it had read all
            octets = b""
        if octets == b"":
            self._note_closed()
        elif octets:
            self._take(octets)
        return bool(octets) and self._listener is not None

    def _note_closed(self) -> None:
        """Note that nothing more comes."""
        self._loop.remove_reader(self._from_bot)

    def _take(self, octets: bytes) -> None:
        self._has_spoken = True
        *lines, self._beginning = (self._beginning + octets).split(b"\n")
        for line in lines:
            self._hear(line)
        if len(self._beginning) > MAX_BOT_MESSAGE_BYTES:
            self._hear(self._beginning)

    def _hear(self, line: bytes) -> None:
        if self._listener is not None:
            self._listener.on_message(_TOO_LONG if len(line) > MAX_BOT_MESSAGE_BYTES else line)

    def _lose(self) -> None:
        """Note that the process has ended, even if its children hold its output. Its last words come first."""
        while self._listener is not None and self._read():
            pass
        self._end(CallStatus("ok", "ended"))

    def _end(self, status: CallStatus | None) -> None:
        if self._listener is not None:
            listener, self._listener = self._listener, None
            self._loop.remove_reader(self._from_bot)
            self._clear()
            listener.on_end(status)
