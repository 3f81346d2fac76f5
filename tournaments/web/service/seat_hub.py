"""The seats of bots that call the service: each line of a match is a text frame to the bot, and each frame a line.

Nothing here knows a game. Of a message it reads only whether it wants an answer: all do but `end`. A bot that owes no
answer when its matches end waits for the next ones. One that loses its connection has its place for a while: its clock
runs on, and the messages that it may not have received are sent again.
"""

import asyncio
import contextlib
import json
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import msgspec
from starlette.websockets import WebSocket

from referee.http_server.http_connection import APART, PING
from referee.runtime.channels.seat_channel import LOST, OF_BOT, SILENCE
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES
from tournaments.league.model import Remote
from tournaments.league.status import SeatStatus
from tournaments.web.service.replies import Problem

RESUME_S = 30.0
"""How long a place in a match is kept for a bot whose connection was lost, in seconds."""

DRAIN_S = 60.0
"""How long the matches of seats may take when the service ends, in seconds."""

LOOK_S = 60.0
"""How often tokens are looked up again, in seconds; also before each sitting."""

_COMES_S, _PONG_S = 5.0, 5.0
"""How long a match waits for a bot that plays or was here lately, and for its answer to a ping, in seconds."""

_LONGEST_LINE = 2 << 20
_SESSION = re.compile(r"([A-Za-z0-9]{16,64}) ([0-9]{1,15}) ([0-9]{1,15})")
_END = b'{"type":"end"'

SPOKE, TOKEN_ENDED, LEFT_OUT, REPLACED, OVER, RESTARTS = 4400, 4401, 4408, 4409, 4410, 1012
"""The codes with which connections are closed (docs/remote-bots.md)."""

_LEFT_OUT = "no match of this program goes on"

_OWN_ENDS = {1000: "hung up", 1001: "hung up", 1009: "sent a frame over 1 MiB"}
"""Codes of the bot's side after which it does not come back into its match."""


class PastSession(msgspec.Struct, frozen=True):
    """What a program says of its earlier connections.

    Attributes:
        id: of its own choice, and the same as long as it keeps a match in mind.
        received: how many messages it has received.
        sent: how many lines it has sent. If there are any, it begins with the last one again.
    """

    id: str
    received: int
    sent: int


def session_of(header: str | None) -> PastSession | None:
    """The session in a header; None if there is none.

    Raises:
        Problem: it cannot be read (400).
    """
    if header is None:
        return None
    found = _SESSION.fullmatch(header)
    if found is None:
        raise Problem(400, "Referee-Session has 16 to 64 letters and digits, and two numbers")
    return PastSession(found[1], int(found[2]), int(found[3]))


class _Program:
    """A program at a seat, with one connection after the other.

    Attributes:
        socket: its connection; None while it has none.
        line: to the process that plays its match; None while it waits.
        owes: whether it owes an answer.
        unsure: the messages since its last answer, which may have been lost.
        leaves: the code and the words with which it is sent away after its match.
    """

    def __init__(self, socket: WebSocket, session: PastSession | None, token: str) -> None:
        self.socket: WebSocket | None = socket
        self.session = None if session is None else session.id
        self.token = token
        self.line: asyncio.StreamWriter | None = None
        self.owes = False
        self.sent = self.answered = 0
        self.unsure: list[str] = []
        self.leaves: tuple[int, str] | None = None
        self.giving_up: asyncio.TimerHandle | None = None

    async def send(self, line: bytes) -> None:
        """Send a message of the referee."""
        text = line[:-1].decode()
        self.owes = not line.startswith(_END)
        self.sent += 1
        self.unsure.append(text)
        if self.socket is not None:
            await _send(self.socket, text)

    async def hear(self, line: bytes) -> None:
        """Pass on a line of the bot."""
        self.answered += 1
        self.owes = False
        self.unsure.clear()
        to_match = self._write(OF_BOT + line[: MAX_BOT_MESSAGE_BYTES + 1].replace(b"\n", b" "))
        if to_match is not None:
            with contextlib.suppress(ConnectionError, RuntimeError):  # the process that plays has ended
                await to_match.drain()

    def tell(self, mark: bytes, text: str = "") -> None:
        """Tell the process that plays."""
        self._write(mark + text.encode())

    def _write(self, line: bytes) -> asyncio.StreamWriter | None:
        """Write to the process that plays. Returns the way to it, if there is one."""
        if self.line is None or self.line.is_closing():
            return None
        self.line.write(line + b"\n")
        return self.line

    def give_up(self, text: str) -> None:
        """End the match of the bot: it is lost."""
        self.tell(LOST, text)
        if self.line is not None:
            self.line.close()

    async def close(self, code: int, why: str) -> None:
        """Close its connection."""
        socket, self.socket = self.socket, None
        if socket is not None:
            await _close(socket, code, why)


