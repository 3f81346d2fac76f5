"""A program at a seat, the line to the process that plays its match, and why a connection is closed.

Of a message of the referee this reads only whether it begins a match, asks, or ends one.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import msgspec

from referee.http_server.websocket import WebSocket
from referee.runtime.channels.seat_channel import HERE, LOST, OF_BOT
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES

RESUME_S = 30.0
"""How long a place in a match is kept for a program whose connection was lost, in seconds."""

_LONGEST_LINE = 2 << 20
_START, _END = b'{"type":"start"', b'{"type":"end"'

# The codes with which connections are closed (docs/remote-bots.md), and why.
SPOKE = 4400, "spoke without being asked"
TOKEN_ENDED = 4401, "the token is not valid any more"
LEFT_OUT = 4408, "no match of this program goes on; if a fault ended it, the page Matches says which"
SILENT = 4408, "no answer to a ping"
NEWER = 4409, "another program has come for this seat; `parallel` of its entry says how many may be here"
ELSEWHERE = 4409, "this program has another connection"
OVER = 4410, "the league is over"
RESTARTS = 1012, "the service starts again"

_OWN_ENDS = {1000: "hung up", 1001: "hung up", 1009: "sent a frame over 1 MiB"}
"""Codes of the bot's side after which it does not come back into its match."""


class Program:
    """A program at a seat, with one connection after the other.

    Attributes:
        socket: its connection; None while it has none.
        session: the id that it has given itself; None: it does not come back into a match.
        token: the SHA-256 of the token that it has shown.
        line: to the process that plays its match; None while it waits.
        owes: whether it owes an answer.
        decides: whether it has had a decision since the last start, and no end.
        answered: how many lines it has sent.
        repeats: whether it will send its last line again, which has come.
        leaves: the code and the words with which it is sent away after its match.
    """

    def __init__(self, socket: WebSocket, session: str | None, token: str) -> None:
        self.socket: WebSocket | None = socket
        self.session, self.token = session, token
        self.line: Line | None = None
        self.owes = self.decides = self.repeats = False
        self.answered = self._sent = 0
        self._unconfirmed: list[str] = []  # the messages since its last answer, which may have been lost
        self.leaves: tuple[int, str] | None = None
        self._giving_up: asyncio.TimerHandle | None = None

    def send(self, line: bytes) -> None:
        """Send a message of the referee. It sends the next one after the answer, so few wait for a slow bot."""
        text = line.decode()
        self.owes = not line.startswith(_END)
        self.decides = self.owes and not line.startswith(_START)
        self._sent += 1
        self._unconfirmed.append(text)
        if self.socket is not None:
            self.socket.send_text(text)

    def hear(self, content: bytes) -> None:
        """Pass on what the bot sent."""
        self.answered += 1
        self.owes = False
        self._unconfirmed.clear()
        self._tell(OF_BOT, content[: MAX_BOT_MESSAGE_BYTES + 1].replace(b"\n", b" "))

    def note_hearing(self) -> None:
        """Read the bot only while the process that plays takes what it says."""
        if self.socket is not None:
            self.socket.note_hearing(can_hear=self.line is None or self.line.can_write)

    def _tell(self, mark: bytes, text: bytes) -> None:
        """Tell the process that plays, if there is one."""
        if self.line is not None and not self.line.transport.is_closing():
            self.line.transport.write(mark + text + b"\n")

    def lose(self, code: int) -> None:
        """Its connection is lost: unless it has left, it may come back for a while."""
        self.socket = None
        if code in _OWN_ENDS:
            self._give_up(_OWN_ENDS[code])
            return
        why = f"lost its connection, and did not come back within {RESUME_S:.0f} s"
        self._giving_up = asyncio.get_running_loop().call_later(RESUME_S, self._give_up, why)

    def _give_up(self, why: str) -> None:
        """End its match: it is lost."""
        self._tell(LOST, why.encode())
        if self.line is not None:
            self.line.transport.close()

    def resume(self, socket: WebSocket, received: int, sent: int) -> bool:
        """Go on with its match on another connection, after so many messages each way; whether it can."""
        at = received - (self._sent - len(self._unconfirmed))
        if not 0 <= at <= len(self._unconfirmed):
            return False
        self.close(ELSEWHERE)
        self.socket, self.repeats = socket, 0 < sent <= self.answered
        for text in self._unconfirmed[at:]:
            socket.send_text(text)
        self.note_hearing()
        self._cancel()
        return True

    def finish(self) -> None:
        """Note that its matches are over."""
        self.line = None
        self.note_hearing()
        self._unconfirmed.clear()
        self._cancel()

    def _cancel(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()

    def close(self, why: tuple[int, str]) -> None:
        """Close its connection."""
        socket, self.socket = self.socket, None
        if socket is not None:
            socket.close(*why)


class Line(asyncio.Protocol):
    """The line to a process that plays: first it names an entry, and then come the messages of the referee.

    Attributes:
        transport: of the process.
        can_write: whether the process takes what is written.
    """

    transport: asyncio.Transport

    def __init__(
        self,
        begin: Callable[[str, "Line"], Coroutine[Any, Any, None]],
        statuses: Callable[[], Mapping[str, tuple[int, int, int]]],
    ) -> None:
        """Nothing is known yet of the process. `begin` finds the bot that it names."""
        self._find, self._statuses, self._unread, self.can_write = begin, statuses, b"", True
        self._program: Program | None = None
        self._release: Callable[[], None] | None = None
        self._beginning: asyncio.Task[None] | None = None

    def begin(self, program: Program, release: Callable[[], None]) -> None:
        """Let a program play until the line ends, or until it must go; then call `release`, once."""
        if self.transport.is_closing():
            release()
            return
        self._program, self._release = program, release
        self.transport.write(HERE)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as it is always
        """Wait for the first line."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Pass on whole lines."""
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            if self._program is not None:
                self._program.send(line)
                if not self._program.owes and self._program.leaves:
                    self._end()
            elif self._beginning is None:
                self._open(line)
        if len(self._unread) > _LONGEST_LINE:
            self.transport.abort()

    def _open(self, line: bytes) -> None:
        """Say how all seats are, or let the bot play that the line names."""
        try:
            name = msgspec.json.decode(line, type=str | None)
        except msgspec.DecodeError:
            self.transport.abort()
            return
        if name is None:
            self.transport.write(msgspec.json.encode(self._statuses()))
            self.transport.close()
        else:
            self._beginning = asyncio.get_running_loop().create_task(self._find(name, self))

    def pause_writing(self) -> None:
        """Let the bot wait until the process has taken what it said."""
        self._note_writable(can_write=False)

    def resume_writing(self) -> None:
        """Let the bot go on."""
        self._note_writable(can_write=True)

    def _note_writable(self, *, can_write: bool) -> None:
        self.can_write = can_write
        if self._program is not None:
            self._program.note_hearing()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - of asyncio
        """Release the bot."""
        self._end()

    def _end(self) -> None:
        release, self._release, self._program = self._release, None, None
        if release is not None:
            release()
        self.transport.close()
