"""Accepts connections, and decides which one must end when there are too many.

A connection counts from its first moment on, also during a handshake of TLS. First goes the one that keeps the server
waiting the longest. So idle connections, however many, never shut out a visitor who sends a request.
"""

import asyncio
import contextlib
import ipaddress
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar


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
        self._apart: set[Client] = set()

    def __iter__(self) -> Iterator[Client]:
        return iter([*self._networks, *self._apart])

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

    def set_apart(self, client: Client) -> None:
        """Count a connection no more, since its app counts it."""
        self.remove(client)
        self._apart.add(client)

    def remove(self, gone: Client) -> None:
        """Remove a connection that has ended, if it is still there."""
        self._apart.discard(gone)
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
    """

    hang_up: Callable[[], None]
    is_made = False
    transport: asyncio.Transport

    @property
    def late_s(self) -> float:
        """As of `ClientConnection`."""
        raise NotImplementedError

    def end(self) -> None:
        """End the connection at once."""
        if self.is_made:
            self.transport.abort()
        else:
            self.hang_up()


AcceptedClient = TypeVar("AcceptedClient", bound=Accepted)


class Acceptor(Generic[AcceptedClient]):
    """Accepts the connections to a listening socket, until it is closed."""

    def __init__(
        self,
        listening: socket.socket,
        make: Callable[[], AcceptedClient],
        connections: OpenConnections[AcceptedClient],
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

    async def _begin(self, connection: AcceptedClient, line: socket.socket) -> None:
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
