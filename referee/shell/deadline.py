"""A timer that is reset much more often than it runs out."""

import asyncio
from collections.abc import Callable

_RESOLUTION_S = 0.001
"""uvloop counts in milliseconds."""


class Deadline:
    """Calls `on_due` when its time has come, unless the time was moved or cleared before.

    Decisions take a fraction of their limits, so one timer of the loop serves many of them. It is left to run out, and
    then checks whether the time was moved. A timer for each decision would cost some microseconds more.
    """

    def __init__(self, on_due: Callable[[float], None]) -> None:
        """`on_due` is told how many seconds late it is called."""
        self._on_due = on_due
        self._loop = asyncio.get_event_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._wakes = 0.0  # when the timer runs out; uvloop's timers do not say so if they run out at once
        self._due: float | None = None

    def set(self, seconds: float) -> None:
        """Be due in `seconds` from now, instead of when it was due before."""
        self._due = due = self._loop.time() + seconds
        if self._timer is not None and self._wakes > due:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._wake(due)

    def clear(self) -> None:
        """Stop being due. The timer runs on, for the next time."""
        self._due = None

    def cancel(self) -> None:
        """Stop being due, and leave nothing behind in the loop."""
        self._due = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._due is None:
            return
        late_s = self._loop.time() - self._due
        if late_s < -_RESOLUTION_S:
            self._wake(self._due)
        else:
            self._due = None
            self._on_due(late_s)

    def _wake(self, when: float) -> None:
        self._wakes = when
        self._timer = self._loop.call_at(when, self._look)
