"""A channel to a bot that listens on a unix socket of this machine: HTTP/2 over a socket that does not block."""

import asyncio
import socket
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from referee_bot.framing import prefixed
from referee_bot.http2 import ConnectionBroken, Event, Fields

from referee.match.conversation import Garbage
from referee.runtime.bot_address import Peer
from referee.runtime.channels.channel import (
    DESCRIBE,
    PLAY,
    CallEnded,
    CallStatus,
    Channel,
    PlayListener,
    UnreadableAnswer,
)
from referee.runtime.channels.grpc_call import IncomingCall
from referee.runtime.channels.http2_client import Http2Client

_UNIX = "unix:"
_AT_ONCE = 1 << 16
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.005, 0.2
"""Between two calls of a bot that is starting."""

_Callback: TypeAlias = Callable[[bytes | Garbage | CallStatus], None]
"""Gets the replies to a call. Nothing follows a `CallStatus`."""

_MOST_UNSENT = 1 << 22
"""How much may wait for a bot that does not read. Our own messages are shorter; the rest is for confirmations."""

_CLOSED = CallStatus("cancelled", "it was closed here")


def is_light(peer: Peer) -> bool:
    """Whether a bot can be called by this channel."""
    return peer.tls is None and peer.address.startswith(_UNIX)


class Http2Channel(Channel):
    """A `Channel`."""

    def __init__(self, peer: Peer) -> None:
        """Nothing is called yet."""
        self._path = peer.address.removeprefix(_UNIX)
        self._token = peer.token
        self._is_patient = peer.is_coming_up
        self._link: _Link | None = None
        self._play: _Play | None = None

    async def describe(self, request: bytes, timeout_s: float | None) -> bytes:
        """Call `Describe`; see `Channel`."""
        try:
            async with asyncio.timeout(timeout_s):
                return await self._described(request)
        except TimeoutError as error:
            raise CallEnded(CallStatus("deadline_exceeded")) from error

    async def _described(self, request: bytes) -> bytes:
        wait_s = _FIRST_WAIT_S
        while True:
            link = self._usable()
            answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
            number = link.call(self._fields(DESCRIBE), _Unary(answer).deliver)
            link.send(number, prefixed(request))
            link.end(number)
            try:
                return await answer
            except CallEnded:
                if not self._is_patient or link.was_up:
                    raise
            finally:
                link.cancel(number)
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    def open(self, listener: PlayListener) -> None:
        """Begin to call `Play`."""
        self._play = _Play(self._usable(), self._fields(PLAY), listener)

    async def send(self, message: bytes) -> None:
        """Send a message of `Play`; see `Channel`."""
        assert self._play is not None  # noqa: S101 - open() comes first
        self._play.send(message)
        if not self._play.link.is_clear:
            await self._play.cleared()

    async def finish(self) -> None:
        """Say that nothing more will be sent; see `Channel`."""
        assert self._play is not None  # noqa: S101 - open() comes first
        self._play.finish()
        await self._play.cleared()

    def cancel(self) -> None:
        """End the call of `Play`, if there is one."""
        if self._play is not None:
            self._play.cancel()

    async def close(self) -> None:
        """End everything."""
        self.cancel()
        if self._link is not None:
            self._link.close()

    def _usable(self) -> "_Link":
        """A link that carries a new call: the last one, or another if that cannot."""
        if self._link is None or not self._link.takes_more:
            if self._link is not None:
                self._link.close()
            self._link = _Link(self._path)
        return self._link

    def _fields(self, path: str) -> Fields:
        auth_fields = () if self._token is None else ((b"authorization", f"Bearer {self._token}".encode()),)
        return (
            (b":method", b"POST"),
            (b":scheme", b"http"),
            (b":path", path.encode()),
            (b":authority", b"localhost"),  # Rust and C# servers refuse the path of a socket
            (b"te", b"trailers"),
            (b"content-type", b"application/grpc"),
            (b"user-agent", b"referee"),
            *auth_fields,
        )


class _Unary:
    """A call with one answer."""

    def __init__(self, answer: asyncio.Future[bytes]) -> None:
        self._answer = answer
        self._message: bytes | None = None

    def deliver(self, item: bytes | Garbage | CallStatus) -> None:
        if self._answer.done():
            return
        if isinstance(item, Garbage):
            self._answer.set_exception(UnreadableAnswer(item.text.removeprefix("sent ")))
        elif isinstance(item, bytes):
            if self._message is not None:
                self._answer.set_exception(CallEnded(CallStatus("internal", "it answered twice")))
            self._message = item
        elif item.code == "ok" and self._message is not None:
            self._answer.set_result(self._message)
        else:
            self._answer.set_exception(
                CallEnded(item if item.code != "ok" else CallStatus("internal", "it said nothing"))
            )


