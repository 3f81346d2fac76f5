"""Bots of a folder as real processes, and a stub to speak to them over their socket."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

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
async def running(name: str, arguments: tuple[str, ...], variables: Mapping[str, str]) -> AsyncIterator[Running]:
    """A Python bot. In its arguments and variables, `ADDRESS` stands for where it is to listen."""
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{Path(folder) / 'bot'}"
        environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", **variables}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "bot.py", *(word.replace(ADDRESS, address) for word in arguments),
            cwd=PYTHON_BOTS / name,
            env={key: value.replace(ADDRESS, address) for key, value in environment.items()},
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            async with aio.insecure_channel(address, options=CHANNEL_OPTIONS) as channel:
                yield Running(process, BotStub(channel))
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()


def with_bot(
    name: str,
    test: Callable[[Running], Awaitable[None]],
    *arguments: str,
    **variables: str,
) -> None:
    """Runs a test with a bot of its own; without arguments, it is started with its address."""

    async def run() -> None:
        async with running(name, arguments or (ADDRESS,), variables) as bot:
            await test(bot)

    asyncio.run(run())


async def ask(stream: Stream, message: pb.RefereeMessage) -> pb.BotMessage:
    """Sends a message and reads the answer."""
    await stream.write(message)
    answer = await stream.read()
    assert isinstance(answer, pb.BotMessage)
    return answer
