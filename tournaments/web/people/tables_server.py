"""Lets another process use the tables of this one, through a socket that only this user can open."""

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec

from tournaments.web.people.framing import read_frame, write_frame
from tournaments.web.people.protocol import (
    ChooseRequest,
    FollowRequest,
    OffersRequest,
    OpenRequest,
    Question,
    RecordRequest,
    RematchRequest,
    SitRequest,
    TablesReply,
    TablesService,
    packed,
)
from tournaments.web.people.table_request import TableRefused


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
        saying = asyncio.create_task(_say(tables_service, msgspec.msgpack.decode(frame, type=Question), writer))
        gone = asyncio.create_task(reader.read(1))
        await asyncio.wait([saying, gone], return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if not saying.done():
            saying.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await saying
    finally:
        writer.close()


async def _say(tables_service: TablesService, question: Question, writer: asyncio.StreamWriter) -> None:
    try:
        async with contextlib.aclosing(_answers(tables_service, question)) as answers:
            async for answer in answers:
                await write_frame(writer, msgspec.msgpack.encode(TablesReply(value=packed(answer))))
    except TableRefused as reason:
        await write_frame(writer, msgspec.msgpack.encode(TablesReply(str(reason), reason.field)))


async def _answers(tables_service: TablesService, question: Question) -> AsyncGenerator[Any, None]:
    match question:
        case OffersRequest():
            yield await tables_service.offers()
        case OpenRequest(wanted_table):
            yield await tables_service.open(wanted_table)
        case SitRequest(invitation, name):
            yield await tables_service.sit(invitation, name)
        case ChooseRequest(key, decision, index):
            await tables_service.choose(key, decision, index)
            yield None
        case RecordRequest(key):
            yield await tables_service.record(key)
        case RematchRequest(key):
            yield await tables_service.rematch(key)
        case FollowRequest(key):
            async with contextlib.aclosing(tables_service.follow(key)) as news:
                async for each in news:
                    yield each
