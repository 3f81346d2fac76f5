"""Which core a worker runs on: one that the fewest workers use, of all runs of all users on this machine.

A worker claims a place on a core with a socket that is bound to the name of the place. The name is in the kernel's
abstract namespace (unix(7)): it belongs to no file and no user, and is free again as soon as the socket is closed,
however its process ends. So runs share a machine without planning, and leave nothing behind.

Runs see each other's claims if they share a network namespace. If nothing can be claimed, a worker only loses the
choice of its core.
"""

import errno
import os
import socket
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from typing import NamedTuple

NAME = "\0referee/core"
"""What the names of all places begin with. The first byte makes them abstract."""

PLACES = 16
"""How many workers, of all runs, can claim the same core."""

_TRIES = 100
"""How often to choose again because another took the place first. Nobody can keep a run waiting here."""


class Claim(NamedTuple):
    """The core of a worker.

    Attributes:
        core: its number.
        alone: whether no other worker had claimed it, as far as that can be known.
        place: the socket that holds the claim until it is closed; None if nothing could be claimed.
    """

    core: int
    alone: bool
    place: socket.socket | None = None

    def release(self) -> None:
        """Let others have the place."""
        if self.place is not None:
            self.place.close()


def claim(workers: int, name: str = NAME) -> list[Claim]:
    """Claim a core for each of this many workers, of those that this process may use.

    Where nothing can be claimed, the workers are spread evenly over the cores. `name` is what the names of all places
    begin with.
    """
    cores = sorted(os.sched_getaffinity(0))
    return [_claim(cores, cores[n % len(cores)], name) for n in range(workers)]


@contextmanager
def run_only_on(cores: Set[int]) -> Iterator[None]:
    """Keep this thread to some cores, and all that it starts."""
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)


def _claim(cores: Sequence[int], otherwise: int, name: str) -> Claim:
    """A claim to the core that the fewest others claim, or the core `otherwise` if nothing can be claimed.

    A worker always takes the first free place of its core. So of two that choose the same core at once, one fails, and
    counts again.
    """
    for _ in range(_TRIES):
        try:
            taken = {core: _taken(core, name) for core in cores}
            core = min(cores, key=lambda core: len(taken[core]))
            if len(taken[core]) == PLACES:
                return Claim(otherwise, alone=False)
            free = min(set(range(PLACES)) - taken[core])
            return Claim(core, not taken[core], _bound(f"{name}/{core}/{free}"))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                break
    return Claim(otherwise, alone=True)


def _bound(name: str) -> socket.socket:
    place = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        place.bind(name)
    except OSError:
        place.close()
        raise
    return place


def _taken(core: int, name: str) -> set[int]:
    """The places on a core that somebody has: a socket can be connected to them. Nothing is sent."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe:
        return {place for place in range(PLACES) if probe.connect_ex(f"{name}/{core}/{place}") != errno.ECONNREFUSED}
