"""Our own channel over a unix socket: a bot that is not up yet, one that hangs up, one that does not read."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvloop

from referee.match.conversation import Garbage
from referee.runtime.bot_address import Peer
from referee.runtime.channels import http2_channel
from referee.runtime.channels.channel import CallEnded, CallStatus
from referee.runtime.channels.http2_channel import Http2Channel
from tests.rogues.bots.frames import (
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    OK,
    PING,
    RESPONSE,
    SETTINGS,
    block,
    frame,
)
from tests.runtime.frames import message
from tests.runtime.rogues import run_folder

HELLO = frame(SETTINGS)
DESCRIBED = (
    HELLO
    + frame(HEADERS, END_HEADERS, 1, block(RESPONSE))
    + message(1, b"somebody")
    + frame(HEADERS, END_HEADERS | END_STREAM, 1, block(OK))
)

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Listener:
    """The listener of a call of Play."""

    def __init__(self) -> None:
        self.messages: list[bytes | Garbage] = []
        self.over: asyncio.Future[CallStatus | None] = asyncio.get_running_loop().create_future()

    def on_message(self, message: bytes | Garbage) -> None:
        self.messages.append(message)

    def on_end(self, status: CallStatus | None) -> None:
        self.over.set_result(status)


@asynccontextmanager
async def serving(serve: Serve, path: Path) -> AsyncIterator[None]:
    """Let `serve` serve each caller at the socket `path`."""
    writers: list[asyncio.StreamWriter] = []

    async def each(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with contextlib.suppress(OSError):
            await serve(reader, writer)

    server = await asyncio.start_unix_server(each, path)
    try:
        yield
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0.05)


def with_channel(test: Callable[[Http2Channel, Path], Awaitable[None]], *, is_coming_up: bool = False) -> None:
    async def run(path: Path) -> None:
        channel = Http2Channel(Peer(f"unix:{path}", is_coming_up=is_coming_up))
        try:
            async with asyncio.timeout(60):
                await test(channel, path)
        finally:
            await channel.close()

    with run_folder() as folder:
        uvloop.run(run(folder / "bot.sock"))


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(24)
    writer.write(DESCRIBED)


def test_whom_nobody_has_started_is_unavailable() -> None:
    async def test(channel: Http2Channel, _path: Path) -> None:
        with pytest.raises(CallEnded) as caught:
            await channel.describe(b"", 20)
        assert caught.value.status == CallStatus("unavailable", "it cannot be called: No such file or directory")

    with_channel(test)


def test_who_is_coming_up_is_called_until_he_listens() -> None:
    async def test(channel: Http2Channel, path: Path) -> None:
        calling = asyncio.create_task(channel.describe(b"", 50))
        await asyncio.sleep(0.05)
        async with serving(answer, path):
            assert await calling == b"somebody"

    with_channel(test, is_coming_up=True)


def test_who_is_coming_up_and_hangs_up_before_a_word_is_called_again() -> None:
    calls = 0

    async def later(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        if calls < 4:
            writer.close()
        else:
            await answer(reader, writer)

    async def test(channel: Http2Channel, path: Path) -> None:
        async with serving(later, path):
            assert await channel.describe(b"", 50) == b"somebody"
        assert calls == 4

    with_channel(test, is_coming_up=True)


def test_who_has_said_a_word_and_hangs_up_is_not_called_again() -> None:
    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HELLO)
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.close()

    async def test(channel: Http2Channel, path: Path) -> None:
        async with serving(greet, path):
            with pytest.raises(CallEnded) as caught:
                await channel.describe(b"", 50)
        assert caught.value.status.code == "unavailable"

    with_channel(test, is_coming_up=True)


def test_who_does_not_answer_in_time_is_late() -> None:
    async def silent(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async def test(channel: Http2Channel, path: Path) -> None:
        async with serving(silent, path):
            with pytest.raises(CallEnded) as caught:
                await channel.describe(b"", 0.1)
        assert caught.value.status == CallStatus("deadline_exceeded")

    with_channel(test)


@pytest.mark.parametrize("hangs_up", [True, False], ids=["hangs up", "says that it goes"])
def test_who_leaves_after_describe_is_called_anew_for_play(hangs_up: bool) -> None:
    calls = 0

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            await answer(reader, writer)
            writer.write(frame(GOAWAY, payload=(1).to_bytes(4) + bytes(4)))
            await writer.drain()
            await asyncio.sleep(0.05)
            if hangs_up:
                writer.close()
        else:
            begun = frame(HEADERS, END_HEADERS, 1, block(RESPONSE))
            writer.write(HELLO + begun + message(1, b"hello again"))
            await reader.read()

    async def test(channel: Http2Channel, path: Path) -> None:
        async with serving(once, path):
            await channel.describe(b"", 50)
            await asyncio.sleep(0.3)
            listener = Listener()
            channel.open(listener)
            while not listener.messages:
                await asyncio.sleep(0.01)
            assert listener.messages == [b"hello again"]
            channel.cancel()
            assert await listener.over is None

    with_channel(test)


def test_who_wants_answers_and_does_not_read_them_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2_channel, "_MOST_UNSENT", 10_000)

    async def demand(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(HELLO)
        begun = frame(HEADERS, END_HEADERS, 1, block(RESPONSE))
        while not writer.is_closing():
            writer.write(begun + (frame(PING, payload=bytes(8)) * 9_000 + message(1, b"x")) * 5)
            begun = b""
            await writer.drain()

    async def test(channel: Http2Channel, path: Path) -> None:
        async with serving(demand, path):
            listener = Listener()
            channel.open(listener)
            assert await listener.over == CallStatus("internal", "it does not read what it asks for")

    with_channel(test)


def test_who_leaves_has_his_last_words_heard() -> None:
    async def leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(24)
        begun = frame(HEADERS, END_HEADERS, 1, block(RESPONSE))
        writer.write(HELLO + begun + message(1, b"farewell"))
        await writer.drain()
        writer.close()

    async def test(channel: Http2Channel, path: Path) -> None:
        async with serving(leave, path):
            listener = Listener()
            channel.open(listener)
            for _ in range(50):  # also while we write to whoever has gone
                await channel.send(bytes(1_000))
                await asyncio.sleep(0)
            assert await listener.over == CallStatus("unavailable", "it closed its connection")
            assert listener.messages == [b"farewell"]

    with_channel(test)


def test_a_closed_channel_leaves_no_socket_open() -> None:
    async def test(_channel: Http2Channel, path: Path) -> None:
        seen = []
        for _ in range(3):
            async with serving(answer, path):
                channel = Http2Channel(Peer(f"unix:{path}"))
                await channel.describe(b"", 50)
                await channel.close()
            seen.append(len(os.listdir("/proc/self/fd")))  # noqa: PTH208
        assert seen[1] == seen[2]

    with_channel(test)
