"""Hears which bots call the service of a league, so that a run that waits for them goes on at once."""

import select
import socket
import time
from collections.abc import Callable
from pathlib import Path

from tournaments.results.live_seats import seats_socket

_AGAIN_S = 2.0
"""How often a service that does not run is looked for, in seconds."""


class SeatWatch:
    """A line to the service, whenever there is one.

    Attributes:
        is_called: whether bots of the league call its service.
        withdraw: takes a bot out of the league that was away for too long.
    """

    def __init__(self, service_lock: Path | None, withdraw: Callable[[str], object]) -> None:
        """Hear the service that holds this lock; None: no bot calls it."""
        self.is_called = service_lock is not None
        self.withdraw = withdraw
        self._service_lock = service_lock
        self._line: socket.socket | None = None
        self._tried_s = -_AGAIN_S

    def came(self, wait_ms: int = 0) -> set[str]:
        """The entries whose programs came since the last call. It waits for so long until one comes."""
        until_s = time.monotonic() + wait_ms / 1000
        while not (names := self._hear(until_s - time.monotonic())) and time.monotonic() < until_s:
            pass
        return names

    def _hear(self, wait_s: float) -> set[str]:
        if self._line is None and time.monotonic() >= self._tried_s + _AGAIN_S:
            self._tried_s = time.monotonic()
            self._call()
        ready, _, _ = select.select([self._line] if self._line else [], [], [], max(0, min(wait_s, _AGAIN_S)))
        if not ready or self._line is None:
            return set()
        names = self._line.recv(1 << 16)
        if not names:
            self.close()
        return set(names.decode().split())

    def _call(self) -> None:
        place = None if self._service_lock is None else seats_socket(self._service_lock)
        if place is not None:
            line = socket.socket(socket.AF_UNIX)
            try:
                line.connect(str(place))
                line.sendall(b'{"watch":true}\n')
                self._line = line
            except OSError:
                line.close()

    def close(self) -> None:
        """Hear nothing more."""
        if self._line is not None:
            self._line.close()
            self._line = None
