"""Calls the tables of another process from the web server. Each call has a connection of its own."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import TypeVar

import msgspec

from referee.core.errors import OurFailure
from tournaments.web.people.framing import read_frame, write_frame
from tournaments.web.people.protocol import (
    ChooseRequest,
    FollowRequest,
    OffersRequest,
    OpenRequest,
    Question,
    RecordRequest,
    RematchRequest,
    Seated,
    SeatNews,
    SitRequest,
    TableOffer,
    TablesReply,
)
from tournaments.web.people.table_request import TableRefused, TableRequest

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
        return await self._answer(OffersRequest(), tuple[TableOffer, ...])

    async def open(self, wanted_table: TableRequest) -> Seated:
        """Open a table."""
        return await self._answer(OpenRequest(wanted_table), Seated)

    async def sit(self, invitation: str, name: str) -> Seated:
        """Take the seat of an invitation."""
        return await self._answer(SitRequest(invitation, name), Seated)

    async def follow(self, key: str) -> AsyncGenerator[SeatNews, None]:
        """The past and future news of a seat."""
        async with contextlib.aclosing(self._answers(FollowRequest(key), SeatNews)) as answers:
            async for news in answers:
                yield news

    async def choose(self, key: str, decision: int, index: int) -> None:
        """Answer the open decision of a seat."""
        await self._answer(ChooseRequest(key, decision, index), type(None))

    async def record(self, key: str) -> bytes:
        """The transcript of a seat's match."""
        return await self._answer(RecordRequest(key), bytes)

    async def rematch(self, key: str) -> Seated:
        """The same seat at a new table."""
        return await self._answer(RematchRequest(key), Seated)

    async def _answer(self, question: Question, kind: type[T]) -> T:
        async with contextlib.aclosing(self._answers(question, kind)) as answers:
            async for answer in answers:
                return answer
        raise TablesUnreachable("the tables cannot be reached: the call ended without an answer")

    async def _answers(self, question: Question, kind: type[T]) -> AsyncGenerator[T, None]:
        try:
            reader, writer = await asyncio.open_unix_connection(str(self._socket))
        except OSError as error:
            raise TablesUnreachable(f"the tables cannot be reached: {error.strerror}") from error
        try:
            await write_frame(writer, msgspec.msgpack.encode(question))
            while (frame := await read_frame(reader)) is not None:
                reply = msgspec.msgpack.decode(frame, type=TablesReply)
                if reply.refusal is not None:
                    raise TableRefused(reply.refusal, reply.field)
                yield msgspec.msgpack.decode(reply.value, type=kind)
        except OSError as error:
            raise TablesUnreachable(f"the tables cannot be reached: {error.strerror}") from error
        finally:
            writer.close()
