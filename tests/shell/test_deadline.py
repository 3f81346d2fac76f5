"""One timer for many times. The clock of the loop stands still until the test moves it."""

import asyncio
from collections.abc import Callable, Iterator
from unittest.mock import Mock

import pytest
import uvloop

from referee.shell.deadline import Deadline


class HandMovedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock is moved by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def time(self) -> float:
        return self.now

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        for _ in range(3):  # what is due now, and what that makes due now
            self.call_soon(self.stop)
            self.run_forever()


@pytest.fixture
def loop() -> Iterator[HandMovedLoop]:
    loop = HandMovedLoop()
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()


@pytest.fixture
def late() -> list[float]:
    """How late the timer was, each time it reached the deadline."""
    return []


@pytest.fixture
def deadline(loop: HandMovedLoop, late: list[float]) -> Deadline:  # noqa: ARG001 - it is the current loop
    return Deadline(late.append)


def test_it_is_due_when_its_time_has_come_and_only_once(
    loop: HandMovedLoop, deadline: Deadline, late: list[float]
) -> None:
    deadline.set(2.0)
    loop.pass_time(1.9)
    assert late == []
    loop.pass_time(0.1)
    assert len(late) == 1
    loop.pass_time(10.0)
    assert len(late) == 1


def test_it_says_how_late_it_is(loop: HandMovedLoop, deadline: Deadline, late: list[float]) -> None:
    deadline.set(2.0)
    loop.pass_time(2.75)
    assert late == [pytest.approx(0.75)]


def test_a_time_set_later_replaces_the_earlier(loop: HandMovedLoop, deadline: Deadline, late: list[float]) -> None:
    deadline.set(2.0)
    loop.pass_time(1.5)
    deadline.set(2.0)
    loop.pass_time(1.0)
    assert late == []
    loop.pass_time(1.0)
    assert late == [pytest.approx(0.0, abs=0.001)]


def test_a_time_before_the_one_that_was_set_is_kept_too(
    loop: HandMovedLoop, deadline: Deadline, late: list[float]
) -> None:
    deadline.set(10.0)
    deadline.set(1.0)
    loop.pass_time(1.0)
    assert len(late) == 1
    loop.pass_time(10.0)
    assert len(late) == 1


@pytest.mark.parametrize("end", [Deadline.clear, Deadline.cancel])
def test_what_was_taken_back_is_never_due(
    end: Callable[[Deadline], None], loop: HandMovedLoop, deadline: Deadline, late: list[float]
) -> None:
    deadline.set(1.0)
    end(deadline)
    loop.pass_time(10.0)
    assert late == []
    deadline.set(1.0)
    loop.pass_time(1.0)
    assert len(late) == 1


def test_it_can_be_set_anew_by_what_it_calls(loop: HandMovedLoop) -> None:
    calls: list[float] = []

    def call_and_set(late_s: float) -> None:
        calls.append(late_s)
        again.set(1.0)

    again = Deadline(call_and_set)
    again.set(1.0)
    for _ in range(3):
        loop.pass_time(1.0)
    assert len(calls) == 3


def test_a_thousand_times_within_one_limit_need_two_timers(
    loop: HandMovedLoop, deadline: Deadline, late: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    call_at = Mock(side_effect=loop.call_at)
    monkeypatch.setattr(loop, "call_at", call_at)
    for _ in range(1000):
        deadline.set(2.0)
        deadline.clear()
        loop.pass_time(0.001)
    deadline.set(2.0)
    loop.pass_time(1.5)
    assert (late, call_at.call_count) == ([], 2)
    loop.pass_time(0.5)
    assert len(late) == 1


def test_what_is_due_at_once_can_be_moved_on_a_loop_of_uvloop_too() -> None:
    late: list[float] = []

    async def move() -> None:
        deadline = Deadline(late.append)
        for seconds in (0.0, 0.0001, 0.0, 0.0001, 0.0004, 0.02):
            deadline.set(seconds)
        await asyncio.sleep(0)
        assert late == []
        while not late:
            await asyncio.sleep(0.005)

    uvloop.run(move())
    assert len(late) == 1
