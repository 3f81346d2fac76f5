"""What a run does while the server of its store is away: it keeps its results, waits, and tries again."""

from collections.abc import Callable
from typing import TypeVar

from tournaments.play.environment import Environment
from tournaments.store import StoreAway

REST_MS = 1_000

TRIES = 3_600
"""So often, and therefore for at least an hour, the run tries again before it ends."""

Done = TypeVar("Done")


def wait_out(machine: Environment, action: Callable[[], Done]) -> Done:
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
                machine.tell(f"{away}; the run keeps its results, and waits for the store")
            machine.wait_ms(REST_MS)
        else:
            if tried > 0:
                machine.tell("the store is back, and the run goes on")
            return done
    return action()
