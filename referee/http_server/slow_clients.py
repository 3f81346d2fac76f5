"""Closes connections of slow clients. The only rule: what the server waits for must happen fast enough.

Time counts while the client owes bytes: those of a handshake, of a request's header, of its body, or of the next
request on the same connection. It also counts while the client does not take the bytes of an answer. It does not count
while the server does not read. So neither slowness holds a connection, and a large body or answer over a slow line
does not look like an attack.
"""

import asyncio
import math
from typing import Any

import h11
import msgspec
from starlette.types import Message, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from referee.http_server.acceptor import Accepted
from referee.http_server.open_connections import OpenConnections


class ClientTimeouts(msgspec.Struct, frozen=True):
    """The limits of clients.

    Attributes:
        header_s: how long each header may take, in seconds; also a TLS handshake, and how late a body
            or the taking of an answer may be.
        body_bytes_a_s: the minimum speed of a body, on the average since its request began.
        answer_bytes_a_s: the minimum speed at which a client takes an answer, on the average.
        connections: how many there may be at once.
        connections_each: how many of them one network may have.
    """

    header_s: float = 10.0
    body_bytes_a_s: float = 64 << 10
    answer_bytes_a_s: float = 4 << 10
    connections: int = 512
    connections_each: int = 128

    @property
    def look_s(self) -> float:
        """The interval of the checks, in seconds."""
        return min(1.0, self.header_s / 10)

    def body_late_s(self, waited_s: float, body_bytes: int) -> float:
        """How late a body is, after waiting so long and so many bytes of it."""
        return waited_s - body_bytes / self.body_bytes_a_s

    def answer_late_s(self, waited_s: float, taken_bytes: int) -> float:
        """How late an answer is, after waiting so long and so many bytes that the client took."""
        return waited_s - taken_bytes / self.answer_bytes_a_s


class TimeoutProtocol(H11Protocol, Accepted):
    """A connection that ends when its client is too slow. A subclass sets `patience` and `open_connections`."""

    patience: ClientTimeouts
    open_connections: OpenConnections[Accepted]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._is_ending = self._is_lost = self._is_reading = False
        self._answering = 0  # more than one: a client sent its next request before the work on the last was over
        self._app, self.app = self.app, self._answer
        self._waited_s = 0.0
        self._body_bytes = 0
        self._unsent_bytes = 0
        self._unsent_s = 0.0
        self._taken_bytes = 0
        self._looked_s = self.loop.time()
        self._looking: asyncio.TimerHandle | None = None

    @property
    def late_s(self) -> float:  # type: ignore[override] # it is only read
        """How long the server has waited in vain for the client, in seconds.

        Negative: the client owes nothing, or the connection is being ended.
        """
        if self._is_ending or self._is_working:
            return -math.inf
        since_s = self.loop.time() - self._looked_s
        if self._unsent_bytes:
            return self.patience.answer_late_s(self._unsent_s + since_s, self._taken_bytes)
        if self._client_owes:
            return self.patience.body_late_s(self._waited_s + since_s, self._counting_bytes)
        return -math.inf

    def end(self) -> None:
        """End the connection at once."""
        self._is_ending = True
        super().end()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the library
        """Begin the checks. The time of a handshake counts for the first header."""
        super().connection_made(transport)
        self.is_made = True
        if transport.get_extra_info("sslcontext") is not None:
            transport.set_read_buffer_limits(_UNREAD)  # type: ignore[attr-defined] # those of TLS have it
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the checks."""
        if self._looking is not None:
            self._looking.cancel()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # the library does so only if the client said goodbye
        self._is_lost = True
        self._leave()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the app. Its work goes on after the client is gone, so the connection keeps its place until then."""
        if self._is_ending:  # the request had arrived before
            self.cycle.disconnected = True
            return

        async def read() -> Message:
            self._is_reading = True
            try:
                return await receive()
            finally:
                self._is_reading = False

        self._answering += 1
        try:
            await self._app(scope, read, send)
        finally:
            self._answering -= 1
            self._leave()

    def _leave(self) -> None:
        if self._is_lost and not self._answering:
            self.open_connections.remove(self)
            # These refer to each other. With TLS they hold a quarter of a MiB, which the collector does not count.
            self.transport = self.flow = self.cycle = None  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Count the bytes of a body."""
        if self.conn.their_state is h11.SEND_BODY:
            self._body_bytes += len(data)
        super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        if self.conn.our_state is h11.SEND_RESPONSE:
            self.cycle.disconnected = True  # the app can answer no more
            self.cycle.message_event.set()
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # an answer has begun, or has no body, as that to HEAD
            self.transport.abort()

    def resume_writing(self) -> None:
        """The client has taken most of what was written: more of an answer may follow, with its own time."""
        super().resume_writing()
        self._unsent_s = self._taken_bytes = self._unsent_bytes = 0

    def on_response_complete(self) -> None:
        """Begin to wait for the next request. A client that still sends an answered request gets no more time."""
        unread = self.conn.their_state is h11.SEND_BODY
        self._waited_s = self._body_bytes = 0
        self._looked_s = self.loop.time()
        super().on_response_complete()
        if unread:
            self._waited_s = self.patience.header_s * (1 - _LINGER)

    def _look(self) -> None:
        now_s = self.loop.time()
        passed_s, self._looked_s = now_s - self._looked_s, now_s
        unsent = self.transport.get_write_buffer_size()
        if unsent:
            self._unsent_s += passed_s
            self._taken_bytes += max(0, self._unsent_bytes - unsent)
        else:
            self._unsent_s = self._taken_bytes = 0
            if self._client_owes:
                self._waited_s += passed_s
        self._unsent_bytes = unsent
        if self.late_s > self.patience.header_s:
            self.transport.abort()
        else:
            self._looking = self.loop.call_later(self.patience.look_s, self._look)

    @property
    def _is_working(self) -> bool:
        """Whether the app works on a request, and waits neither for its body nor for the client to take its answer."""
        return self._answering > 0 and not self._is_reading and not self.cycle.response_started

    @property
    def _client_owes(self) -> bool:
        return not self._is_working and self.conn.their_state in {h11.IDLE, h11.SEND_BODY}

    @property
    def _counting_bytes(self) -> int:
        """The bytes that earn time: none after the answer, or a client could send a body for ever."""
        return 0 if self.conn.our_state is h11.DONE else self._body_bytes


_UNREAD = 16 << 10
"""Bytes that TLS may buffer for an unread connection. The default is a quarter of a MiB for each."""

_LINGER = 0.2
"""The share of `header_s` in which a client may still send, and read an answer that arrived before its body's end."""
