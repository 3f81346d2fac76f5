"""Divides the cores of a machine: between runs, and between a league's run and its service.

A run uses the cores of its league while a wave is played, the service between two waves. Where a run leaves no core
free, a build beside it would take time from the bots that play. So the run gives way at the end of each wave. There are
two lock files. The process that holds `turn` uses the cores. The service holds `request` while it waits, so that a run
that lets go does not take `turn` again at once.

A worker runs on the core that the fewest workers use, of all runs of all users on this machine. It claims a place on a
core with a socket that is bound to the name of the place. The name is in the kernel's abstract namespace (unix(7)): it
belongs to no file and no user, and is free again as soon as the socket is closed, however its process ends. So runs
share a machine without planning, and leave nothing behind.

Runs see each other's claims if they share a network namespace. If nothing can be claimed, a worker only loses the
choice of its core.
"""

import errno
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

from tournaments.store.run_lock import FileLock

_LOOK_S = 0.1
_PATIENCE_S = 5.0
"""How long a run waits for a service that wishes for a turn and does not take it: that is busy elsewhere."""

GiveWay = Callable[[], None]
"""Called between two waves: lets the service have its turn, if it waits for one, and returns when that is over."""


@contextmanager
def hold_lease(lock: Path, tell: Callable[[str], None] = lambda _: None) -> Iterator[GiveWay]:
    """Hold `turn` while a league is played, and give way between its waves. Waits until the service releases `turn`.

    `lock` is the file that excludes other runs; the two lock files are beside it. `tell` gets the reason why the league
    does not begin yet.
    """
    with _beside(lock, "turn") as turn, _beside(lock, "wish") as request:

        def yield_cores() -> None:
            turn.free()
            until_s = time.monotonic() + _PATIENCE_S
            while not request.take() and time.monotonic() < until_s:
                time.sleep(_LOOK_S)
            request.free()
            wait()

        def wait() -> None:
            while not turn.take():
                time.sleep(_LOOK_S)

        if not turn.take():
            tell("a bot that was submitted is built or checked on the cores of this run, which begins after that")
            wait()
        yield yield_cores


class CoreLease:
    """The service's turns beside one league. It asks again and again, and works while it has one."""

    def __init__(self, lock: Path) -> None:
        """`lock` is as in `hold_lease`."""
        self._turn = _beside(lock, "turn")
        self._request = _beside(lock, "wish")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._turn.close()
        self._request.close()

    def take(self) -> bool:
        """Take the turn, or wish for it; whether it was taken."""
        if self._request.take() and self._turn.take():
            self._request.free()
            return True
        return False

    def give_back(self) -> None:
        """Let the league go on; wish for nothing more."""
        self._turn.free()
        self._request.free()


def _beside(lock: Path, name: str) -> FileLock:
    return FileLock(lock.with_name(f"{lock.stem}.{name}.lock"))


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
