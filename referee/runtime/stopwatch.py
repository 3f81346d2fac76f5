"""Measures the time of one bot. The watch stands still while the machine keeps the bot from running.

Its timer is made to be reset much more often than it runs out.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from secrets import SystemRandom
from typing import Protocol

from referee.core.errors import Busy
from referee.match.starvation import LATE_NS, CpuSample, CpuTotals, Starvation, between, first_of, overslept, too_busy
from referee.match.terms import MARGIN_MS

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


_PARTS, _LEAST_NS, _MOST_NS = 200, 5_000_000, 50_000_000
"""The shortest time between two looks is this part of the bot's time, within these bounds. A look takes half a
millisecond."""

_SPREAD = 100
"""The longest time between two looks is so many times the shortest."""

_FIRST = 4
"""The first look is after so many times the shortest time between two."""

_TICK_NS = 250_000_000
"""How often to see, at least, whether the referee itself runs."""

_LAST_LOOK_S = 0.02
"""The time between deadline and verdict, in which an answer that is already in the socket is read."""

_SLACK_NS = 50_000_000
"""How much longer than it had a bot may seem to have taken, because the referee was a little late."""

_LAST_LOOKS = 3
"""How often, at most, it begins anew because the referee did not get to run in time."""

_NOTHING = Starvation()
_RANDOM = SystemRandom()


class Observable(Protocol):
    """A bot that a stopwatch can look at."""

    def counted(self) -> CpuTotals:
        """The kernel's counts of it until now."""

    @property
    def ran_ns(self) -> int:
        """For how many nanoseconds its main process ran since it was last resumed, or longer."""


class Unobservable:
    """Runs elsewhere, so nothing can be seen of it."""

    ran_ns = 0

    def counted(self) -> CpuTotals:
        """Nothing."""
        return CpuTotals({}, {})


