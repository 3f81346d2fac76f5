"""A timer that is reset much more often than it runs out."""

import asyncio
import sys
import time
from collections.abc import Callable

_RESOLUTION_NS = 1_000_000
"""uvloop counts in milliseconds."""

_NEVER = sys.maxsize


class Timer:
    """Calls `on_due` at its time, unless the time was moved or cleared before.

    Decisions take a fraction of their limits, so one timer of the loop serves many of them. It runs out, and then
    checks whether the time was moved. A timer for each decision would cost some microseconds more.

    All times are those of the monotonic clock, in nanoseconds.
    """

    def __init__(self, on_due: Callable[[int], None]) -> None:
        """Prepare to call `on_due` with the nanoseconds by which the call is late."""
        self._on_due = on_due
        self._loop = asyncio.get_event_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._wakes_ns = _NEVER  # when the timer runs out; uvloop's timers do not say so if they run out at once
        self._due_ns = _NEVER

    def set(self, due_ns: int) -> None:
        """Be due then, instead of when it was due before."""
        self._due_ns = due_ns
        if self._wakes_ns > due_ns:
            self._wake(time.monotonic_ns())

    def clear(self) -> None:
        """Stop being due. The timer runs on, for the next time."""
        self._due_ns = _NEVER

    def cancel(self) -> None:
        """Stop being due, and leave nothing behind in the loop."""
        self._due_ns = self._wakes_ns = _NEVER
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        self._wakes_ns = _NEVER
        if self._due_ns == _NEVER:
            return
        now_ns = time.monotonic_ns()
        late_ns = now_ns - self._due_ns
        if late_ns < -_RESOLUTION_NS:
            self._wake(now_ns)
        else:
            self._due_ns = _NEVER
            self._on_due(late_ns)

    def _wake(self, now_ns: int) -> None:
        if self._timer is not None:
            self._timer.cancel()  # if it has run out, this does nothing
        self._wakes_ns = self._due_ns
        self._timer = self._loop.call_later((self._due_ns - now_ns) / 1e9, self._look)