class _Play:
    """The call of `Play`."""

    def __init__(self, link: "_Link", fields: Fields, listener: PlayListener) -> None:
        self.link = link
        self._listener = listener
        self._is_over = False
        self._number = link.call(fields, self._deliver)

    def send(self, message: bytes) -> None:
        self.link.send(self._number, prefixed(message))

    def finish(self) -> None:
        self.link.end(self._number)

    async def cleared(self) -> None:
        """Return when all that was sent has left, or the call has ended."""
        while not self._is_over and not self.link.is_clear:
            await self.link.moved()

    def cancel(self) -> None:
        self.link.cancel(self._number)
        self._end(None)

    def _deliver(self, item: bytes | Garbage | CallStatus) -> None:
        if self._is_over:
            return
        if isinstance(item, CallStatus):
            self._end(item)
        else:
            self._listener.on_message(item)

    def _end(self, status: CallStatus | None) -> None:
        if not self._is_over:
            self._is_over = True
            self.link.wake()
            self._listener.on_end(status)


class _Call(NamedTuple):
    """A call that has not ended."""

    incoming: IncomingCall
    deliver: _Callback


class _Link:
    """One connection, from the first call until it breaks or is closed.

    Attributes:
        was_up: whether the bot has ever said anything.
        is_over: whether it can carry nothing more.
    """

    def __init__(self, path: str) -> None:
        self.was_up = False
        self.is_over = False
        self._loop = asyncio.get_running_loop()
        self._connection = Http2Client()
        self._calls: dict[int, _Call] = {}
        self._unsent = b""
        self._is_blocked = False
        self._moved: asyncio.Future[None] | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        try:
            self._socket.connect(path)
        except OSError as error:  # also where too many wait to be taken: who is patient calls again
            self._loop.call_soon(self._break, CallStatus("unavailable", f"it cannot be called: {error.strerror}"))
        else:
            self._loop.add_reader(self._socket, self._read)

    def call(self, fields: Fields, deliver: _Callback) -> int:
        """Begin a call. Returns its number."""
        number = self._connection.begin(fields)
        self._calls[number] = _Call(IncomingCall(), deliver)
        self._write()
        return number

    def send(self, number: int, content: bytes) -> None:
        self._connection.send(number, content)
        self._write()

    def end(self, number: int) -> None:
        self._connection.end(number)
        self._write()

    def cancel(self, number: int) -> None:
        """End a call, if it has not ended. Its listener hears nothing more."""
        if self._calls.pop(number, None) is not None:
            self._connection.cancel(number)
            self._write()

    @property
    def takes_more(self) -> bool:
        """Whether it can carry a further call."""
        return not self.is_over and self._connection.takes_more

    @property
    def is_clear(self) -> bool:
        """Whether everything was sent."""
        return not self._unsent and not self._connection.is_waiting

    async def moved(self) -> None:
        """Return when more was sent, or a call has ended."""
        self._moved = self._moved or self._loop.create_future()
        await asyncio.shield(self._moved)

    def wake(self) -> None:
        """Let `moved` return."""
        if self._moved is not None:
            self._moved.set_result(None)
            self._moved = None

    def close(self) -> None:
        """Close the connection. No listener hears of it."""
        self._calls.clear()
        self._break(_CLOSED)

    def _read(self) -> None:
        try:
            octets = self._socket.recv(_AT_ONCE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            octets = b""  # it closed its connection without reading all that we sent
        if not octets:
            self._break(CallStatus("unavailable", "it closed its connection"))
            return
        self.was_up = True
        for event in self._connection.receive(octets):
            if isinstance(event, ConnectionBroken):
                self._break(CallStatus("internal", event.text))
            else:
                self._tell(event)
        self._write()

    def _tell(self, event: Event) -> None:
        call = self._calls.get(event.stream)
        if call is None:
            return
        for what in call.incoming.take(event):
            if isinstance(what, CallStatus):
                self.cancel(event.stream)
            call.deliver(what)
            if event.stream not in self._calls:
                return

    def _write(self) -> None:
        outgoing = self._connection.outgoing()
        if not outgoing or self.is_over:
            return
        self._unsent += outgoing
        if len(self._unsent) > _MOST_UNSENT:
            self._break(CallStatus("internal", "it does not read what it asks for"))
        elif not self._is_blocked:
            self._push()

    def _push(self) -> None:
        """Send as much as the socket takes, and the rest as soon as it takes more."""
        try:
            sent = self._socket.send(self._unsent)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            sent = len(self._unsent)  # nobody is there to read it; what the bot said before is still to be read
        self._unsent = self._unsent[sent:]
        if self._is_blocked != bool(self._unsent):
            self._is_blocked = not self._is_blocked
            if self._is_blocked:
                self._loop.add_writer(self._socket, self._push)
            else:
                self._loop.remove_writer(self._socket)
        self.wake()

    def _break(self, status: CallStatus) -> None:
        """End the connection, and every call on it."""
        if self.is_over:
            return
        self.is_over = True
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._socket.close()
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call.deliver(status)
        self.wake()
