"""Programs that call a service, a service that has only seats, and matches at them, all in one loop."""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import uvloop
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    RejectConnection,
    Request,
    TextMessage,
)

from referee.http_server.app_server import Server
from referee.http_server.client_clock import ClientTimeouts
from referee.match.narrator import Narrator
from referee.match.terms import Clock
from referee.match.transcript import Transcript
from referee.runtime.bot_address import Peer
from referee.runtime.channels.seat_channel import SeatChannel
from referee.runtime.confinement import Unconfined
from referee.runtime.host import HostSettings
from referee.runtime.remote_bot import CallingBot
from referee.runtime.table import Table
from referee.wire.messages import description
from referee.wire.registry import games
from tests.auction import auction_header
from tests.runtime.rogues import ENTRY, PATIENT
from tournaments.league.model import Entry, League, Remote
from tournaments.league.service_terms import ServiceTerms
from tournaments.web.service.replies import Problem
from tournaments.web.service.seat_hub import SeatHub

ANT, BEE = "ant@1", "bee@1"
QUICK = ClientTimeouts(ping_s=0.5, header_s=1.0)


class Hall:
    """A service with seats.

    Attributes:
        hub: its seats.
        port: where it listens.
        place: the socket for those who play.
        authors: the authors of tokens.
    """

    def __init__(self, hub: SeatHub, port: int, place: Path, authors: dict[str, str]) -> None:
        self.hub, self.port, self.place, self.authors = hub, port, place, authors

    def call(self, entry: str = ANT, session: str | None = None, token: str = "") -> "Caller":
        return Caller(self.port, entry, token or entry[:3], session)

    def bot(self, entry: str) -> CallingBot:
        name, version = entry.split("@")
        door = lambda: SeatChannel(self.place, entry, description(name, version))  # noqa: E731
        return CallingBot(f"seat:{name}", Peer(f"seat:{name}", door=door), name, version)

    @asynccontextmanager
    async def table(self, *entries: str, clock: Clock = PATIENT) -> AsyncIterator["Sitting"]:
        """A table with these bots; ended as a worker ends it."""
        hosting = HostSettings(self.place.parent, Unconfined(), clock.start_ms)
        table = Table([self.bot(entry) for entry in entries or (ANT, BEE)], hosting)
        try:
            yield Sitting(table, clock)
        finally:
            await table.stop()


