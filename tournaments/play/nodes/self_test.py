"""A node measures itself: how long a bot that does nothing takes to start and to answer, and how late timers are.

The bot is confined as those of the league are, and shares its core with the process that asks it, as in a match.

A bot's clock stands still while the machine keeps the bot from running (`referee/match/starvation.py`). But a machine
that is itself a guest may lose its cores without knowing it: to other guests, to a quota, to a moment in which it is
moved. So a node looks at its own clock, too. A bot that ran out of time while the machine stood still has no fault.

A bot must not be able to make the machine seem to stand still. So the node subtracts the time that programs ran
meanwhile: a timer that is late because all cores were busy proves nothing.
"""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Lock, Thread
from typing import NamedTuple

from referee.core.errors import CannotStart, Void
from referee.match.conversation import Chosen, SeatQuestion
from referee.match.terms import MARGIN_MS
from referee.match.transcript import FaultKind
from referee.runtime.bot_stream import BotStream, NoDescription
from referee.runtime.host import Host, HostSettings
from referee.runtime.local_bot import read_bot
from referee.wire.messages import bytes_field, number_field
from tournaments.league.model import FinishedMatch, faults_of
from tournaments.play.match_results import MatchVoided
from tournaments.play.nodes.speed_limits import SpeedMeasurement

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


class _Stall(NamedTuple):
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
        self._stills: deque[_Stall] = deque(maxlen=_REMEMBERED)
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
            self._stills.append(_Stall(now_s, long_s))
        self._looked_s, self._ran_s = now_s, ran_s

    def close(self) -> None:
        """Look no more."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(_STALL_TICK_S):
            self.look()


ECHO = Path(__file__).parent / "echo_bot"

PATIENCE_S = 60.0
"""How long all of it may take. A node that takes longer is too slow for any clock."""

_ECHOES = 100
_VIEW_BYTES = 300
"""The size of a question: that of a decision of Agent Avenue."""

_TICK_S = 0.01


class _NoAnswer(Exception):
    """The bot that does nothing did not do even that."""


async def measured(hosting: HostSettings) -> SpeedMeasurement:
    """How quick this machine is, on the core of this thread. It takes half a second on a quick one.

    Raises:
        CannotStart: this machine can start nothing.
    """
    late_ms: list[float] = []
    ticking = asyncio.create_task(_tick(late_ms))
    try:
        async with asyncio.timeout(PATIENCE_S):
            start_ms, echoes_ms = await _echoed(hosting)
    except CannotStart:
        raise
    except (TimeoutError, Void, NoDescription, _NoAnswer):
        start_ms, echoes_ms = PATIENCE_S * 1_000, [PATIENCE_S * 1_000]
    finally:
        ticking.cancel()
    return SpeedMeasurement(start_ms, _ninth_tenth(echoes_ms), _ninth_tenth(late_ms or [0.0]), os.getloadavg()[0])


async def _echoed(hosting: HostSettings) -> tuple[float, list[float]]:
    """How long the bot took until it could be called, and to answer each question."""
    began_s = time.monotonic()
    host = await read_bot(ECHO).host(hosting)
    try:
        return await _measure_answers(host, began_s)
    finally:
        await host.kill_now()


async def _measure_answers(host: Host, began_s: float) -> tuple[float, list[float]]:
    line = BotStream(await host.peer(), host.kill, host)
    try:
        await line.describe(None)
        start_ms = _ms_since(began_s)
        line.open()
        await line.ask(SeatQuestion(0), bytes_field(1, b""), int(PATIENCE_S * 1_000))  # MatchStart
        return start_ms, [await _echo(line, number) for number in range(1, _ECHOES + 1)]
    finally:
        await line.drop()


async def _echo(line: BotStream, number: int) -> float:
    """How long it takes to be answered, by the clock on the wall: no time is given back."""
    view = bytes_field(2, bytes(_VIEW_BYTES))
    question = bytes_field(2, number_field(1, number) + view + bytes_field(3, b""))
    began_s = time.monotonic()
    reply, _ = await line.ask(SeatQuestion(number, legal=1), question, int(PATIENCE_S * 1_000))
    if not isinstance(reply, Chosen):
        raise _NoAnswer
    return _ms_since(began_s)


async def _tick(late_ms: list[float]) -> None:
    """Note how late timers are, one after the other."""
    while True:
        began_s = time.monotonic()
        await asyncio.sleep(_TICK_S)
        late_ms.append(max(0.0, _ms_since(began_s) - _TICK_S * 1_000))


def _ms_since(then_s: float) -> float:
    return (time.monotonic() - then_s) * 1_000


def _ninth_tenth(values: Sequence[float]) -> float:
    """The value that nine of ten values do not exceed."""
    return sorted(values)[(len(values) * 9 - 1) // 10]
