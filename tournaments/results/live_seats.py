"""The seats of a league whose bots call its service: where the service is asked for them, and what it says."""

import math
import socket
import time
from pathlib import Path

import msgspec

from tournaments.league.model import League
from tournaments.league.status import SeatStatus
from tournaments.store import service_lock
from tournaments.store.run_lock import runner

LOOK_MS = 500
"""How often a run that waits looks who has come, in milliseconds."""

_PATIENCE_S = 2.0
_statuses = msgspec.json.Decoder(dict[str, tuple[int, int, int | None]])


def seats_socket(service_lock: Path) -> Path | None:
    """Where the service listens that holds this lock; None if none runs on this machine."""
    holder = runner(service_lock)
    if holder is None or holder.host != socket.gethostname():
        return None
    return Path(holder.run_dir) / "seats"


def league_seats(league: League, url: str) -> tuple[SeatStatus, ...]:
    """How each bot of a league is that calls its service. `url` is the address of the store."""
    reported = _reported(service_lock(url, league.name)) if league.callers else {}
    terms = ((name, each.author or "", each.remote) for name, each in league.callers.items() if each.remote)
    return tuple(
        SeatStatus(name, *reported.get(name, (0, 0, None)), author, remote.absent, remote.patience_s)
        for name, author, remote in terms
    )


class SeatWatch:
    """Hears which bots come to the service of a league, so that a run that waits for them goes on at once."""

    def __init__(self, service_lock: Path) -> None:
        """Ask the service that holds this lock."""
        self._service_lock = service_lock
        self._here: set[str] = set()
        self._looked_s = -math.inf

    def came(self) -> set[str]:
        """The entries whose programs wait now, and did not when it was looked last."""
        if time.monotonic() < self._looked_s + LOOK_MS / 1000:
            return set()
        self._looked_s = time.monotonic()
        before, self._here = self._here, {name for name, (here, *_) in _reported(self._service_lock).items() if here}
        return self._here - before


def _reported(service_lock: Path) -> dict[str, tuple[int, int, int | None]]:
    """What the service says (`SeatHub.statuses`); nothing if none runs."""
    place = seats_socket(service_lock)
    if place is None:
        return {}
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_PATIENCE_S)
            line.connect(str(place))
            line.sendall(b"null\n")
            with line.makefile("rb") as answer:
                return _statuses.decode(answer.read())
    except (OSError, ValueError):  # it has just ended
        return {}
