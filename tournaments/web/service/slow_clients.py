"""How long a client may keep a connection waiting. The only rule: what the server waits for must come fast enough.

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
    """What is waited for.

    Attributes:
        header_s: how long a header may take, the first one and any other; also a handshake of TLS, and how late a body
            may be.
        body_bytes_a_s: how fast a body comes at least, on the average since its request began.
        connections: how many there may be at once.
    """

    header_s: float = 10.0
    body_bytes_a_s: float = 64 << 10
    connections: int = 512

    @property
    def look_s(self) -> float:
        """How often is looked."""
        return min(1.0, self.header_s / 10)

    def is_over(self, waited_s: float, body_bytes: int) -> bool:
        """Whether a request that has kept us waiting for so long, and brought so much of its body, has had its time."""
        return waited_s > self.header_s + body_bytes / self.body_bytes_a_s


class TimeoutProtocol(H11Protocol):
    """A connection that is ended when its client is too slow. `patience` is set by whoever makes a class of it."""

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
        """Begin to look, unless there are too many connections already."""
        super().connection_made(transport)
        if transport.get_extra_info("sslcontext") is not None:
            transport.set_read_buffer_limits(_UNREAD)  # type: ignore[attr-defined] # those of TLS have it
        if len(self.connections) > self.patience.connections:
            transport.abort()
        else:
            self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what came of a body."""
        if self.conn.their_state is h11.SEND_BODY:
            self._body_bytes += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request. Whoever still sends a body to which the answer is known gets no more."""
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
        """The bytes that earn time: none after the answer, or somebody could send a body for ever."""
        return 0 if self.conn.our_state is h11.DONE else self._body_bytes


_UNREAD = 16 << 10
"""Bytes that TLS may hold for a connection that is not read. By itself it would take a quarter of a MiB for each."""

_LINGER = 0.2
"""The share of the time for a header in which a client may still send, and read the answer that it got too early."""