class _Seat:
    """The programs of one entry."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote
        self.waiting = deque[_Program]()
        self.playing = set[_Program]()
        self.since_ms = _now_ms()
        self.left_s = -_COMES_S
        self.came = asyncio.Event()

    def note(self) -> None:
        """Note that something has changed."""
        self.since_ms, self.left_s = _now_ms(), time.monotonic()
        self.came.set()

    @property
    def programs(self) -> list[_Program]:
        return [*self.waiting, *self.playing]


class SeatHub:
    """The seats of a league."""

    def __init__(
        self, entries: Mapping[str, Remote], most: int, author_of: Callable[[str], Awaitable[str | None]]
    ) -> None:
        """Begin without programs; so many may be there at once.

        `author_of` gives the author with a token of this SHA-256; None if the token is not valid.
        """
        self._seats = {name: _Seat(remote) for name, remote in entries.items()}
        self._most = most
        self._author_of = author_of
        self._watchers = set[asyncio.StreamWriter]()
        self._ending: tuple[int, str] | None = None
        self._drained = asyncio.Event()

    @property
    def statuses(self) -> tuple[SeatStatus, ...]:
        """How each seat is."""
        return tuple(
            SeatStatus(name, len(seat.waiting), len(seat.playing), seat.since_ms)
            for name, seat in self._seats.items()
            if seat.remote.author is not None
        )

    def renew(self, entries: Mapping[str, Remote], most: int) -> None:
        """Have the seats of a league file that has changed. A seat that it has no more is nobody's."""
        self._most = most
        for name, seat in self._seats.items():
            seat.remote = entries.get(name, Remote())
        self._seats |= {name: _Seat(remote) for name, remote in entries.items() if name not in self._seats}

    # The side of the bots

    def check(self, entry: str, author: str | None) -> None:
        """Check that an author may let a program play as this entry.

        Raises:
            Problem: there is no such seat (404), it is another's (403), or nobody may come now (503).
        """
        seat = self._seats.get(entry)
        if seat is None or seat.remote.author is None:
            raise Problem(
                404, f"no bot {entry[:64]!r} of this league calls the service; see address in its league file"
            )
        if author != seat.remote.author:
            raise Problem(403, f"{entry} is not yours; send the token of its author")
        if self._ending is not None:
            raise Problem(503, "the service is about to start again", {"retry-after": "10"})
        is_full = sum(len(each.programs) for each in self._seats.values()) >= self._most
        if is_full and len(seat.programs) < seat.remote.parallel:
            raise Problem(503, "too many programs are here; try again later", {"retry-after": "60"})

    async def attend(self, socket: WebSocket, entry: str, token: str, session: PastSession | None) -> None:
        """Hold a connection of a bot until it ends. `token` is the SHA-256 of what it has shown.

        Raises:
            Problem: its programs all play (409).
        """
        seat = self._seats[entry]
        program = next((each for each in seat.playing if session and each.session == session.id), None)
        if program is None and len(seat.playing) >= seat.remote.parallel:
            raise Problem(409, f"{entry} plays already, on as many connections as it may have")
        await socket.accept()
        socket.scope["extensions"][APART]()
        if program is None and session is not None and session.received:
            await _close(socket, LEFT_OUT, _LEFT_OUT)
            return
        if program is None:
            await self._welcome(seat, program := _Program(socket, session, token))
        elif session is None or not await _resume(program, socket, session):
            return
        is_repeated = session is not None and 0 < session.sent <= program.answered
        while (message := await socket.receive())["type"] == "websocket.receive":
            if is_repeated:
                is_repeated = False
                continue
            if program.line is None:
                await self._send_away(seat, program, (SPOKE, "spoke without being asked"))
                continue
            text = message.get("text")
            await program.hear(message["bytes"] if text is None else text.encode())
        if program.socket is socket:
            program.socket = None
            self._lose(entry, program, message["code"])

    async def _welcome(self, seat: _Seat, new: _Program) -> None:
        """Let a program wait. The newest is the one whose owner looks at it, so it replaces one that waits."""
        old = seat.waiting.popleft() if len(seat.programs) >= seat.remote.parallel and seat.waiting else None
        self._wait(seat, new)
        if old is not None:
            await old.close(REPLACED, "another program has come for this seat")

    def _wait(self, seat: _Seat, program: _Program) -> None:
        program.unsure.clear()
        seat.waiting.append(program)
        seat.note()
        name = next(name for name, each in self._seats.items() if each is seat)
        for watcher in {each for each in self._watchers if not each.is_closing()}:
            watcher.write(name.encode() + b"\n")

    def _lose(self, entry: str, program: _Program, code: int) -> None:
        seat = self._seats[entry]
        with contextlib.suppress(ValueError):
            seat.waiting.remove(program)
        seat.note()
        if code in _OWN_ENDS:
            program.give_up(_OWN_ENDS[code])
            return
        program.tell(SILENCE, "; its connection was lost, and it did not come back")
        why = f"lost its connection, and did not come back within {RESUME_S:.0f} s"
        program.giving_up = asyncio.get_running_loop().call_later(RESUME_S, program.give_up, why)

    # The side of the processes that play

    async def listen(self, place: Path) -> asyncio.Server:
        """Listen at a socket that only this user can open. The server must be held."""
        server = await asyncio.start_unix_server(self._serve, place, limit=_LONGEST_LINE)
        place.chmod(0o600)
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            hello = json.loads(await reader.readline() or b"{}")
            if "entry" in hello:
                await self._play(hello["entry"], reader, writer)
            elif "look" in hello:
                writer.write(msgspec.json.encode(self.statuses) + b"\n")
            elif "watch" in hello:
                self._watchers.add(writer)
                writer.writelines(name.encode() + b"\n" for name, seat in self._seats.items() if seat.waiting)
                await reader.read()
        except (ConnectionError, RuntimeError, ValueError):  # the process has ended
            pass
        finally:
            self._watchers.discard(writer)
            writer.close()

    async def _play(self, entry: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seat, program = self._seats.get(entry), None
        if seat is not None:
            program = await self._taken(seat)
        if seat is None or program is None:
            away = self._ending[1] if self._ending else "no program of it is here"
            writer.write(json.dumps({"away": away}).encode() + b"\n")
            return
        program.line = writer
        try:
            if program.socket is None:
                return
            writer.write(b'{"here":true}\n')
            while (line := await reader.readline()).endswith(b"\n"):
                await program.send(line)
                if not program.owes and program.leaves:
                    break
        finally:
            await self._let_go(seat, program)

    async def _let_go(self, seat: _Seat, program: _Program) -> None:
        """Let a program wait for its next match, unless it is gone or must go."""
        seat.playing.discard(program)
        program.line = None
        if program.giving_up is not None:
            program.giving_up.cancel()
        if program.leaves is not None:
            await program.close(*program.leaves)
        elif program.owes:
            await program.close(LEFT_OUT, _LEFT_OUT)
        elif program.socket is not None:
            self._wait(seat, program)
        seat.note()
        if self._ending and not any(each.playing for each in self._seats.values()):
            self._drained.set()

    async def _taken(self, seat: _Seat) -> _Program | None:
        """A program that waits, and is there; None if none comes soon."""
        until_s = time.monotonic() + _COMES_S
        while True:
            while seat.waiting and not self._ending:
                program = seat.waiting.pop()
                seat.playing.add(program)
                seat.note()
                if await self._is_well(seat, program):
                    return program
                seat.playing.discard(program)
            seat.came.clear()
            if self._ending or not (seat.playing or time.monotonic() < seat.left_s + _COMES_S):
                return None
            try:
                async with asyncio.timeout(until_s - time.monotonic()):
                    await seat.came.wait()
            except TimeoutError:
                return None

    async def _is_well(self, seat: _Seat, program: _Program) -> bool:
        """Whether a program may play, and answers: a connection may look open for long after it was lost."""
        if await self._author_of(program.token) != seat.remote.author:
            await program.close(TOKEN_ENDED, "the token is not valid any more")
        try:
            async with asyncio.timeout(_PONG_S):
                if program.socket is not None and await program.socket.scope["extensions"][PING]():
                    return program.socket is not None
        except TimeoutError:
            await program.close(LEFT_OUT, "no answer to a ping")
        return False

    # All of them

    async def keep(self, is_over: Callable[[], Awaitable[bool]]) -> None:
        """Look now and then whether tokens still hold, and whether the league is over."""
        while True:
            await asyncio.sleep(LOOK_S)
            programs = [(seat, each) for seat in self._seats.values() for each in seat.programs]
            if programs and await is_over():
                await self.send_away((OVER, "the league is over"))
            for token in {each.token for _, each in programs}:
                author = await self._author_of(token)
                for seat, each in programs:
                    if each.token == token and seat.remote.author != author:
                        await self._send_away(seat, each, (TOKEN_ENDED, "the token is not valid any more"))

    async def send_away(self, why: tuple[int, str]) -> None:
        """Send all programs away, after their matches. Nobody else may come."""
        self._ending = why
        for seat in self._seats.values():
            for program in seat.programs:
                await self._send_away(seat, program, why)

    async def drain(self) -> None:
        """Send all programs away, and wait for their matches."""
        await self.send_away((RESTARTS, "the service starts again"))
        if any(seat.playing for seat in self._seats.values()):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._drained.wait(), DRAIN_S)

    async def _send_away(self, seat: _Seat, program: _Program, why: tuple[int, str]) -> None:
        program.leaves = why
        if program in seat.waiting:
            seat.waiting.remove(program)
            seat.note()
            await program.close(*why)


async def _resume(program: _Program, socket: WebSocket, session: PastSession) -> bool:
    """Let a program go on with its match on another connection; whether it can."""
    await program.close(REPLACED, "this program has another connection")
    at = session.received - (program.sent - len(program.unsure))
    if not 0 <= at <= len(program.unsure):
        await _close(socket, LEFT_OUT, _LEFT_OUT)
        return False
    while at < len(program.unsure):  # more may come meanwhile
        await _send(socket, program.unsure[at])
        at += 1
    program.socket = socket
    program.tell(SILENCE)
    if program.giving_up is not None:
        program.giving_up.cancel()
    return True


async def _send(socket: WebSocket, text: str) -> None:
    with contextlib.suppress(RuntimeError):  # it is closed
        await socket.send_text(text)


async def _close(socket: WebSocket, code: int, why: str) -> None:
    with contextlib.suppress(RuntimeError):
        await socket.close(code, why)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
