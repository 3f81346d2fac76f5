"""The seats of a league whose bots call its service: where the service is asked for them, and what it says."""

import json
import socket
from pathlib import Path

import msgspec

from tournaments.league.status import SeatStatus
from tournaments.store.run_lock import runner

_PATIENCE_S = 2.0
_status = msgspec.json.Decoder(tuple[SeatStatus, ...])


def seats_socket(service_lock: Path) -> Path | None:
    """Where the service listens that holds this lock; None if none runs on this machine."""
    holder = runner(service_lock)
    if holder is None or holder.host != socket.gethostname():
        return None
    return Path(holder.run_dir) / "seats"


def seats_here(service_lock: Path) -> tuple[SeatStatus, ...]:
    """How each seat is now; nothing if no service says it."""
    place = seats_socket(service_lock)
    if place is None:
        return ()
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_PATIENCE_S)
            line.connect(str(place))
            line.sendall(json.dumps({"look": True}).encode() + b"\n")
            with line.makefile("rb") as answer:
                return _status.decode(answer.readline())
    except (OSError, ValueError):
        return ()
