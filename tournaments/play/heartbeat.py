"""How long workers and nodes are silent, by the runner's own running time.

A worker that plays says at intervals that it is alive, and so does a node. One that is stopped or starved says nothing.
"""

import time
from collections.abc import Callable

WORKER_SILENCE_S = 30.0
"""A worker that is silent this long while it should play is replaced."""

NODE_SILENCE_S = 9.0
"""A node, or the scheduler, that was silent for this long is lost. Nodes are heard twice a second, or every
six seconds if there are a thousand of them."""

COME_UP_S = 120.0
"""A worker that was just started may be silent this much longer: it has much to load."""


def beat_s(silence_s: float) -> float:
    """How often a worker says that it is alive, and how often the runner looks, in seconds."""
    return silence_s / 6


class HeartbeatMonitor:
    """The runner's looks at its workers."""

    def __init__(self, silence_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._on_time_s = 2 * beat_s(silence_s)
        self._looked_s = clock()

    def passed_s(self) -> float:
        """The seconds since the last look that count.

        If the look is late, none do: the runner was stopped, or the machine slept, and the workers perhaps as well.
        """
        now = self._clock()
        since, self._looked_s = now - self._looked_s, now
        return since if since <= self._on_time_s else 0.0
