"""Measures the time of one bot. The watch stands still while the machine keeps the bot from running."""

import asyncio
import time
from collections.abc import Callable
from secrets import SystemRandom
from typing import Protocol

from referee.core.errors import Busy
from referee.match.clock import MARGIN_MS
from referee.match.hindrance import Counted, Hindrance, Look, between, overslept, too_busy
from referee.shell.deadline import Deadline

_LOOKS = 16
"""About how often to look at a bot within its time."""

_SHORTEST_NS, _LONGEST_NS = 10_000_000, 250_000_000
"""The time between two looks on average. A look takes about half a millisecond."""

_LAST_LOOK_S = 0.02
"""The time between deadline and verdict, in which an answer that is already in the socket is read."""

_NOTHING = Hindrance()
_RANDOM = SystemRandom()


class Seen(Protocol):
    """What can be looked at."""

    def counted(self) -> Counted:
        """What the kernel has counted of it until now."""

    @property
    def ran_ns(self) -> int:
        """For how many nanoseconds its main process ran since it was last resumed, or longer."""


class Unseen:
    """Runs elsewhere, so nothing can be seen of it."""

    ran_ns = 0

    def counted(self) -> Counted:
        """Nothing."""
        return Counted({}, {})


class Stopwatch:
    """Runs from a question to the answer, or until the bot's time is over.

    It looks at the bot from time to time. Most answers come before the first look, so that they cost nothing. No bot
    can know when the next look is. Otherwise it could hide its work from them, and seem to be kept from working.
    """

    def __init__(self, seen: Seen, on_over: Callable[[Busy | None], None]) -> None:
        """Prepare to measure the time of a bot.

        `on_over` is called when its time is over. It is told if that is the machine's doing.
        """
        self._seen = seen
        self._on_over = on_over
        self._loop = asyncio.get_running_loop()
        self._timer = Deadline(self._wake)
        self._verdict: asyncio.TimerHandle | None = None
        self._runs = False
        self._began_ns = self._planned_ns = self._limit_ns = self._thought_ns = self._wait_ns = 0
        self._limit_ms = -1
        self._before: Look | None = None
        self._so_far = _NOTHING

    def start(self, limit_ms: int) -> None:
        """Begin to measure. The bot has this much time, and the margin for the way there and back."""
        if limit_ms != self._limit_ms:
            self._limit_ms = limit_ms
            self._limit_ns = (limit_ms + MARGIN_MS) * 1_000_000
            self._draw()
        self._runs = True
        self._before = None
        self._so_far = _NOTHING
        self._began_ns = now_ns = time.monotonic_ns()
        self._look_at(now_ns + self._wait_ns, now_ns)

    def stop(self) -> int:
        """Stop measuring. Returns the microseconds of the bot's time since `start`."""
        if self._runs:
            self._thought_ns = self._now_ns()
            self._halt()
        return self._thought_ns // 1_000

    def cancel(self) -> None:
        """Stop measuring, and leave nothing behind in the loop."""
        self._halt()
        self._timer.cancel()

    def _halt(self) -> None:
        self._runs = False
        self._timer.clear()
        if self._verdict is not None:
            self._verdict.cancel()
            self._verdict = None

    def _now_ns(self) -> int:
        """The bot's time since `start`."""
        now_ns = time.monotonic_ns()
        if self._before is not None or now_ns > self._planned_ns:
            self._look(max(0, now_ns - self._planned_ns))
            self._planned_ns = now_ns  # so that no lateness counts twice
        return max(0, now_ns - self._began_ns - self._so_far.kept_ns)

    def _look(self, late_ns: int) -> None:
        look = Look(late_ns, time.process_time_ns(), self._seen.counted())
        happened = overslept(late_ns, self._seen.ran_ns) if self._before is None else between(self._before, look)
        self._so_far = self._so_far.and_then(happened)
        self._before = look

    def _wake(self, _late_s: float) -> None:
        over = self._now_ns() >= self._limit_ns
        excuse = too_busy(self._so_far, self._limit_ns)
        if over or excuse is not None:
            # The loop runs timers before it reads sockets. An answer that came while it was blocked is let through.
            busy = None if excuse is None else Busy(excuse)
            self._verdict = self._loop.call_later(_LAST_LOOK_S, self._call, busy)
        else:
            self._draw()
            now_ns, over_ns = time.monotonic_ns(), self._began_ns + self._so_far.kept_ns + self._limit_ns
            self._look_at(min(now_ns + self._wait_ns, over_ns), now_ns)

    def _call(self, busy: Busy | None) -> None:
        self.stop()
        self._on_over(busy)

    def _look_at(self, planned_ns: int, now_ns: int) -> None:
        self._planned_ns = planned_ns
        self._timer.set((planned_ns - now_ns) / 1e9)

    def _draw(self) -> None:
        """Draw how long to wait until the next look."""
        mean_ns = min(max(self._limit_ns // _LOOKS, _SHORTEST_NS), _LONGEST_NS)
        self._wait_ns = min(self._limit_ns, int(mean_ns * _RANDOM.uniform(0.5, 1.5)))
