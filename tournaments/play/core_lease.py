"""Divides the cores of a league: its run uses them while a wave is played, the service between two waves.

Where a run leaves no core free, a build beside it would take time from the bots that play. So the run gives way at the
end of each wave. There are two lock files. The process that holds `turn` uses the cores. The service holds `request`
while it waits, so that a run that lets go does not take `turn` again at once.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from tournaments.store.file_lock import FileLock

_LOOK_S = 0.1
_PATIENCE_S = 5.0
"""How long a run waits for a service that wishes for a turn and does not take it: that is busy elsewhere."""

GiveWay = Callable[[], None]
"""Called between two waves: lets the service have its turn, if it waits for one, and returns when that is over."""


def keep_cores() -> None:
    """Do not give way: there are enough cores for all."""


def ignore_sentence(_sentence: str) -> None:
    """Ignore the sentence."""


@contextmanager
def hold_lease(lock: Path, tell: Callable[[str], None] = ignore_sentence) -> Iterator[GiveWay]:
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
        self._wish = _beside(lock, "wish")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._turn.close()
        self._wish.close()

    def take(self) -> bool:
        """Take the turn, or wish for it; whether it was taken."""
        if self._wish.take() and self._turn.take():
            self._wish.free()
            return True
        return False

    def give_back(self) -> None:
        """Let the league go on; wish for nothing more."""
        self._turn.free()
        self._wish.free()


def _beside(lock: Path, name: str) -> FileLock:
    return FileLock(lock.with_name(f"{lock.stem}.{name}.lock"))
