"""Calls from the web server to the process with the tables, through a socket that only this user can open.

Each call has a connection of its own. A message is a frame: four bytes with the length, the highest first, and then so
many bytes.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from referee.core.errors import OurFailure
from tournaments.web.visitors.protocol import (
    Seated,
    SeatEvents,
    TableOffer,
    TableRefused,
    TableRequest,
    TablesCall,
    TablesReply,
    TablesService,
)

MOST_BYTES = 128 << 20
"""The limit of a frame: four times 32 messages to a seat, each of the length that a bot must be able to read."""


class BrokenFrame(OurFailure):
    """The received bytes are no frame."""


async def write_frame(writer: asyncio.StreamWriter, content: bytes) -> None:
    """Send a frame, and wait while the other side does not read."""
    writer.write(len(content).to_bytes(4) + content)
    await writer.drain()


async def read_frame(reader: asyncio.StreamReader) -> bytes | None:
    """The next frame; None if the other side has closed.

    Raises:
        BrokenFrame: it is too long, or the other side closed in the middle of it.
    """
    try:
        length = int.from_bytes(await reader.readexactly(4))
        if length > MOST_BYTES:
            raise BrokenFrame(f"a frame of {length} bytes; at most {MOST_BYTES} are sent")
        return await reader.readexactly(length)
    except asyncio.IncompleteReadError as end:
        if end.partial:
            raise BrokenFrame("a frame that breaks off") from end
        return None


T = TypeVar("T")


class TablesUnreachable(OurFailure):
    """The web server cannot reach the process with the tables."""


class TablesClient:
    """The tables behind a socket: a `TablesService`."""

    def __init__(self, socket: Path) -> None:
        """Call the process that listens at `socket`."""
        self._socket = socket

    async def offers(self) -> tuple[TableOffer, ...]:
        """The offers to visitors, one for each league."""
        return await self._answer(TablesCall("offers"), tuple[TableOffer, ...])

    async def open(self, wanted_table: TableRequest) -> Seated:
        """Open a table."""
        return await self._answer(TablesCall("open", (wanted_table,)), Seated)

    async def sit(self, invitation: str, name: str) -> Seated:
        """Take the seat of an invitation."""
        return await self._answer(TablesCall("sit", (invitation, name)), Seated)

    async def follow(self, key: str) -> AsyncGenerator[SeatEvents, None]:
        """The past and future news of a seat."""
        async with contextlib.aclosing(self._answers(TablesCall("follow", (key,)), SeatEvents)) as answers:
            async for news in answers:
                yield news

    async def choose(self, key: str, decision: int, index: int) -> None:
        """Answer the open decision of a seat."""
        await self._answer(TablesCall("choose", (key, decision, index)), type(None))

    async def record(self, key: str) -> bytes:
        """The transcript of a seat's match."""
        return await self._answer(TablesCall("record", (key,)), bytes)

    async def rematch(self, key: str) -> Seated:
        """The same seat at a new table."""
        return await self._answer(TablesCall("rematch", (key,)), Seated)

    async def _answer(self, call: TablesCall, kind: type[T]) -> T:
        async with contextlib.aclosing(self._answers(call, kind)) as answers:
            async for answer in answers:
                return answer
        raise TablesUnreachable("the tables cannot be reached: the call ended without an answer")

    async def _answers(self, call: TablesCall, kind: type[T]) -> AsyncGenerator[T, None]:
        try:
            reader, writer = await asyncio.open_unix_connection(str(self._socket))
        except OSError as error:
            raise TablesUnreachable(f"the tables cannot be reached: {error.strerror}") from error
        try:
            await write_frame(writer, msgspec.msgpack.encode(call))
            while (frame := await read_frame(reader)) is not None:
                reply = msgspec.msgpack.decode(frame, type=TablesReply)
                if reply.refusal is not None:
                    raise TableRefused(reply.refusal, reply.field)
                yield msgspec.msgpack.decode(reply.value, type=kind)
        except OSError as error:
            raise TablesUnreachable(f"the tables cannot be reached: {error.strerror}") from error
        finally:
            writer.close()


async def serve(tables_service: TablesService, socket: Path) -> asyncio.Server:
    """Answer calls at `socket`, which must not exist yet. Only this user may call."""
    before = os.umask(0o177)
    try:
        return await asyncio.start_unix_server(lambda *stream: _answer(tables_service, *stream), str(socket))
    finally:
        os.umask(before)


async def _answer(tables_service: TablesService, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one call, until the answer is complete or the caller is gone."""
    try:
        frame = await read_frame(reader)
        if frame is None:
            return
        saying = asyncio.create_task(_say(tables_service, msgspec.msgpack.decode(frame, type=TablesCall), writer))
        gone = asyncio.create_task(reader.read(1))
        await asyncio.wait([saying, gone], return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if not saying.done():
            saying.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await saying
    finally:
        writer.close()


async def _say(tables_service: TablesService, call: TablesCall, writer: asyncio.StreamWriter) -> None:
    try:
        async with contextlib.aclosing(_answers(tables_service, call)) as answers:
            async for answer in answers:
                value = msgspec.Raw(msgspec.msgpack.encode(answer))
                await write_frame(writer, msgspec.msgpack.encode(TablesReply(value=value)))
    except TableRefused as reason:
        await write_frame(writer, msgspec.msgpack.encode(TablesReply(str(reason), reason.field)))


async def _answers(tables_service: TablesService, call: TablesCall) -> AsyncGenerator[Any, None]:
    answer = getattr(tables_service, call.method)(*call.arguments)
    if call.method != "follow":
        yield await answer
        return
    async with contextlib.aclosing(answer) as news:
        async for each in news:
            yield each
