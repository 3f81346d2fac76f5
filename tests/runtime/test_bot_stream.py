"""The stream to a real bot when time is short: deadlines, a late referee, a bot that does not read."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import uvloop
from referee_bot.v1 import bot_pb2 as pb

from referee.core.errors import Busy
from referee.match.conversation import Chosen, Failed, Ready, Reply, SeatQuestion
from referee.match.starvation import CpuTotals
from referee.match.terms import MARGIN_MS
from referee.match.transcript import FaultKind
from referee.runtime import stopwatch
from referee.runtime.bot_process import BotProcess
from referee.runtime.bot_stream import BotStream
from referee.runtime.channels.grpc_channel import _until_it_ends
from referee.runtime.stopwatch import Observable
from tests.runtime.rogues import hosting_in, rogue, run_folder

pytestmark = pytest.mark.process

START = pb.RefereeMessage(match_start=pb.MatchStart(game="any")).SerializeToString()
LONG = bytes(900_000)
"""About as long as a message of the referee may be. gRPC accepts some of them while nobody reads."""


def itself(process: BotProcess) -> Observable:
    return process


def with_line(
    folder: Path,
    how: str,
    test: Callable[[BotStream], Awaitable[None]],
    looked_at: Callable[[BotProcess], Observable] = itself,
) -> None:
    """Let `test` use a line to a rogue that is up. `looked_at` gives what the line sees of it."""

    async def run(run_dir: Path) -> None:
        process = await rogue(folder, how).host(hosting_in(run_dir))
        line = BotStream(await process.peer(), process.kill, looked_at(process))
        try:
            await line.describe(timeout_ms=20_000)
            line.open()
            await test(line)
        finally:
            await line.drop()
            await process.kill_now()

    with run_folder() as run_dir:
        uvloop.run(run(run_dir))


async def start(line: BotStream, limit_ms: int = 20_000) -> Reply:
    return (await line.ask(SeatQuestion(decision=0), START, limit_ms))[0]


async def ask(line: BotStream, number: int, limit_ms: int = 20_000, view: bytes = b"") -> Reply:
    return (await asked(line, number, limit_ms, view))[0]


async def asked(line: BotStream, number: int, limit_ms: int, view: bytes = b"") -> tuple[Reply, int]:
    decision = pb.Decision(number=number, view=view, legal=[b"0", b"1", b"2"], time_left_ms=limit_ms)
    message = pb.RefereeMessage(decision=decision).SerializeToString()
    return await line.ask(SeatQuestion(number, legal=3), message, limit_ms)


def block(loop: asyncio.AbstractEventLoop, begin_s: float, end_s: float) -> None:
    """Keep the referee itself busy from one of these times to the other, counted from now."""
    loop.call_later(begin_s, time.sleep, end_s - begin_s)


def test_an_answer_that_came_while_the_referee_was_blocked_counts(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        # The bot thinks for 300 of its 500 ms. The referee looks 400 ms after the deadline.
        block(asyncio.get_running_loop(), 0.1, 0.9 + MARGIN_MS / 1000)
        assert await ask(line, 2, limit_ms=500) == Chosen(2)

    with_line(tmp_path, "thinks", test)


@pytest.mark.slow
def test_the_time_in_which_the_referee_was_blocked_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What passes before the watch would have woken is not seen. So that it is little here, the watch wakes often.
    monkeypatch.setattr(stopwatch, "_TICK_NS", 10_000_000)

    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        began = time.monotonic()
        block(asyncio.get_running_loop(), 0.1, 0.7)
        reply = await ask(line, 2, limit_ms=300)
        assert reply == Failed(FaultKind.TIMEOUT, "did not answer decision 2 within 300 ms")
        assert time.monotonic() - began > 0.9  # 0.3 + the margin, and most of the 0.6

    with_line(tmp_path, "hangs", test)


def test_a_match_is_void_when_the_referee_was_blocked_for_several_times_the_limit(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        block(asyncio.get_running_loop(), 0.1, 0.2 + 4 * (0.2 + MARGIN_MS / 1000))
        with pytest.raises(Busy, match=r"the machine was too busy: .* the referee itself did not run for 1"):
            await ask(line, 2, limit_ms=200)

    with_line(tmp_path, "hangs", test)


@pytest.mark.slow
def test_an_answer_that_came_counts_however_long_the_referee_was_blocked(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        block(asyncio.get_running_loop(), 0.1, 3.0)
        assert await ask(line, 2, limit_ms=500) == Chosen(2)

    with_line(tmp_path, "thinks", test)


class Hog:
    """The samples of a bot that used the core all the time."""

    def __init__(self, _process: BotProcess) -> None:
        self._began_ns = time.monotonic_ns()

    @property
    def ran_ns(self) -> int:
        return time.monotonic_ns() - self._began_ns

    def counted(self) -> CpuTotals:
        return CpuTotals({}, {})


@pytest.mark.slow
def test_an_answer_that_came_too_late_does_not_count_when_the_bot_itself_blocked_the_referee(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        block(asyncio.get_running_loop(), 0.05, 0.8)
        assert await ask(line, 2, limit_ms=200) == Failed(FaultKind.TIMEOUT, "did not answer decision 2 within 200 ms")

    with_line(tmp_path, "thinks", test, Hog)


@pytest.mark.slow
def test_an_answer_costs_no_time_in_which_the_referee_was_blocked(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        block(asyncio.get_running_loop(), 0.1, 1.3)
        reply, thought_us = await asked(line, 2, limit_ms=20_000)
        assert reply == Chosen(2)
        assert thought_us < 800_000  # it thinks for 300 ms

    with_line(tmp_path, "thinks", test)


def test_many_questions_have_each_their_own_deadline(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        assert await ask(line, 1, limit_ms=20_000) == Chosen(1)
        reply = await ask(line, 2, limit_ms=200)
        assert reply == Failed(FaultKind.TIMEOUT, "did not answer decision 2 within 200 ms")
        assert await ask(line, 3) is reply  # and is not asked any more

    with_line(tmp_path, "hangs", test)


def test_a_bot_that_is_never_ready_is_out_of_time(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line, 200) == Failed(FaultKind.TIMEOUT, "did not answer the start within 200 ms")

    with_line(tmp_path, "is_never_ready", test)


def test_a_question_that_the_bot_does_not_read_runs_out_of_time(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        assert await ask(line, 1) == Chosen(1)
        reply = await ask(line, 2, limit_ms=200, view=LONG)
        assert reply == Failed(FaultKind.TIMEOUT, "did not answer decision 2 within 200 ms")

    with_line(tmp_path, "stops_reading", test)


def test_a_bot_that_does_not_read_what_it_is_told_is_given_up(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        assert await ask(line, 1) == Chosen(1)
        for _ in range(20):
            await line.tell(LONG)
        assert line.talk.latched == Failed(FaultKind.CRASH, "does not read what it is sent")

    with_line(tmp_path, "stops_reading", test)


@pytest.mark.slow
@pytest.mark.parametrize(("how", "clean"), [("honest", True), ("keeps_its_stream", False), ("stops_reading", False)])
def test_hanging_up_tells_whether_the_bot_closed_its_stream(how: str, clean: bool, tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        assert await ask(line, 1) == Chosen(1)
        assert await line.hang_up() is clean

    with_line(tmp_path, how, test)


@pytest.mark.slow
def test_hanging_up_on_a_bot_that_does_not_read_does_not_wait_for_ever(tmp_path: Path) -> None:
    async def test(line: BotStream) -> None:
        assert await start(line) == Ready()
        assert await ask(line, 1) == Chosen(1)
        stuck = asyncio.create_task(fill(line))
        await asyncio.sleep(0.1)
        assert await line.hang_up() is False
        await stuck

    with_line(tmp_path, "stops_reading", test)


async def fill(line: BotStream) -> None:
    """Write until the stream takes no more, and wait."""
    for _ in range(20):
        await line.send(LONG)


def test_a_message_for_a_stream_that_never_begins_waits_no_longer_than_the_call_lasts() -> None:
    class Cut:
        """A call that was cut. gRPC tells so, and yet waits for the stream to begin."""

        def add_done_callback(self, told: Callable[[object], None]) -> None:
            asyncio.get_running_loop().call_soon(told, self)

    async def write() -> None:
        await asyncio.Event().wait()

    async def run() -> None:
        async with asyncio.timeout(60):
            await _until_it_ends(Cut(), write())  # type: ignore[arg-type]

    asyncio.run(run())