class Stopwatch:
    """Runs from a question to the answer, or until the bot's time is over.

    It looks at the bot from time to time. Most answers arrive before the first look, so they cost nothing.

    A bot may see that the stopwatch looked at it. It may then hide its work until just before the next look, so that
    the machine seems to keep it from working. But it cannot know when that look is: the chance of no look for a time x
    falls like 1/x. So a bot gains the same on average, however long it hides, and not much: a fifth of the time.
    """

    def __init__(self, observable: Observable, on_over: Callable[[Busy | None], None]) -> None:
        """Prepare to measure the time of a bot.

        It calls `on_over` when the bot's time is over, with a `Busy` if that is the machine's doing.
        """
        self._observable = observable
        self._on_over = on_over
        self._loop = asyncio.get_running_loop()
        self._timer = Timer(self._wake)
        self._verdict: asyncio.TimerHandle | None = None
        self._runs = False
        self._began_ns = self._planned_ns = self._due_ns = self._limit_ns = self._thought_ns = 0
        self._forget()

    def start(self, limit_ms: int) -> None:
        """Begin to measure. The bot has this much time, and the margin for the way there and back."""
        if self._has_woken:
            self._forget()
        self._runs = True
        self._limit_ns = (limit_ms + MARGIN_MS) * 1_000_000
        wait_ns = _FIRST * _shortest_ns(self._limit_ns)
        self._began_ns = now_ns = time.monotonic_ns()
        self._due_ns = self._planned_ns = now_ns + wait_ns
        self._timer.set(self._due_ns)

    def stop(self) -> int:
        """Stop measuring. Returns the microseconds of the bot's time since `start`."""
        if self._runs:
            now_ns = time.monotonic_ns()
            # Look if there was a look before, or it is time for one.
            if (now_ns >= self._due_ns or self._has_woken) and (self._before is not None or self._is_due(now_ns)):
                self._look(now_ns)
            self._thought_ns = self._own_ns(now_ns)
            self._halt()
        return self._thought_ns // 1_000

    @property
    def ran_over(self) -> bool:
        """Whether the bot had taken too long when it was stopped, even if its answer could still be read.

        A bot with many processes can keep the referee from looking at its clock.
        """
        return self._thought_ns > self._limit_ns + _SLACK_NS

    def cancel(self) -> None:
        """Stop measuring, and leave nothing behind in the loop."""
        self._halt()
        self._timer.cancel()

    def _forget(self) -> None:
        """Forget the looks since the last question. Most answers arrive before the first look."""
        self._has_woken = False
        self._last_looks, self._main_ns = _LAST_LOOKS, 0
        self._since: CpuSample | None = None
        self._before: CpuSample | None = None
        self._so_far = _NOTHING

    def _halt(self) -> None:
        self._runs = False
        self._timer.clear()
        if self._verdict is not None:
            self._verdict.cancel()
            self._verdict = None

    def _own_ns(self, now_ns: int) -> int:
        """The bot's time since `start`."""
        return max(0, now_ns - self._began_ns - self._so_far.kept_ns)

    def _is_due(self, now_ns: int) -> bool:
        """Whether it is time for a look, or the referee itself did not run."""
        return now_ns >= self._due_ns or now_ns > self._planned_ns + LATE_NS

    def _look(self, now_ns: int) -> None:
        self._has_woken = True
        late_ns = max(0, now_ns - self._planned_ns)
        main_ns = self._observable.ran_ns
        meanwhile_ns = main_ns - self._main_ns
        look = CpuSample(now_ns, late_ns, time.process_time_ns(), self._observable.counted(), main_ns, meanwhile_ns)
        if self._since is None or self._before is None:
            happened, self._since = overslept(late_ns, meanwhile_ns), look
        else:
            happened, self._since = between(self._since, self._before, look), first_of(self._since, look)
        self._so_far = self._so_far.plus(happened)
        self._before = look
        self._planned_ns, self._main_ns = now_ns, main_ns  # so that no lateness counts twice

    def _wake(self, _late_ns: int) -> None:
        self._has_woken = True
        now_ns = time.monotonic_ns()
        if self._is_due(now_ns) or self._own_ns(now_ns) >= self._limit_ns:
            self._look(now_ns)
            self._due_ns = now_ns + pause_ns(self._limit_ns, _RANDOM.random())
        else:
            self._main_ns = self._observable.ran_ns
        left_ns = self._limit_ns - self._own_ns(now_ns)
        excuse = too_busy(self._so_far, self._limit_ns)
        if left_ns > 0 and excuse is None:
            self._planned_ns = time.monotonic_ns() + min(left_ns, self._due_ns - now_ns, _TICK_NS)
            self._timer.set(self._planned_ns)
        else:
            self._wait_for_verdict(None if excuse is None else Busy(excuse))

    def _wait_for_verdict(self, busy: Busy | None) -> None:
        # The loop runs timers before it reads sockets. It lets an answer through that arrived while it was blocked.
        self._last_looks -= 1
        self._planned_ns = time.monotonic_ns() + int(_LAST_LOOK_S * 1e9)
        self._verdict = self._loop.call_later(_LAST_LOOK_S, self._judge, busy)

    def _judge(self, busy: Busy | None) -> None:
        if self._last_looks and self._was_kept_from_looking(time.monotonic_ns()):
            # The reader of the socket may have had no core either.
            self._wait_for_verdict(busy)
        else:
            self.stop()
            self._on_over(busy)

    def _was_kept_from_looking(self, now_ns: int) -> bool:
        """Whether the referee is late for its verdict, and that is not the bot's doing."""
        late_ns, kept_ns = now_ns - self._planned_ns, self._so_far.kept_ns
        if late_ns <= LATE_NS:
            return False
        self._look(now_ns)
        return late_ns - (self._so_far.kept_ns - kept_ns) <= LATE_NS


def pause_ns(limit_ns: int, drawn: float) -> int:
    """The time from one look to the next, in nanoseconds, for a number drawn evenly from [0, 1)."""
    return int(_shortest_ns(limit_ns) / (1 - drawn * (1 - 1 / _SPREAD)))


@lru_cache(64)
def _shortest_ns(limit_ns: int) -> int:
    return min(max(limit_ns // _PARTS, _LEAST_NS), _MOST_NS)
