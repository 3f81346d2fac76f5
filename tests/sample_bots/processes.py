"""Bots as real processes that are called through a gRPC stub, and what every bot with a token must do."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import grpc
import pytest
from grpc import aio
from referee_bot.v1 import bot_pb2 as pb
from referee_bot.v1.bot_pb2_grpc import BotStub

from tests.sample_bots.bots import PYTHON_BOTS

CHANNEL_OPTIONS = [
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 20),
    ("grpc.min_reconnect_backoff_ms", 20),
    ("grpc.max_reconnect_backoff_ms", 200),
]
ADDRESS = "{address}"

Metadata: TypeAlias = tuple[tuple[str, str], ...]
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


Test: TypeAlias = Callable[[Running], Awaitable[None]]


@asynccontextmanager
async def running(
    command: Sequence[str], folder: Path, address: str, variables: Mapping[str, str]
) -> AsyncIterator[Running]:
    """A bot's process. In its command and its variables, `ADDRESS` stands for the address where it listens."""
    environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", **variables}
    process = await asyncio.create_subprocess_exec(
        *(word.replace(ADDRESS, address) for word in command),
        cwd=folder,
        env={key: value.replace(ADDRESS, address) for key, value in environment.items()},
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with aio.insecure_channel(address, options=CHANNEL_OPTIONS) as channel:
            yield Running(process, BotStub(channel))
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def with_bot(name: str, test: Test, *arguments: str, **variables: str) -> None:
    """Runs a test with a Python bot of its own. The bot finds its address in its environment."""

    async def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "bot.py", *arguments]
            address = f"unix:{Path(folder) / 'bot'}"
            environment = {"REFEREE_ADDRESS": ADDRESS, **variables}
            async with running(command, PYTHON_BOTS / name, address, environment) as bot:
                await test(bot)

    asyncio.run(run())


async def ask(stream: Stream, message: pb.RefereeMessage) -> pb.BotMessage:
    """Sends a message and reads the answer."""
    await stream.write(message)
    answer = await stream.read()
    assert isinstance(answer, pb.BotMessage)
    return answer


async def answers_only_who_brings(token: str, bot: Running) -> None:
    """Fails unless a bot with this token asks for it, then plays, and prints nothing about it."""
    right = bearer(token)
    other = token[:-1] + ("1" if token[-1] == "0" else "0")
    wrong: list[Metadata] = [(), bearer(other), bearer(token[:-1]), bearer(""), (("authorization", token),)]
    for metadata in wrong:
        assert await _refused(bot.stub.Describe(pb.DescribeRequest(), metadata=metadata, wait_for_ready=True))
        assert await _refused(bot.stub.Play(metadata=metadata).read())
    assert (await bot.stub.Describe(pb.DescribeRequest(), metadata=right)).version == "1"
    start = pb.RefereeMessage(match_start=pb.MatchStart(game="agent-avenue", seats=2, seed=bytes(16)))
    assert (await ask(bot.stub.Play(metadata=right), start)).HasField("ready")
    _, stderr = await bot.terminated()
    assert stderr == ""


def bearer(token: str) -> Metadata:
    """The metadata that carries a token."""
    return (("authorization", f"Bearer {token}"),)


async def _refused(call: Awaitable[object]) -> bool:
    """Whether a call is refused because the token is missing or wrong."""
    with pytest.raises(aio.AioRpcError) as error:
        await call
    return error.value.code() is grpc.StatusCode.UNAUTHENTICATED
