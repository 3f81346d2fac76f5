"""Accepts connections. The server counts a connection from its first moment on, also during a handshake of TLS."""

import asyncio
import contextlib
import ipaddress
import socket
import ssl
from collections.abc import Callable

from referee.http_server.open_connections import OpenConnections

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
