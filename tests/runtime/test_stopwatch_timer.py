"""One timer for many times. The clock of the loop stands still until the test moves it."""

import asyncio
import time
from collections.abc import Callable, Iterator
from unittest.mock import Mock

import pytest
import uvloop

from referee.runtime.stopwatch import Timer

SECOND = 1_000_000_000  # ns


class HandMovedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock is moved by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.now_ns = 1000 * SECOND

    def time(self) -> float:
        return self.now_ns / SECOND

    def pass_time(self, seconds: float) -> None:
        self.now_ns += round(seconds * SECOND)
        for _ in range(3):  # what is due now, and what that makes due now
            self.call_soon(self.stop)
            self.run_forever()


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[HandMovedLoop]:
    loop = HandMovedLoop()
    monkeypatch.setattr(time, "monotonic_ns", lambda: loop.now_ns)
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()


@pytest.fixture
def late() -> list[int]:
    """How late the timer was, each time it reached the deadline."""
    return []


@pytest.fixture
def deadline(loop: HandMovedLoop, late: list[int]) -> Timer:  # noqa: ARG001 - it is the current loop
    return Timer(late.append)


def test_it_is_due_when_its_time_has_come_and_only_once(loop: HandMovedLoop, deadline: Timer, late: list[int]) -> None:
    deadline.set(loop.now_ns + 2 * SECOND)
    loop.pass_time(1.9)
    assert late == []
    loop.pass_time(0.1)
    assert len(late) == 1
    loop.pass_time(10.0)
    assert len(late) == 1


def test_it_says_how_late_it_is(loop: HandMovedLoop, deadline: Timer, late: list[int]) -> None:
    deadline.set(loop.now_ns + 2 * SECOND)
    loop.pass_time(2.75)
    assert late == [0.75 * SECOND]


def test_a_time_set_later_replaces_the_earlier(loop: HandMovedLoop, deadline: Timer, late: list[int]) -> None:
    deadline.set(loop.now_ns + 2 * SECOND)
    loop.pass_time(1.5)
    deadline.set(loop.now_ns + 2 * SECOND)
    loop.pass_time(1.0)
    assert late == []
    loop.pass_time(1.0)
    assert late == [0]


def test_a_time_before_the_one_that_was_set_is_kept_too(loop: HandMovedLoop, deadline: Timer, late: list[int]) -> None:
    deadline.set(loop.now_ns + 10 * SECOND)
    deadline.set(loop.now_ns + 1 * SECOND)
    loop.pass_time(1.0)
    assert len(late) == 1
    loop.pass_time(10.0)
    assert len(late) == 1


@pytest.mark.parametrize("end", [Timer.clear, Timer.cancel])
def test_what_was_taken_back_is_never_due(
    end: Callable[[Timer], None], loop: HandMovedLoop, deadline: Timer, late: list[int]
) -> None:
    deadline.set(loop.now_ns + 1 * SECOND)
    end(deadline)
    loop.pass_time(10.0)
    assert late == []
    deadline.set(loop.now_ns + 1 * SECOND)
    loop.pass_time(1.0)
    assert len(late) == 1


def test_it_can_be_set_anew_by_what_it_calls(loop: HandMovedLoop) -> None:
    calls: list[int] = []

    def call_and_set(late_ns: int) -> None:
        calls.append(late_ns)
        again.set(loop.now_ns + 1 * SECOND)

    again = Timer(call_and_set)
    again.set(loop.now_ns + 1 * SECOND)
    for _ in range(3):
        loop.pass_time(1.0)
    assert len(calls) == 3


def test_a_thousand_times_within_one_limit_need_two_timers(
    loop: HandMovedLoop, deadline: Timer, late: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    call_later = Mock(side_effect=loop.call_later)
    monkeypatch.setattr(loop, "call_later", call_later)
    for _ in range(1000):
        deadline.set(loop.now_ns + 2 * SECOND)
        deadline.clear()
        loop.pass_time(0.001)
    deadline.set(loop.now_ns + 2 * SECOND)
    loop.pass_time(1.5)
    assert (late, call_later.call_count) == ([], 2)
    loop.pass_time(0.5)
    assert len(late) == 1


def test_what_is_due_at_once_can_be_moved_on_a_loop_of_uvloop_too() -> None:
    late: list[int] = []

    async def move() -> None:
        deadline = Timer(late.append)
        for seconds in (0.0, 0.0001, 0.0, 0.0001, 0.0004, 0.02):
            deadline.set(time.monotonic_ns() + int(seconds * SECOND))
        await asyncio.sleep(0)
        assert late == []
        while not late:
            await asyncio.sleep(0.005)

    uvloop.run(move())
    assert len(late) == 1
