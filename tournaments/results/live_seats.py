"""The seats of a league whose bots call its service: where the service is asked for them, and what it says."""

import socket
from pathlib import Path

import msgspec
from msgspec.structs import replace

from tournaments.league.model import League
from tournaments.league.status import SeatStatus
from tournaments.store import service_lock
from tournaments.store.run_lock import runner

_PATIENCE_S = 2.0
_statuses = msgspec.json.Decoder(tuple[SeatStatus, ...])


def seats_socket(service_lock: Path) -> Path | None:
    """Where the service listens that holds this lock; None if none runs on this machine."""
    holder = runner(service_lock)
    if holder is None or holder.host != socket.gethostname():
        return None
    return Path(holder.run_dir) / "seats"


def league_seats(league: League, url: str) -> tuple[SeatStatus, ...]:
    """How each bot of a league is that calls its service. `url` is the address of the store."""
    remotes = {entry.name: entry.remote for entry in league.entries if entry.remote and entry.remote.author}
    reported = {each.entry: each for each in _reported(seats_socket(service_lock(url, league.name)))} if remotes else {}
    return tuple(
        replace(
            reported.get(name, SeatStatus(name)),
            author=remote.author or "",
            absent=remote.absent,
            patience_s=remote.patience_s,
        )
        for name, remote in remotes.items()
    )


def _reported(place: Path | None) -> tuple[SeatStatus, ...]:
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_PATIENCE_S)
            line.connect(str(place))
            line.sendall(b'{"look":true}\n')
            with line.makefile("rb") as answer:
                return _statuses.decode(answer.readline())
    except (OSError, ValueError):  # no service runs
        return ()
