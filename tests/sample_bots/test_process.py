"""The Python sample bots as real processes, spoken to over their socket."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from grpc import aio
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb
from referee_bot.v1.bot_pb2_grpc import BotStub

from tests.sample_bots.bots import (
    DAREDEVIL,
    ENFORCER,
    MOLE,
    NAMES,
    PYTHON_BOTS,
    SABOTEUR,
    SENTINEL,
    decision,
    in_a_team,
    lays,
    legal_actions,
    position,
    takes,
)

pytestmark = pytest.mark.process

CHANNEL_OPTIONS = [
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 20),
    ("grpc.min_reconnect_backoff_ms", 20),
    ("grpc.max_reconnect_backoff_ms", 200),
]
HAND = (ENFORCER, MOLE, SABOTEUR, SENTINEL)
OFFER = (aa.MARKET_CARD_SINISTER_TWIN, aa.MARKET_CARD_OUTPOST, aa.MARKET_CARD_SPYCATION)
PLAYS = [
    position(hand=HAND),
    position(hand=HAND, face_up=DAREDEVIL),
    position(hand=(DAREDEVIL, MOLE, ENFORCER, SENTINEL), own=(SENTINEL,), other=(DAREDEVIL,), lead=3),
]
TEAM, MARKET = in_a_team(position(hand=HAND)), position(hand=HAND, offer=OFFER)
ASKED = [*((view, legal_actions(view)) for view in PLAYS), (TEAM, lays(TEAM)), (MARKET, takes(MARKET))]
DECISIONS = [decision(view, legal, number) for number, (view, legal) in enumerate(ASKED, 1)]

Stream = Any  # a stream of Play: grpcio has no types for what a stub returns


class Running(NamedTuple):
    """A bot process and a stub to speak to it."""

    process: asyncio.subprocess.Process
    stub: Any

    async def terminated(self) -> tuple[int, str]:
        """Sends SIGTERM. Returns the exit code and all that was written to stderr."""
        self.process.send_signal(signal.SIGTERM)
        _, stderr = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, stderr.decode()


@asynccontextmanager
async def running(name: str) -> AsyncIterator[Running]:
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{Path(folder) / 'bot'}"
        process = await asyncio.create_subprocess_exec(
            sys.executable, "bot.py", address,
            cwd=PYTHON_BOTS / name,
            env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            async with aio.insecure_channel(address, options=CHANNEL_OPTIONS) as channel:
                yield Running(process, BotStub(channel))
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()


async def ask(stream: Stream, message: pb.RefereeMessage) -> pb.BotMessage:
    await stream.write(message)
    answer = await stream.read()
    assert isinstance(answer, pb.BotMessage)
    return answer


async def play_match(stream: Stream) -> list[int]:
    """Plays a match of `DECISIONS`. Returns the choices; fails on an answer that the protocol does not allow."""
    start = pb.MatchStart(game="agent-avenue", seats=2, seed=bytes(range(16)))
    assert (await ask(stream, pb.RefereeMessage(match_start=start))).WhichOneof("body") == "ready"
    choices = []
    for asked in DECISIONS:
        choice = (await ask(stream, pb.RefereeMessage(decision=asked))).choice
        assert choice.decision == asked.number
        assert choice.HasField("index")
        assert choice.index < len(asked.legal)
        choices.append(choice.index)
    await stream.write(pb.RefereeMessage(match_end=pb.MatchEnd(ending="caught", places=[1, 2])))
    return choices


def with_bot(name: str, test: Callable[[Running], Awaitable[None]]) -> None:
    """Runs a test with a bot of its own."""

    async def run() -> None:
        async with running(name) as bot:
            await test(bot)

    asyncio.run(run())


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_plays_the_same_match_alike_on_a_fresh_and_on_a_warm_process(name: str) -> None:
    async def test(bot: Running) -> None:
        about = await bot.stub.Describe(pb.DescribeRequest(), wait_for_ready=True)
        assert (about.name, about.version) == (name, "1")
        stream = bot.stub.Play()
        fresh = await play_match(stream)
        assert await play_match(stream) == fresh
        await stream.done_writing()
        assert await stream.read() is aio.EOF
        assert await stream.code() is grpc.StatusCode.OK
        assert await bot.terminated() == (0, "")

    with_bot(name, test)


def test_sigterm_ends_a_bot_cleanly_while_a_stream_is_open() -> None:
    async def test(bot: Running) -> None:
        stream = bot.stub.Play(wait_for_ready=True)
        await play_match(stream)
        assert await bot.terminated() == (0, "")

    with_bot("random", test)


def test_a_stream_that_the_referee_cancels_leaves_the_bot_quiet() -> None:
    async def test(bot: Running) -> None:
        stream = bot.stub.Play(wait_for_ready=True)
        await play_match(stream)
        stream.cancel()
        await bot.stub.Describe(pb.DescribeRequest())
        assert await bot.terminated() == (0, "")

    with_bot("random", test)
