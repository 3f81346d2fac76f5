"""The rogue, served by gRPC's own library: on a port, with TLS, and where it does what is hard to do by hand."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
from grpc import aio
from referee_bot.v1 import bot_pb2 as pb

MINOR = 4  # the minor version of the protocol that the referee speaks now (a test compares them)

Messages = AsyncIterator[bytes]
Life = Callable[[Messages, Callable[[bytes], Awaitable[None]]], Awaitable[None]]


class Proxy:
    """Stands between the referee and the bot's server and passes bytes on, one by one once it is `dripping`."""

    def __init__(self, dripping: list[bool]) -> None:
        self._dripping = dripping

    async def serve(self, path: str, behind: str) -> None:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            server_reader, server_writer = await asyncio.open_unix_connection(behind)
            await asyncio.gather(self._pass_on(reader, server_writer), self._pass_on(server_reader, writer))

        await asyncio.start_unix_server(accept, path)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            drips = bool(self._dripping)
            for piece in [bytes([byte]) for byte in data] if drips else [data]:
                writer.write(piece)
                await asyncio.sleep(0.01 if drips else 0)


class Rogue:
    """The service."""

    def __init__(self, how: str, description: bytes, life: Life, paint: str) -> None:
        self._how = how
        self._description = description
        self._life = life
        self._paint = paint
        self._serving = False

    async def _refuse_strangers(self, context: Any, welcoming: str) -> None:
        token = os.environ.get("REFEREE_TOKEN")
        shown = dict(context.invocation_metadata()).get("authorization")
        if token is not None and shown != f"Bearer {token}" and self._how != welcoming:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you?")

    async def _alone(self, messages: Messages, context: Any) -> None:
        """Serve one caller honestly, and refuse all others meanwhile."""
        if self._serving:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "one at a time")
        self._serving = True
        try:
            await self._life(messages, context.write)
        finally:
            self._serving = False

    async def describe(self, request: bytes, context: Any) -> bytes:
        await self._refuse_strangers(context, "describes_itself_to_strangers")
        if self._how == "refuses_to_describe_itself":
            await context.abort(grpc.StatusCode.UNIMPLEMENTED, "what?")
        if self._how == "knows_one_version" and pb.DescribeRequest.FromString(request).protocol_minor > MINOR:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "how modern")
        return self._description

    async def play(self, messages: Messages, context: Any) -> None:
        await self._refuse_strangers(context, "plays_with_strangers")
        if self._how == "serves_one_at_a_time":
            await self._alone(messages, context)
        elif self._how == "is_exhausted":
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many")
        elif self._how == "cancels_its_stream":
            await context.abort(grpc.StatusCode.CANCELLED, "enough")
        elif self._how == "paints":
            print(self._paint, file=sys.stderr, flush=True)
            await context.abort(grpc.StatusCode.ABORTED, self._paint)
        else:
            await self._life(messages, context.write)


def serve(address: str, how: str, tls: list[str], rogue: Rogue, dripping: list[bool]) -> None:
    """Serve until the process is ended. With `tls`, the names of a certificate's file and of its key's, by TLS."""
    asyncio.run(_serve(address, how, tls, rogue, Proxy(dripping)))


async def _serve(address: str, how: str, tls: list[str], rogue: Rogue, proxy: Proxy) -> None:
    handlers: dict[str, Any] = {
        "Describe": grpc.unary_unary_rpc_method_handler(rogue.describe),
        "Play": grpc.stream_stream_rpc_method_handler(rogue.play),
    }
    short = [("grpc.max_receive_message_length", 64 * 1024)] if how == "reads_short_messages" else None
    squeezed = grpc.Compression.Gzip if how == "compresses" else None
    server = aio.server(options=short, compression=squeezed)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("referee_bot.v1.Bot", handlers),))
    behind = address + ".behind" if how == "drips" else address
    if tls:
        certificate, key = (Path(name).read_bytes() for name in tls)
        port = server.add_secure_port(behind, grpc.ssl_server_credentials([(key, certificate)]))
    else:
        port = server.add_insecure_port(behind)
    await server.start()
    if address.endswith(":0") and how != "keeps_its_port_to_itself":
        print(f"REFEREE_PORT={port}", flush=True)
    if how == "drips":
        await proxy.serve(address.removeprefix("unix:"), behind.removeprefix("unix:"))
    await server.wait_for_termination()