class Sitting:
    """Matches at a table."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self.table, self._clock, self._matches = table, clock, 0

    async def play(self, rounds: int = 3, narrator: Narrator | None = None) -> Transcript:
        self._matches += 1
        header = auction_header(seats=len(self.table.bots), seed=self._matches, rounds=rounds)
        return await self.table.play(ENTRY, header, self._clock, narrator)

    async def play_game(self, game: str, options: dict[str, Any]) -> Transcript:
        """A match of an installed game."""
        header = replace(auction_header(), game=game, rules_version=games()[game].game.rules_version, options=options)
        return await self.table.play(games()[game], header, self._clock)


class Caller:
    """A program that calls, at the level of frames."""

    def __init__(self, port: int, entry: str, token: str, session: str | None) -> None:
        self._port, self._entry, self._token, self._session = port, entry, token, session
        self._frames = WSConnection(ConnectionType.CLIENT)
        self.pings = 0
        self.is_deaf = False

    async def __aenter__(self) -> Self:
        self._reader, self.writer = await asyncio.open_connection("127.0.0.1", self._port)
        self.transport = self.writer.transport
        headers = [(b"Authorization", f"Bearer {self._token}".encode())]
        headers += [] if self._session is None else [(b"Referee-Session", self._session.encode())]
        self.send(Request("here", f"/leagues/hall/api/seats/{self._entry}", extra_headers=headers))
        self.answer = await self.next()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.lose()

    @property
    def status(self) -> int:
        """The status of the answer to the call."""
        if isinstance(self.answer, AcceptConnection):
            return 101
        assert isinstance(self.answer, RejectConnection)
        return self.answer.status_code

    def send(self, event: Event) -> None:
        self.writer.write(self._frames.send(event))

    def say(self, text: str) -> None:
        self.send(TextMessage(data=text))

    def say_bytes(self, content: bytes) -> None:
        self.send(BytesMessage(data=content))

    def lose(self) -> None:
        """Lose the connection without a goodbye."""
        self.transport.abort()

    def goodbye(self, code: int = 1000) -> None:
        self.send(CloseConnection(code))

    async def next(self) -> Event | None:
        """The next event but pings, which are answered; None if the connection is lost."""
        while True:
            for event in self._frames.events():
                if not isinstance(event, Ping):
                    return event
                self.pings += 1
                if not self.is_deaf:
                    self.send(event.response())
            try:
                data = await self._reader.read(1 << 16)
            except ConnectionError:
                data = b""
            if not data:
                return None
            self._frames.receive_data(data)

    async def message(self) -> dict[str, Any]:
        """The next message of the referee."""
        text = await self.text()
        found: dict[str, Any] = json.loads(text)
        return found

    async def text(self) -> str:
        parts = []
        while True:
            event = await self.next()
            assert isinstance(event, TextMessage), event
            parts.append(event.data)
            if event.message_finished:
                return "".join(parts)

    async def closed(self) -> tuple[int, str]:
        """The code and the words with which the service closes; what came before is skipped."""
        while (event := await self.next()) is not None:
            if isinstance(event, CloseConnection):
                self.send(event.response())
                return event.code, event.reason or ""
        return 1006, ""

    async def play(self, frames: list[str] | None = None) -> None:
        """Play honestly until the connection ends."""
        while True:
            event = await self.next()
            if not isinstance(event, TextMessage):
                return
            if frames is not None:
                frames.append(event.data)
            self.answer_to(json.loads(event.data))

    def answer_to(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "start":
            self.say("ready")
        elif message["type"] == "decide":
            self.say(str(chosen(message)))


def chosen(message: Mapping[str, Any]) -> int:
    """An index that depends on the decision alone."""
    return int(message["number"]) * 7 % len(message["legal"])


def with_seats(names: Sequence[str], most: int = 256, parallel: int = 1) -> League:
    """A league whose bots have these names, and call its service. The author of ant@1 is ant."""
    calls = Remote(parallel=parallel, calls=True)
    entries = tuple(Entry(name, f"seat:{name}", calls, author=name.partition("@")[0]) for name in names)
    return League(
        *("hall", "auction", 1, 0.0, 1, None, True, "none", False, False, Clock(), (), entries),
        service=ServiceTerms(seats=most),
    )


@asynccontextmanager
async def hall(timeouts: ClientTimeouts = QUICK, most: int = 256, parallel: int = 1) -> AsyncIterator[Hall]:
    """A service with seats for ant@1 and bee@1, whose authors are ant and bee, and so are their tokens."""
    authors = {"ant": "ant", "bee": "bee"}

    async def owners_of(token: str) -> set[str]:
        return {authors[token]} if token in authors else set()

    hub = SeatHub(with_seats((ANT, BEE), most, parallel), owners_of)

    async def seat(socket: WebSocket) -> None:
        token = socket.headers["authorization"].removeprefix("Bearer ")
        try:
            await hub.attend(socket, socket.path_params["entry"], {authors.get(token, "nobody")}, token)
        except Problem as refusal:
            await socket.send_denial_response(refusal.answer)

    import socket as sockets  # noqa: PLC0415 - its name is that of a WebSocket here

    with tempfile.TemporaryDirectory(prefix="hall-") as folder, sockets.create_server(("127.0.0.1", 0)) as listening:
        server = Server(
            Starlette(routes=[WebSocketRoute("/leagues/hall/api/seats/{entry}", seat)]), listening, timeouts
        )
        serving = asyncio.create_task(server.serve())
        local = await hub.listen(Path(folder) / "seats")
        try:
            yield Hall(hub, listening.getsockname()[1], Path(folder) / "seats", authors)
        finally:
            local.close()
            server.should_exit = True
            await serving


@asynccontextmanager
async def honest(here: Hall, entry: str = BEE, frames: list[str] | None = None) -> AsyncIterator[Caller]:
    """A program that plays honestly meanwhile."""
    async with here.call(entry) as caller:
        playing = asyncio.create_task(caller.play(frames))
        try:
            yield caller
        finally:
            playing.cancel()


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test in a loop of its own, within a generous time."""

    async def limited() -> None:
        async with asyncio.timeout(25):
            await test()

    uvloop.run(limited())
