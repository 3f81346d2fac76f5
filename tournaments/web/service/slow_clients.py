"""Closes connections of slow clients. The only rule: the bytes that the server waits for must arrive fast enough.

Time counts while the client owes bytes: those of a request's header, of its body, or of the next request on the same
connection. It does not count while the server does not read. So neither a slow header nor a slow body holds a
connection, and a large body over a slow line does not look like an attack.
"""

import asyncio
from typing import Any

import h11
import msgspec
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState


class ClientTimeouts(msgspec.Struct, frozen=True):
    """The time limits of clients.

    Attributes:
        header_s: how long each header may take, in seconds; also a TLS handshake, and how late a body
            may be.
        body_bytes_a_s: the minimum speed of a body, on the average since its request began.
        connections: how many there may be at once.
    """

    header_s: float = 10.0
    body_bytes_a_s: float = 64 << 10
    connections: int = 512

    @property
    def look_s(self) -> float:
        """The interval of the checks, in seconds."""
        return min(1.0, self.header_s / 10)

    def is_over(self, waited_s: float, body_bytes: int) -> bool:
        """Whether a request has used up its time, after waiting so long and sending so many bytes of its body."""
        return waited_s > self.header_s + body_bytes / self.body_bytes_a_s


class TimeoutProtocol(H11Protocol):
    """A connection that ends when its client is too slow. A subclass sets `patience`."""

    patience = ClientTimeouts()

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._waited_s = 0.0
        self._body_bytes = 0
        self._looking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the library
        """Begin the checks, unless there are too many connections already."""
        super().connection_made(transport)
        if transport.get_extra_info("sslcontext") is not None:
            transport.set_read_buffer_limits(_UNREAD)  # type: ignore[attr-defined] # those of TLS have it
        if len(self.connections) > self.patience.connections:
            transport.abort()
        else:
            self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the checks."""
        if self._looking is not None:
            self._looking.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count the bytes of a body."""
        if self.conn.their_state is h11.SEND_BODY:
            self._body_bytes += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request. A client that still sends an answered request gets no more time."""
        unread = self.conn.their_state is h11.SEND_BODY
        self._waited_s = self._body_bytes = 0
        super().on_response_complete()
        if unread:
            self._waited_s = self.patience.header_s * (1 - _LINGER)

    def _look_later(self) -> None:
        self._looking = self.loop.call_later(self.patience.look_s, self._look)

    def _look(self) -> None:
        if self.conn.their_state in {h11.IDLE, h11.SEND_BODY} and not self.flow.read_paused:
            self._waited_s += self.patience.look_s
        if self.patience.is_over(self._waited_s, self._counting_bytes):
            self.transport.abort()
        else:
            self._look_later()

    @property
    def _counting_bytes(self) -> int:
        """The bytes that earn time: none after the answer, or a client could send a body for ever."""
        return 0 if self.conn.our_state is h11.DONE else self._body_bytes


_UNREAD = 16 << 10
"""Bytes that TLS may buffer for an unread connection. The default is a quarter of a MiB for each."""

_LINGER = 0.2
"""The share of `header_s` in which a client may still send, and read an answer that arrived before its body's end."""
