"""Accepts connections, and closes those of slow clients: what the server waits for must happen fast enough.

The server counts a connection from its first moment on, also during a handshake of TLS. Time counts while the client
owes bytes: those of a handshake, of a request's header, of its body, or of the next request on the same connection. It
also counts while the client does not take the bytes of an answer. It does not count while the server does not read. So
neither slowness holds a connection, and a large body or answer over a slow line does not look like an attack.

When there are too many connections, first goes the one that keeps the server waiting the longest. So idle connections,
however many, never shut out a visitor who sends a request.
"""

import asyncio
import contextlib
import ipaddress
import math
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Generic, Protocol, TypeVar

import h11
import msgspec
from starlette.types import Message, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState


class ClientConnection(Hashable, Protocol):
    """A connection to a client."""

    @property
    def late_s(self) -> float:
        """How long the server has waited in vain for its client, in seconds.

        Negative: the client owes nothing, or the connection is being ended.
        """


Client = TypeVar("Client", bound=ClientConnection)


class OpenConnections(Generic[Client]):
    """The open connections, with the networks of their clients."""

    def __init__(self, most: int, most_each: int) -> None:
        """Begin without connections. Keep at most `most`, and of each network `most_each`."""
        self._most = most
        self._most_each = most_each
        self._networks: dict[Client, str | None] = {}  # the oldest first
        self._counts: Counter[str | None] = Counter()

    def __iter__(self) -> Iterator[Client]:
        return iter([*self._networks])

    def add(self, new: Client, network: str | None) -> Client | None:
        """Add a connection. None as its network: it belongs to a proxy, which has the clients of many networks.

        Returns:
            The connection that must end: the new one, if no other keeps the server waiting; None: all may stay. It
            counts until it is removed.
        """
        self._networks[new] = network
        self._counts[network] += 1
        if network is not None and self._counts[network] > self._most_each:
            return self._drop(each for each, of in self._networks.items() if of == network)
        return self._drop(self._networks) if len(self._networks) > self._most else None

    def remove(self, gone: Client) -> None:
        """Remove a connection that has ended, if it is still there."""
        if gone in self._networks:
            network = self._networks.pop(gone)
            self._counts[network] -= 1
            self._counts = +self._counts

    def _drop(self, among: Iterable[Client]) -> Client:
        *others, new = among
        last = max(others, key=lambda each: each.late_s, default=new)
        return last if last.late_s >= 0 else new


_AT_ONCE = 64
"""How many connections it accepts before it lets others work."""

_REST_S = 0.1
"""How long it rests when the system has no room for another connection, in seconds."""

_NETWORK_BITS = 64
"""The owner of an IPv6 address usually owns all addresses with the same first bits."""


class Accepted(asyncio.Protocol):
    """The protocol of a connection.

    Attributes:
        hang_up: ends the connection before it is made.
        is_made: whether the handshake is over.
        transport: the connection, once it is made.
        late_s: as of `ClientConnection`.
    """

    hang_up: Callable[[], None]
    is_made = False
    transport: asyncio.Transport
    late_s: float

    def end(self) -> None:
        """End the connection at once."""
        if self.is_made:
            self.transport.abort()
        else:
            self.hang_up()


class Acceptor:
    """Accepts the connections to a listening socket, until it is closed."""

    def __init__(
        self,
        listening: socket.socket,
        make: Callable[[], Accepted],
        connections: OpenConnections[Accepted],
        is_proxy: Callable[[str], bool],
        context: ssl.SSLContext | None,
        handshake_s: float,
    ) -> None:
        """Begin to accept. `make` makes the protocol of a connection; `is_proxy` knows the addresses of proxies."""
        self._listening = listening
        self._make = make
        self._connections = connections
        self._is_proxy = is_proxy
        self._context = context
        self._handshake_s = handshake_s if context else None
        self._loop = asyncio.get_running_loop()
        self._beginning: dict[asyncio.Task[None], socket.socket] = {}
        self._resting: asyncio.TimerHandle | None = None
        listening.setblocking(False)
        self._go_on()

    def close(self) -> None:
        """Accept nobody any more, and end the handshakes."""
        if self._resting is not None:
            self._resting.cancel()
        self._loop.remove_reader(self._listening)
        for line in self._beginning.values():
            _hang_up(line)

    def _go_on(self) -> None:
        self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        for _ in range(_AT_ONCE):
            try:
                line, address = self._listening.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError:  # too many files are open
                self._loop.remove_reader(self._listening)
                self._resting = self._loop.call_later(_REST_S, self._go_on)
                return
            self._admit(line, address[0])

    def _admit(self, line: socket.socket, host: str) -> None:
        line.setblocking(False)
        connection = self._make()
        connection.hang_up = lambda: _hang_up(line)
        goes = self._connections.add(connection, None if self._is_proxy(host) else network_of(host))
        if goes is connection:
            self._connections.remove(connection)
            line.close()
            return
        if goes is not None:
            goes.end()
        task = self._loop.create_task(self._begin(connection, line))
        self._beginning[task] = line
        task.add_done_callback(self._beginning.pop)

    async def _begin(self, connection: Accepted, line: socket.socket) -> None:
        with contextlib.suppress(OSError):
            await self._loop.connect_accepted_socket(
                lambda: connection, line, ssl=self._context, ssl_handshake_timeout=self._handshake_s
            )
        if not connection.is_made:  # the handshake failed
            self._connections.remove(connection)


def _hang_up(line: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the other end was faster
        line.shutdown(socket.SHUT_RDWR)


def network_of(host: str | None) -> str:
    """The network of an address; empty if the address is invalid."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, _NETWORK_BITS), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


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
    """A connection that ends when its client is too slow. A subclass sets `timeouts` and `open_connections`."""

    timeouts: ClientTimeouts
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
            return self.timeouts.answer_late_s(self._unsent_s + since_s, self._taken_bytes)
        if self._client_owes:
            return self.timeouts.body_late_s(self._waited_s + since_s, self._counting_bytes)
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
            self._waited_s = self.timeouts.header_s * (1 - _LINGER)

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
        if self.late_s > self.timeouts.header_s:
            self.transport.abort()
        else:
            self._looking = self.loop.call_later(self.timeouts.look_s, self._look)

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
