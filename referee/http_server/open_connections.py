"""Decides which connections stay open when there are too many. Pure.

First goes the connection that keeps the server waiting the longest. So idle connections, however many, never shut out
a visitor who sends a request.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar


class ClientConnection(Hashable, Protocol):
    """A connection to a client."""

    @property
    def late_s(self) -> float:
        """How long the server has waited in vain for its client, in seconds.

        Negative: the client owes nothing, or the connection is being ended.
        """


Each = TypeVar("Each", bound=ClientConnection)


class OpenConnections(Generic[Each]):
    """The open connections, with the networks of their clients."""

    def __init__(self, most: int, most_each: int) -> None:
        """Begin without connections. Keep at most `most`, and of each network `most_each`."""
        self._most = most
        self._most_each = most_each
        self._networks: dict[Each, str | None] = {}  # the oldest first
        self._counts: Counter[str | None] = Counter()

    def __iter__(self) -> Iterator[Each]:
        return iter([*self._networks])

    def add(self, new: Each, network: str | None) -> Each | None:
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

    def remove(self, gone: Each) -> None:
        """Remove a connection that has ended, if it is still there."""
        if gone in self._networks:
            network = self._networks.pop(gone)
            self._counts[network] -= 1
            self._counts = +self._counts

    def _drop(self, among: Iterable[Each]) -> Each:
        *others, new = among
        last = max(others, key=lambda each: each.late_s, default=new)
        return last if last.late_s >= 0 else new
