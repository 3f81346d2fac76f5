"""A timer that is set anew much more often than it runs out."""

import asyncio
from collections.abc import Callable

_RESOLUTION_S = 0.001
"""uvloop counts in milliseconds."""


class Deadline:
    """Calls `on_due` when a time has come that was not moved or cleared before.

    Decisions take a fraction of their limits, so one timer of the loop serves many of them: it is left to run out, and
    looks then whether the time has been moved. A timer for each would cost some microseconds a decision.
    """

    def __init__(self, on_due: Callable[[float], None]) -> None:
        """`on_due` is told how many seconds late it is called."""
        self._on_due = on_due
        self._loop = asyncio.get_event_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._wakes = 0.0  # when the timer runs out; uvloop's own do not say so if that is at once
        self._due: float | None = None

    def set(self, seconds: float) -> None:
        """Be due in `seconds` from now, and no more when it was due before."""
        self._due = due = self._loop.time() + seconds
        if self._timer is not None and self._wakes > due:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._wake(due)

    def clear(self) -> None:
        """Not be due any more. The timer runs on, for the next time."""
        self._due = None

    def cancel(self) -> None:
        """Not be due any more, and leave nothing behind in the loop."""
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
