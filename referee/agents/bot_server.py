"""The seat of an agent as a remote bot: the gRPC server that the referee calls."""

import asyncio
import hmac
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

# gRPC's own log is for its developers. It reads the variable when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
from grpc import aio
from referee_bot.v1 import bot_pb2
from referee_bot.v1.bot_pb2_grpc import BotServicer, add_BotServicer_to_server

from referee.agents.agent_seat import AgentSeat
from referee.core.errors import OurFailure, WrongUse
from referee.wire.bot_messages import ANY_GAME

_OPTIONS = (
    ("grpc.so_reuseport", 0),
    # While an agent thinks for minutes, routers may forget a silent connection, or the referee may be gone for good.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
)


_Context: TypeAlias = "aio.ServicerContext[Any, Any]"


class CannotServeSeat(OurFailure):
    """The seat cannot be served at this address."""


@asynccontextmanager
async def serve_bot(
    seat: AgentSeat, entry: str, address: str, token: str, pair: tuple[bytes, bytes] | None
) -> AsyncIterator[int]:
    """Let referees that show `token` call the seat until the context ends. Yields the port.

    `entry` is the bot's `name@version`; `address` is `HOST:PORT`, with port 0 for any that is free; `pair` is the key
    and the certificate for TLS, in PEM.

    Raises:
        CannotServeSeat: the system does not let us, or the certificate cannot be used.
    """
    server = aio.server(options=_OPTIONS)
    add_BotServicer_to_server(_Bot(seat, entry, token), server)
    try:
        credentials = None if pair is None else grpc.ssl_server_credentials([pair])
        port = server.add_secure_port(address, credentials) if credentials else server.add_insecure_port(address)
    except RuntimeError as error:
        raise CannotServeSeat(f"{address}: cannot listen there; see --host, --port, --certificate and --key") from error
    await server.start()
    try:
        yield port
    finally:
        await server.stop(grace=None)


class _Bot(BotServicer):
    def __init__(self, seat: AgentSeat, entry: str, token: str) -> None:
        self._seat = seat
        name, version = entry.split("@")
        self._description = bot_pb2.DescribeResponse(name=name, version=version, games=[ANY_GAME])
        self._token = f"Bearer {token}".encode()

    async def Describe(  # noqa: N802 - the name in the proto
        self, _request: bot_pb2.DescribeRequest, context: _Context
    ) -> bot_pb2.DescribeResponse:
        await self._refuse_strangers(context)
        return self._description

    async def Play(  # noqa: N802 - the name in the proto
        self, requests: AsyncIterator[bot_pb2.RefereeMessage], context: _Context
    ) -> AsyncIterator[bot_pb2.BotMessage]:
        await self._refuse_strangers(context)
        if self._seat.is_playing:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "the seat plays in another match")
        answers: asyncio.Queue[bot_pb2.BotMessage | None] = asyncio.Queue()
        self._seat.open(answers.put_nowait)
        reading = asyncio.create_task(self._read(requests, answers))
        try:
            while (answer := await answers.get()) is not None:
                yield answer
            await reading
        except WrongUse as error:
            await context.abort(grpc.StatusCode.UNAVAILABLE, str(error))
        finally:
            reading.cancel()
            self._seat.close()

    async def _read(
        self, requests: AsyncIterator[bot_pb2.RefereeMessage], answers: "asyncio.Queue[bot_pb2.BotMessage | None]"
    ) -> None:
        try:
            async for message in requests:
                self._seat.receive(message)
        finally:
            answers.put_nowait(None)

    async def _refuse_strangers(self, context: _Context) -> None:
        shown = dict(context.invocation_metadata() or ()).get("authorization", "")
        if not hmac.compare_digest(str(shown).encode(), self._token):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is missing or wrong")
