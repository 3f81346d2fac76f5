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
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
from starlette.websockets import WebSocket

from referee.http_server.http_connection import APART, PING
from referee.runtime.channels.seat_channel import HERE, LOST, OF_BOT
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES
from tournaments.league.model import League
from tournaments.league.service_terms import ServiceTerms
from tournaments.store import StoreError
from tournaments.web.service.replies import Problem

RESUME_S = 30.0
"""How long a place in a match is kept for a bot whose connection was lost, in seconds."""

DRAIN_S = 60.0
"""How long the matches of seats may take when the service ends, in seconds."""

LOOK_S = 60.0
"""How often tokens are looked up again, in seconds; also before each sitting."""

_COMES_S, _PONG_S = 5.0, 5.0
"""How long a match waits for a bot that plays or was here lately, and for its answer to a ping, in seconds."""

_GONE = ConnectionError, RuntimeError
"""What is raised when a process that plays has ended."""

_LONGEST_LINE = 2 << 20
_SESSION = re.compile(r"([A-Za-z0-9]{16,64}) ([0-9]{1,15}) ([0-9]{1,15})")
_END = b'{"type":"end"'

# The codes with which connections are closed (docs/remote-bots.md), and why.
_SPOKE = 4400, "spoke without being asked"
_TOKEN_ENDED = 4401, "the token is not valid any more"
_LEFT_OUT = 4408, "no match of this program goes on"
_SILENT = 4408, "no answer to a ping"
_NEWER = 4409, "another program has come for this seat"
_ELSEWHERE = 4409, "this program has another connection"
_OVER = 4410, "the league is over"
_RESTARTS = 1012, "the service starts again"

_OWN_ENDS = {1000: "hung up", 1001: "hung up", 1009: "sent a frame over 1 MiB"}
"""Codes of the bot's side after which it does not come back into its match."""


