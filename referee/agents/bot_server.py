"""The server of a remote bot whose answers take time, such as the seat of an agent. It speaks gRPC."""

import asyncio
import math
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeAlias

from google.protobuf.message import DecodeError
from referee_bot.calls import Answer as Taker
from referee_bot.calls import CallFailed, Calls
from referee_bot.v1 import bot_pb2

from referee.core.errors import OurFailure, WrongUse
from referee.files.safe_read import read_ordinary
from referee.http_server.open_connections import Accepted, Acceptor, OpenConnections
from referee.wire.messages import description

_PING_S = 30.0
"""While a bot thinks for minutes, routers may forget a silent connection, or the referee may be gone for good. A
connection ends if nothing comes for twice this time."""

_HANDSHAKE_S = 10.0

_MOST_CONNECTIONS = 64
"""Beside those of all streams. One more ends the oldest that has not begun a call that it may make."""

_LONGEST = 1 << 20
"""Bytes of a key or a certificate."""

Answer: TypeAlias = Callable[[bot_pb2.RefereeMessage], Awaitable[bot_pb2.BotMessage | None]]
"""Takes a message of the referee. Gives the answer, if there is one."""

NewStream: TypeAlias = Callable[[], AbstractContextManager[Answer]]
"""Begins a stream of the referee. It raises `WrongUse`, as an answer does, if the bot cannot play now."""


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
    about = bot_pb2.DescribeResponse.FromString(description(*entry.split("@", 1)))
    about.max_parallel = parallel
    octets = about.SerializeToString()
    try:
        context = _tls(*pair) if pair else None
        host, _, port = address.rpartition(":")
        family, *_, place = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server(place, family=family, backlog=1024)
    except OSError as error:
        raise CannotServe(f"{address}: cannot be served; see address, key and certificate: {error}") from error
    connections = OpenConnections[_Connection](*(_MOST_CONNECTIONS + parallel,) * 2)
    with listening:
        make = partial(_Connection, octets, play, token, connections)
        acceptor = Acceptor(listening, make, connections, lambda _host: False, context, _HANDSHAKE_S)
        try:
            yield listening.getsockname()[1]
        finally:
            acceptor.close()
            for each in connections:
                each.end()


def _tls(key: Path, certificate: Path) -> ssl.SSLContext:
    for file in (key, certificate):
        read_ordinary(file, _LONGEST)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.set_alpn_protocols(["h2"])
    context.load_cert_chain(certificate, key)
    return context


class _Connection(Accepted):
    """A connection of a referee, or of a stranger."""

    def __init__(
        self, about: bytes, play: NewStream, token: str | None, connections: "OpenConnections[_Connection]"
    ) -> None:
        self._about, self._play, self._connections = about, play, connections
        self._calls = Calls(self, token)
        self._streams: dict[int, asyncio.Task[None]] = {}
        self._is_silent = False
        self._loop = asyncio.get_running_loop()
        self._since_s = self._loop.time()

    @property
    def late_s(self) -> float:
        """For how long the client has owed a call that it may make."""
        return -math.inf if self._calls.were_allowed else self._loop.time() - self._since_s

    def end(self) -> None:
        self._since_s = math.inf
        super().end()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as it is always
        self.transport = transport
        self.is_made = True
        self._looking = self._loop.call_later(_PING_S, self._look)

    def _look(self) -> None:
        if self._is_silent:
            self.end()
            return
        self._is_silent = True
        self.transport.write(self._calls.ping())
        self._looking = self._loop.call_later(_PING_S, self._look)

    def data_received(self, data: bytes) -> None:
        self._is_silent = False
        self.transport.write(b"".join(self._calls.receive(data)))
        if self._calls.are_over:
            self.transport.close()
        self._cancel(self._streams.keys() - self._calls.open_calls)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - of asyncio
        self._looking.cancel()
        self._connections.remove(self)
        self._cancel({*self._streams})

    def _cancel(self, numbers: set[int]) -> None:
        for number in numbers:
            self._loop.call_soon(self._streams.pop(number).cancel)  # what has come is answered first

    def describe(self, _request: bytes) -> bytes:
        return self._about

    def play(self, number: int) -> Taker:
        messages = asyncio.Queue[bytes]()
        self._streams[number] = self._loop.create_task(self._answer(number, messages))
        return messages.put_nowait

    async def _answer(self, number: int, messages: asyncio.Queue[bytes]) -> None:
        try:
            with self._play() as answer:
                while True:
                    reply = await answer(bot_pb2.RefereeMessage.FromString(await messages.get()))
                    if reply is not None:
                        self.transport.write(self._calls.say(number, reply.SerializeToString()))
        except Exception as error:
            self.transport.write(self._calls.fail(number, CallFailed("unavailable", str(error))))
            if not isinstance(error, WrongUse | DecodeError):
                raise
