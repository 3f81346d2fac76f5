"""What a run does while the server of its store is away: it keeps its results, waits, and tries again."""

from collections.abc import Callable
from typing import TypeVar

from tournaments.store import StoreAway

REST_MS = 1_000

TRIES = 3_600
"""So often, and therefore for at least an hour, the run tries again before it ends."""

Done = TypeVar("Done")


class StoreOutage:
    """Waits until the server of the store is back."""

    def __init__(self, wait_ms: Callable[[int], None], tell: Callable[[str], None]) -> None:
        """`wait_ms` waits for so many milliseconds; `tell` gets a sentence when a wait begins and when it is over."""
        self._wait_ms = wait_ms
        self._tell = tell

    def wait_out(self, action: Callable[[], Done]) -> Done:
        """The result of an action on the store, which is tried again while the server is away.

        A lost connection may hide that the action was done. So to do it again must change nothing.

        Raises:
            StoreAway: the server was away for too long.
        """
        for tried in range(TRIES):
            try:
                done = action()
            except StoreAway as away:
                if tried == 0:
                    self._tell(f"{away}; the run keeps its results, and waits for the store")
                self._wait_ms(REST_MS)
            else:
                if tried > 0:
                    self._tell("the store is back, and the run goes on")
                return done
        return action()
