"""The gRPC server of a remote bot whose answers take time, such as the seat of an agent."""

import hmac
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

# gRPC's own log is for its developers. It reads the variable when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
from grpc import aio
from referee_bot.v1 import bot_pb2
from referee_bot.v1.bot_pb2_grpc import BotServicer, add_BotServicer_to_server

from referee.core.errors import OurFailure, WrongUse
from referee.files.safe_read import read_ordinary
from referee.wire.bot_messages import description

_OPTIONS = (
    ("grpc.so_reuseport", 0),  # no second bot takes the same port
    # While a bot thinks for minutes, routers may forget a silent connection, or the referee may be gone for good.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
)

_LONGEST = 1 << 20
"""Bytes of a key or a certificate."""

Answer: TypeAlias = Callable[[bot_pb2.RefereeMessage], Awaitable[bot_pb2.BotMessage | None]]
"""Takes a message of the referee. Gives the answer, if there is one."""

NewStream: TypeAlias = Callable[[], AbstractContextManager[Answer]]
"""Begins a stream of the referee. It raises `WrongUse`, as an answer does, if the bot cannot play now."""

_Context: TypeAlias = "aio.ServicerContext[Any, Any]"


class CannotServe(OurFailure):
    """The bot cannot be served like this."""


@asynccontextmanager
async def serve_bot(
    entry: str,
    play: NewStream,
    address: str,
    token: str | None,
    pair: tuple[Path, Path] | None = None,
    *,
    parallel: int = 1,
) -> AsyncIterator[int]:
    """Let referees call a bot until the context ends. Yields the port.

    Args:
        entry: the bot's `name@version`.
        play: begins a stream.
        address: `HOST:PORT`, with port 0 for any that is free.
        token: what referees must show; None: nothing.
        pair: the key and the certificate for TLS, files in PEM.
        parallel: how many streams the bot can have at once.

    Raises:
        CannotServe: the token is empty, the system does not let us, or the key and the certificate cannot be used.
        FileProblems: one of their files cannot be read.
    """
    if token == "":
        raise CannotServe("REFEREE_TOKEN is empty: give the bot a token, or leave the variable out")
    server = aio.server(options=_OPTIONS)
    about = bot_pb2.DescribeResponse.FromString(description(*entry.split("@", 1)))
    about.max_parallel = parallel
    add_BotServicer_to_server(_Bot(about, play, token), server)
    try:
        if pair:
            key, certificate = (read_ordinary(file, _LONGEST) for file in pair)
            port = server.add_secure_port(address, grpc.ssl_server_credentials([(key, certificate)]))
        else:
            port = server.add_insecure_port(address)
    except (OSError, RuntimeError) as error:
        raise CannotServe(f"{address}: cannot be served; see address, key and certificate: {error}") from error
    await server.start()
    try:
        yield port
    finally:
        await server.stop(grace=None)


class _Bot(BotServicer):
    def __init__(self, about: bot_pb2.DescribeResponse, play: NewStream, token: str | None) -> None:
        self._about, self._play, self._token = about, play, token

    async def Describe(  # noqa: N802 - the name in the proto
        self, _request: bot_pb2.DescribeRequest, context: _Context
    ) -> bot_pb2.DescribeResponse:
        await self._refuse_strangers(context)
        return self._about

    async def Play(  # noqa: N802 - the name in the proto
        self, requests: AsyncIterator[bot_pb2.RefereeMessage], context: _Context
    ) -> AsyncIterator[bot_pb2.BotMessage]:
        await self._refuse_strangers(context)
        try:
            with self._play() as answer:
                async for message in requests:
                    said = await answer(message)
                    if said is not None:
                        yield said
        except WrongUse as error:
            await context.abort(grpc.StatusCode.UNAVAILABLE, str(error))

    async def _refuse_strangers(self, context: _Context) -> None:
        shown = dict(context.invocation_metadata() or ()).get("authorization", "")
        if self._token is not None and not hmac.compare_digest(str(shown).encode(), f"Bearer {self._token}".encode()):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is missing or wrong")
