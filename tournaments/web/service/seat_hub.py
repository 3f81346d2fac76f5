"""The seats of bots that call the service: each line of a match is a text frame to the bot, and each frame a line.

Nothing here knows a game. Of a message it reads only whether it begins a match, asks, or ends one. A bot whose matches
have ended, or not begun, waits for the next ones. One that loses its connection has its place for a while: its clock
runs on, and the messages that it may not have received are sent again.
"""

import asyncio
import contextlib
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Set
from functools import partial
from pathlib import Path

from starlette.websockets import WebSocket as Handshake

from referee.http_server.http_connection import OUT_OF_ASGI
from referee.http_server.websocket import WebSocket
from tournaments.league.model import League
from tournaments.league.service_terms import ServiceTerms
from tournaments.store import StoreError
from tournaments.web.service.replies import Problem
from tournaments.web.service.seat_program import (
    LEFT_OUT,
    NEWER,
    OVER,
    RESTARTS,
    SILENT,
    SPOKE,
    TOKEN_ENDED,
    Line,
    Program,
)

DRAIN_S = 60.0
"""How long the matches of seats may take when the service ends, in seconds."""

LOOK_S = 60.0
"""How often tokens are looked up again, in seconds; also before each sitting."""

_COMES_S, _PONG_S = 5.0, 5.0
"""How long a match waits for a bot that plays or was here lately, and for its answer to a ping, in seconds."""

_SESSION = re.compile(r"([A-Za-z0-9]{16,64}) ([0-9]{1,15}) ([0-9]{1,15})")


class _Seat:
    """The programs of one entry; its author and how many may play at once, as the league file says."""

    def __init__(self) -> None:
        self.author: str | None = None
        self.parallel = 1
        self.waiting = deque[Program]()
        self.playing = set[Program]()
        self.since_ms, self.changed_s = _now_ms(), -_COMES_S
        self.has_changed = asyncio.Event()

    def note(self) -> None:
        """Note that something has changed."""
        self.since_ms, self.changed_s = _now_ms(), time.monotonic()
        self.has_changed.set()

    @property
    def programs(self) -> list[Program]:
        return [*self.waiting, *self.playing]

    def wait(self, program: Program) -> None:
        """Let a program wait."""
        self.waiting.append(program)
        self.note()

    def send_away(self, program: Program, why: tuple[int, str]) -> None:
        """Close the connection of a program, after its match."""
        program.leaves = why
        if program in self.waiting:
            self.waiting.remove(program)
            self.note()
            program.close(why)

    def hear(self, program: Program, content: bytes) -> None:
        """Pass on what a program says in a match. One that speaks while it waits is sent away."""
        if program.repeats:
            program.repeats = False
        elif program.line is None:
            self.send_away(program, SPOKE)
        else:
            program.hear(content)


