"""Whether a node's machine stood still, so that its clocks ran late.

A bot's clock stands still while the machine keeps the bot from running (`referee/match/starvation.py`). But a machine
that is itself a guest may lose its cores without knowing it: to other guests, to a quota, to a moment in which it is
moved. So a node looks at its own clock, too. A bot that ran out of time while the machine stood still has no fault.

A bot must not be able to make the machine seem to stand still. So the node subtracts the time that programs ran
meanwhile: a timer that is late because all cores were busy proves nothing.
"""

import os
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread
from typing import NamedTuple

from referee.match.terms import MARGIN_MS
from referee.match.transcript import FaultKind
from tournaments.league.model import FinishedMatch, faults_of
from tournaments.play.match_results import MatchVoided

_STALL_TICK_S = 0.1
_LEAST_S = 0.05
"""Shorter standstills do not count: the kernel counts what ran in steps of a hundredth of a second for each core."""

_REMEMBERED = 1_000

_OUT_OF_TIME = {FaultKind.TIMEOUT, FaultKind.NO_START}

_STAT = Path("/proc/stat")
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def stood_still_s(late_s: float, ran_s: float, cores: int) -> float:
    """How long at least a machine stood still that was late for a timer while its cores ran for so long in all."""
    return max(0.0, late_s - ran_s / cores)


def excused(match: FinishedMatch, still_s: float) -> MatchVoided | None:
    """The match as a void one, if a bot ran out of time in it while the machine stood still for `still_s`; else None.

    A standstill within the margin is no excuse: the margin was given for such things.
    """
    if still_s * 1_000 <= MARGIN_MS or not any(fault.kind in _OUT_OF_TIME for fault in faults_of(match)):
        return None
    return MatchVoided(
        match.fixture, f"a bot ran out of time while the machine stood still for {still_s:.1f} s", busy=True
    )


class _Still(NamedTuple):
    ended_s: float
    long_s: float


def ran_s() -> float:
    """How long the cores of this machine have run anything, in all (proc(5), /proc/stat)."""
    user, nice, system, _idle, _iowait, irq, softirq = map(int, _STAT.read_text().split(None, 8)[1:8])
    return (user + nice + system + irq + softirq) / _TICKS_A_SECOND


class ClockStalls:
    """Looks at the machine's clock at short intervals, in a thread of its own. End it with `close`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, ran: Callable[[], float] = ran_s) -> None:
        """`clock` gives seconds; `ran` gives for how many seconds the cores have run."""
        self._clock = clock
        self._ran = ran
        self._cores = os.cpu_count() or 1
        self._stills: deque[_Still] = deque(maxlen=_REMEMBERED)
        self._looking = Lock()
        self._looked_s, self._ran_s = clock(), ran()
        self._over = Event()
        self._thread = Thread(target=self._watch, name="standstills", daemon=True)
        self._thread.start()

    def since(self, moment_s: float) -> float:
        """For how many seconds the machine stood still in all since a moment of its clock, until now."""
        with self._looking:
            self._look()
            return sum(still.long_s for still in self._stills if still.ended_s > moment_s)

    def look(self) -> None:
        """Look at the clock now. This is called at short intervals."""
        with self._looking:
            self._look()

    def _look(self) -> None:
        now_s, ran_s = self._clock(), self._ran()
        late_s = now_s - self._looked_s - _STALL_TICK_S
        long_s = stood_still_s(late_s, ran_s - self._ran_s, self._cores)
        if long_s > _LEAST_S:
            self._stills.append(_Still(now_s, long_s))
        self._looked_s, self._ran_s = now_s, ran_s

    def close(self) -> None:
        """Look no more."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(_STALL_TICK_S):
            self.look()