class _Program:
    """A program at a seat, with one connection after the other.

    Attributes:
        socket: its connection; None while it has none.
        session: the id that it has given itself; None: it does not come back into a match.
        token: the SHA-256 of the token that it has shown.
        line: to the process that plays its match; None while it waits.
        owes: whether it owes an answer.
        answered: how many lines it has sent.
        leaves: the code and the words with which it is sent away after its match.
    """

    def __init__(self, socket: WebSocket, session: str | None, token: str) -> None:
        self.socket: WebSocket | None = socket
        self.session, self.token = session, token
        self.line: asyncio.StreamWriter | None = None
        self.owes = False
        self.answered = self._sent = 0
        self._unconfirmed: list[str] = []  # the messages since its last answer, which may have been lost
        self.leaves: tuple[int, str] | None = None
        self._giving_up: asyncio.TimerHandle | None = None

    async def send(self, line: bytes) -> None:
        """Send a message of the referee."""
        text = line[:-1].decode()
        self.owes = not line.startswith(_END)
        self._sent += 1
        self._unconfirmed.append(text)
        if self.socket is not None:
            await _send(self.socket, text)

    async def hear(self, content: bytes) -> None:
        """Pass on what the bot sent."""
        self.answered += 1
        self.owes = False
        self._unconfirmed.clear()
        self._tell(OF_BOT, content[: MAX_BOT_MESSAGE_BYTES + 1].replace(b"\n", b" "))
        if self.line is not None:
            with contextlib.suppress(*_GONE):
                await self.line.drain()

    def _tell(self, mark: bytes, text: bytes) -> None:
        """Tell the process that plays, if there is one."""
        if self.line is not None and not self.line.is_closing():
            self.line.write(mark + text + b"\n")

    def lose(self, code: int) -> None:
        """Its connection is lost: unless it has left, it may come back for a while."""
        self.socket = None
        if code in _OWN_ENDS:
            self._give_up(_OWN_ENDS[code])
            return
        why = f"lost its connection, and did not come back within {RESUME_S:.0f} s"
        self._giving_up = asyncio.get_running_loop().call_later(RESUME_S, self._give_up, why)

    def _give_up(self, why: str) -> None:
        """End its match: it is lost."""
        self._tell(LOST, why.encode())
        if self.line is not None:
            self.line.close()

    async def resume(self, socket: WebSocket, received: int) -> bool:
        """Go on with its match on another connection, after so many messages; whether it can."""
        await self.close(_ELSEWHERE)
        at = received - (self._sent - len(self._unconfirmed))
        if not 0 <= at <= len(self._unconfirmed):
            return False
        while at < len(self._unconfirmed):  # more may come meanwhile
            await _send(socket, self._unconfirmed[at])
            at += 1
        self.socket = socket
        self._cancel()
        return True

    def finish(self) -> None:
        """Note that its matches are over."""
        self.line = None
        self._unconfirmed.clear()
        self._cancel()

    def _cancel(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()

    async def close(self, why: tuple[int, str]) -> None:
        """Close its connection."""
        socket, self.socket = self.socket, None
        if socket is not None:
            await _close(socket, why)


class _Seat:
    """The programs of one entry; its author and how many may play at once, as the league file says."""

    def __init__(self) -> None:
        self.author: str | None = None
        self.parallel = 1
        self.waiting = deque[_Program]()
        self.playing = set[_Program]()
        self.since_ms, self.changed_s = _now_ms(), -_COMES_S
        self.has_changed = asyncio.Event()

    def note(self) -> None:
        """Note that something has changed."""
        self.since_ms, self.changed_s = _now_ms(), time.monotonic()
        self.has_changed.set()

    @property
    def programs(self) -> list[_Program]:
        return [*self.waiting, *self.playing]

    def wait(self, program: _Program) -> None:
        """Let a program wait."""
        self.waiting.append(program)
        self.note()

    async def send_away(self, program: _Program, why: tuple[int, str]) -> None:
        """Close the connection of a program, after its match."""
        program.leaves = why
        if program in self.waiting:
            self.waiting.remove(program)
            self.note()
            await program.close(why)


class SeatHub:
    """The seats of a league.

    Attributes:
        author_of: gives the author with a token of this SHA-256; None if the token is not valid.
    """

    def __init__(self, league: League, author_of: Callable[[str], Awaitable[str | None]]) -> None:
        """Begin without programs."""
        self._seats = dict[str, _Seat]()
        self.author_of = author_of
        self._ending: tuple[int, str] | None = None
        self._drained = asyncio.Event()
        self.renew(league)

    @property
    def statuses(self) -> dict[str, tuple[int, int, int]]:
        """By entry, how many programs wait and play, and since when, in milliseconds since 1970 (UTC)."""
        seats = self._seats.items()
        return {name: (len(each.waiting), len(each.playing), each.since_ms) for name, each in seats}

    def renew(self, league: League) -> None:
        """Have the seats of a league file that has changed. A seat that it has no more is nobody's."""
        callers = league.callers
        self._most = (league.service or ServiceTerms()).seats
        for name in self._seats | callers:
            seat, entry = self._seats.setdefault(name, _Seat()), callers.get(name)
            seat.author = None if entry is None else entry.author
            seat.parallel = entry.remote.parallel if entry and entry.remote else 1

    # The side of the bots

    def _seat(self, name: str, author: str) -> _Seat:
        """The seat that an author may let a program take.

        Raises:
            Problem: there is no such seat (404), it is another's (403), or nobody may come now (410, 503).
        """
        seat = self._seats.get(name)
        if seat is None or seat.author is None:
            raise Problem(404, f"no bot {name[:64]!r} of this league calls the service; see address in its league file")
        if author != seat.author:
            raise Problem(403, f"{name} is not yours; send the token of its author")
        if self._ending is not None:
            raise Problem(410 if self._ending == _OVER else 503, self._ending[1], {"retry-after": "10"})
        is_full = sum(len(each.programs) for each in self._seats.values()) >= self._most
        if is_full and len(seat.programs) < seat.parallel:
            raise Problem(503, "too many programs are here; try again later", {"retry-after": "60"})
        return seat

    async def attend(self, socket: WebSocket, name: str, author: str, token: str) -> None:
        """Hold a connection of a bot of this author until it ends. `token` is the SHA-256 of what it has shown.

        Raises:
            Problem: the call cannot be read (400), the bot may not come (403, 404, 410, 503), or its programs all play
                (409).
        """
        seat, (session, received, sent) = self._seat(name, author), _session(socket)
        program = next((each for each in seat.playing if session and each.session == session), None)
        if program is None and len(seat.playing) >= seat.parallel:
            raise Problem(409, f"{name} plays already, on as many connections as it may have")
        await socket.accept()
        socket.scope["extensions"][APART]()
        if program is None and received == 0:
            await self._admit(seat, program := _Program(socket, session, token))
        elif program is None or not await program.resume(socket, received):
            await _close(socket, _LEFT_OUT)
            return
        is_repeated = 0 < sent <= program.answered
        while (message := await socket.receive())["type"] == "websocket.receive":
            if is_repeated:
                is_repeated = False
            elif program.line is None:
                await seat.send_away(program, _SPOKE)
            else:
                text = message.get("text")
                await program.hear(message["bytes"] if text is None else text.encode())
        if program.socket is socket:
            program.lose(message["code"])
            if program in seat.waiting:
                seat.waiting.remove(program)
            seat.note()

    async def _admit(self, seat: _Seat, new: _Program) -> None:
        """Let a program wait. The newest is the one whose owner looks at it, so it replaces one that waits."""
        old = seat.waiting.popleft() if len(seat.programs) >= seat.parallel and seat.waiting else None
        seat.wait(new)
        if old is not None:
            await old.close(_NEWER)

    # The side of the processes that play

    async def listen(self, place: Path) -> asyncio.Server:
        """Listen at a socket that only this user can open. The server must be held."""
        server = await asyncio.start_unix_server(self._serve, place, limit=_LONGEST_LINE)
        place.chmod(0o600)
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Say how all seats are, or let the bot play that the first line names."""
        with contextlib.closing(writer), contextlib.suppress(*_GONE, ValueError):
            name = json.loads(await reader.readline() or b"null")
            if name is None:
                writer.write(msgspec.json.encode(self.statuses))
            else:
                await self._play(self._seats.get(name) or _Seat(), reader, writer)

    async def _play(self, seat: _Seat, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        program = await self._take(seat)
        if program is None:
            writer.write((self._ending[1] if self._ending else "no program of it is here").encode())
            return
        program.line = writer
        try:
            writer.write(HERE)
            while (line := await reader.readline()).endswith(b"\n"):
                await program.send(line)
                if not program.owes and program.leaves:
                    break
        finally:
            await self._release(seat, program)

    async def _release(self, seat: _Seat, program: _Program) -> None:
        """Let a program wait for its next match, unless it is gone or must go."""
        seat.playing.discard(program)
        program.finish()
        if program.owes or program.leaves:
            await program.close(program.leaves or _LEFT_OUT)
        elif program.socket is not None:
            seat.wait(program)
        seat.note()
        if self._ending and not any(each.playing for each in self._seats.values()):
            self._drained.set()

    async def _take(self, seat: _Seat) -> _Program | None:
        """A program that waits, and is there; None if none comes soon."""
        until_s = time.monotonic() + _COMES_S
        while not self._ending:
            while seat.waiting:
                seat.playing.add(program := seat.waiting.pop())
                seat.note()
                if await self._can_play(seat, program):
                    return program
                seat.playing.discard(program)
            seat.has_changed.clear()
            try:
                async with asyncio.timeout((until_s if seat.playing else seat.changed_s + _COMES_S) - time.monotonic()):
                    await seat.has_changed.wait()
            except TimeoutError:
                break
        return None

    async def _can_play(self, seat: _Seat, program: _Program) -> bool:
        """Whether a program may play, and answers: a connection may look open for long after it was lost."""
        if not await self._is_owned(seat, program):
            await program.close(_TOKEN_ENDED)
        try:
            async with asyncio.timeout(_PONG_S):
                return program.socket is not None and await program.socket.scope["extensions"][PING]()
        except TimeoutError:
            await program.close(_SILENT)
        return False

    # All of them

    async def keep(self, is_over: Callable[[], Awaitable[bool]]) -> None:
        """Look now and then whether tokens still hold, and whether the league is over."""
        while True:
            await asyncio.sleep(LOOK_S)
            with contextlib.suppress(StoreError):
                if await is_over():
                    await self._end(_OVER)
            for seat in self._seats.values():
                for program in seat.programs:
                    if not await self._is_owned(seat, program):
                        await seat.send_away(program, _TOKEN_ENDED)

    async def _is_owned(self, seat: _Seat, program: _Program) -> bool:
        """Whether the token of a program is its author's. As long as the store is away, nobody knows better."""
        try:
            return await self.author_of(program.token) == seat.author
        except StoreError:
            return True

    async def drain(self) -> None:
        """Send all programs away, and wait for their matches."""
        await self._end(_RESTARTS)
        if any(seat.playing for seat in self._seats.values()):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._drained.wait(), DRAIN_S)

    async def _end(self, why: tuple[int, str]) -> None:
        """Send all programs away, after their matches. Nobody else may come."""
        self._ending = why
        for seat in self._seats.values():
            for program in seat.programs:
                await seat.send_away(program, why)


def _session(socket: WebSocket) -> tuple[str | None, int, int]:
    """What a program says of its session: its id, how many messages it has received, and how many lines it has sent.

    If it has sent any, it begins with the last one again.

    Raises:
        Problem: it cannot be read (400).
    """
    header = socket.headers.get("referee-session")
    if header is None:
        return None, 0, 0
    found = _SESSION.fullmatch(header)
    if found is None:
        raise Problem(400, "Referee-Session has 16 to 64 letters and digits, and two numbers")
    return found[1], int(found[2]), int(found[3])


async def _send(socket: WebSocket, text: str) -> None:
    with contextlib.suppress(RuntimeError):  # it is closed
        await socket.send_text(text)


async def _close(socket: WebSocket, why: tuple[int, str]) -> None:
    with contextlib.suppress(RuntimeError):
        await socket.close(*why)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
