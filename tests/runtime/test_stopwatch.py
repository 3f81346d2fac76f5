"""A bot's time: it runs while the bot can run, and stands still while the machine keeps it from running."""

import asyncio
import time

import pytest
import uvloop

from referee.core.errors import Busy
from referee.match.starvation import GIVEN_BACK, CpuTotals, Thread
from referee.match.terms import MARGIN_MS
from referee.runtime import stopwatch
from referee.runtime.stopwatch import Stopwatch, Unobservable, pause_ns

LIMIT_MS = 300
WHOLE_S = (LIMIT_MS + MARGIN_MS) / 1000
BOT = 7


class Bot:
    """A bot that gets one share of a core and waits for another."""

    def __init__(self, gets: float, misses: float) -> None:
        self._gets, self._misses, self._began_ns = gets, misses, time.monotonic_ns()

    @property
    def ran_ns(self) -> int:
        return int((time.monotonic_ns() - self._began_ns) * self._gets)

    def counted(self) -> CpuTotals:
        passed_ns = time.monotonic_ns() - self._began_ns
        return CpuTotals({BOT: self.ran_ns}, {(BOT, BOT): Thread(self.ran_ns, int(passed_ns * self._misses))})


def measured(bot: Bot | Unobservable, blocked_s: float = 0.0) -> tuple[Busy | None, float, float]:
    """How the time of a bot ends that does not answer: with what, after how many seconds, and how many of its own."""

    async def run() -> tuple[Busy | None, float, float]:
        over: asyncio.Future[Busy | None] = asyncio.get_running_loop().create_future()
        watch = Stopwatch(bot, over.set_result)
        began = time.monotonic()
        watch.start(LIMIT_MS)
        asyncio.get_running_loop().call_later(0.1, time.sleep, blocked_s)
        busy = await over
        return busy, time.monotonic() - began, watch.stop() / 1e6

    return uvloop.run(run())


@pytest.mark.slow
def test_the_time_of_a_bot_that_runs_or_sleeps_is_over_after_its_limit_and_the_margin() -> None:
    for bot in (Bot(gets=1.0, misses=0.0), Bot(gets=0.0, misses=0.0), Unobservable()):
        busy, after_s, own_s = measured(bot)
        assert busy is None
        assert after_s >= WHOLE_S
        assert WHOLE_S <= own_s <= after_s


def test_a_bot_that_gets_half_of_what_it_wants_has_twice_the_time() -> None:
    busy, after_s, own_s = measured(Bot(gets=0.5, misses=0.5))
    assert busy is None
    assert after_s > 1.7 * WHOLE_S
    assert own_s == pytest.approx(after_s - after_s / 2, rel=0.2)


@pytest.mark.slow
def test_a_bot_that_hardly_runs_is_not_judged() -> None:
    busy, after_s, _ = measured(Bot(gets=0.05, misses=0.95))
    assert busy is not None
    assert "waited for 1." in str(busy)
    assert after_s > GIVEN_BACK * WHOLE_S


@pytest.mark.slow
def test_the_time_of_a_bot_elsewhere_stands_still_while_the_referee_does_not_run() -> None:
    busy, after_s, own_s = measured(Unobservable(), blocked_s=1.0)
    assert busy is None
    assert after_s > WHOLE_S + 0.4
    assert own_s < after_s - 0.4


def test_a_referee_that_is_late_for_its_verdict_first_reads_what_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "_LAST_LOOK_S", 0.1)
    awake: list[float] = []

    def sleep() -> None:
        time.sleep(0.4)
        awake.append(time.monotonic())

    async def run() -> float:
        over: asyncio.Future[Busy | None] = asyncio.get_running_loop().create_future()
        Stopwatch(Unobservable(), over.set_result).start(LIMIT_MS)
        asyncio.get_running_loop().call_later(WHOLE_S + 0.03, sleep)
        assert await over is None
        return time.monotonic()

    assert uvloop.run(run()) - awake[0] > 0.09


def test_a_bot_that_ran_while_the_referee_did_not_is_charged_for_it() -> None:
    _, after_s, own_s = measured(Bot(gets=1.0, misses=0.0), blocked_s=0.6)
    assert own_s == pytest.approx(after_s, rel=0.1)


def test_however_long_a_bot_hides_its_work_from_the_next_look_it_gains_little() -> None:
    for limit_ns in (100_000_000, 1_000_000_000, 10_000_000_000):
        pauses = [pause_ns(limit_ns, number / 20_000) for number in range(20_000)]
        for hidden_ns in sorted(pauses)[::500]:
            unseen = sum(pause > hidden_ns for pause in pauses)
            assert hidden_ns * unseen / sum(pauses) < 0.23


def test_an_answer_before_the_first_look_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "_MOST_NS", 10**12)

    class Untouched(Unobservable):
        def counted(self) -> CpuTotals:
            raise AssertionError

    async def run() -> int:
        watch = Stopwatch(Untouched(), lambda _busy: None)
        watch.start(6_000_000)
        await asyncio.sleep(0.01)
        return watch.stop()

    assert 9_000 <= uvloop.run(run()) < 10_000_000


def test_stopping_twice_gives_the_same_time_and_nothing_is_over_afterwards() -> None:
    async def run() -> None:
        called: list[Busy | None] = []
        watch = Stopwatch(Unobservable(), called.append)
        watch.start(1)
        await asyncio.sleep(0.02)
        first = watch.stop()
        await asyncio.sleep(0.2)
        assert watch.stop() == first
        assert called == []

    uvloop.run(run())