class SeatHub:
    """The seats of a league.

    Attributes:
        owners_of: gives the owners for whom a token of this SHA-256 speaks; none if the token is not valid.
    """

    def __init__(self, league: League, owners_of: Callable[[str], Awaitable[Set[str]]]) -> None:
        """Begin without programs."""
        self._seats = dict[str, _Seat]()
        self.owners_of = owners_of
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

    def _seat(self, name: str, owners: Set[str]) -> _Seat:
        """The seat that a person or a team may let a program take.

        Raises:
            Problem: there is no such seat (404), it is another's (403), or nobody may come now (410, 503).
        """
        seat = self._seats.get(name)
        if seat is None or seat.author is None:
            raise Problem(
                404, f'no bot {name[:64]!r} calls this league; its organizer enters one with address = "seat:AUTHOR"'
            )
        if seat.author not in owners:
            raise Problem(403, f"{name} is not yours; send the token of its author, or of a member of its team")
        if self._ending is not None:
            raise Problem(410 if self._ending == OVER else 503, self._ending[1], {"retry-after": "10"})
        is_full = sum(len(each.programs) for each in self._seats.values()) >= self._most
        if is_full and len(seat.programs) < seat.parallel:
            raise Problem(503, "too many programs are here; try again later", {"retry-after": "60"})
        return seat

    async def attend(self, handshake: Handshake, name: str, owners: Set[str], token: str) -> None:
        """Hold a connection of a bot of one of these owners until it ends. `token` is the SHA-256 of what it has shown.

        Raises:
            Problem: the call cannot be read (400), the bot may not come (403, 404, 410, 503), or its programs all play
                (409).
        """
        seat, (session, received, sent) = self._seat(name, owners), _session(handshake)
        program = next((each for each in seat.playing if session and each.session == session), None)
        if program is None and len(seat.playing) >= seat.parallel:
            seats = "on as many connections as `parallel` of its entry says; one that was lost counts for a while"
            raise Problem(409, f"{name} plays already, {seats}")
        await handshake.accept()
        socket: WebSocket | None = handshake.scope["extensions"][OUT_OF_ASGI]()
        if socket is None:
            return
        if program is None and received == 0:
            self._admit(seat, program := Program(socket, session, token))
        elif program is None or not program.resume(socket, received, sent):
            socket.close(*LEFT_OUT)
            return
        socket.listen(partial(seat.hear, program))
        end = await socket.receive()
        if program.socket is socket:
            program.lose(end["code"])
            if program in seat.waiting:
                seat.waiting.remove(program)
            seat.note()

    def _admit(self, seat: _Seat, new: Program) -> None:
        """Let a program wait. The newest is the one whose owner looks at it, so it replaces one that waits."""
        old = seat.waiting.popleft() if len(seat.programs) >= seat.parallel and seat.waiting else None
        seat.wait(new)
        if old is not None:
            old.close(NEWER)

    # The side of the processes that play

    async def listen(self, place: Path) -> asyncio.AbstractServer:
        """Listen at a socket that only this user can open. The server must be held."""
        server = await asyncio.get_running_loop().create_unix_server(
            partial(Line, self.begin, lambda: self.statuses), place
        )
        place.chmod(0o600)
        return server

    async def begin(self, name: str, line: Line) -> None:
        """Let the bot of this name play for a process, or say why it cannot."""
        seat = self._seats.get(name) or _Seat()
        program = await self._take(seat)
        if program is None:
            line.transport.write(
                (self._ending[1] if self._ending else "no program of it is here; its author runs attend.py").encode()
            )
            line.transport.close()
            return
        program.line = line
        line.begin(program, partial(self._release, seat, program))

    def _release(self, seat: _Seat, program: Program) -> None:
        """Let a program wait for its next match, unless it is gone, must go, or thinks that it plays still."""
        seat.playing.discard(program)
        program.finish()
        if program.owes or program.decides or program.leaves:
            program.close(program.leaves or LEFT_OUT)
        elif program.socket is not None:
            seat.wait(program)
        seat.note()
        if self._ending and not any(each.playing for each in self._seats.values()):
            self._drained.set()

    async def _take(self, seat: _Seat) -> Program | None:
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

    async def _can_play(self, seat: _Seat, program: Program) -> bool:
        """Whether a program may play, and answers: a connection may look open for long after it was lost."""
        if not await self._is_owned(seat, program):
            program.close(TOKEN_ENDED)
        try:
            async with asyncio.timeout(_PONG_S):
                return program.socket is not None and await program.socket.ping()
        except TimeoutError:
            program.close(SILENT)
        return False

    # All of them

    async def keep(self, is_over: Callable[[], Awaitable[bool]]) -> None:
        """Look now and then whether tokens still hold, and whether the league is over."""
        while True:
            await asyncio.sleep(LOOK_S)
            with contextlib.suppress(StoreError):
                if await is_over():
                    self._end(OVER)
            for seat in self._seats.values():
                for program in seat.programs:
                    if not await self._is_owned(seat, program):
                        seat.send_away(program, TOKEN_ENDED)

    async def _is_owned(self, seat: _Seat, program: Program) -> bool:
        """Whether the token of a program is its owner's. As long as the store is away, nobody knows better."""
        try:
            return seat.author in await self.owners_of(program.token)
        except StoreError:
            return True

    async def drain(self) -> None:
        """Send all programs away, and wait for their matches."""
        self._end(RESTARTS)
        if any(seat.playing for seat in self._seats.values()):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._drained.wait(), DRAIN_S)

    def _end(self, why: tuple[int, str]) -> None:
        """Send all programs away, after their matches. Nobody else may come."""
        self._ending = why
        for seat in self._seats.values():
            for program in seat.programs:
                seat.send_away(program, why)


def _session(socket: Handshake) -> tuple[str | None, int, int]:
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


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
