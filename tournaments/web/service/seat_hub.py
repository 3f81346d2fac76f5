"""The seats of bots that call the service: each line of a match is a text frame to the bot, and each frame a line.

Nothing here knows a game. Of a message it reads only whether it begins a match, asks, or ends one. A bot whose matches
have ended, or not begun, waits for the next ones. One that loses its connection has its place for a while: its clock
runs on, and the messages that it may not have received are sent again.
"""

import asyncio
import contextlib
import json
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Set
from functools import partial
from pathlib import Path

import msgspec
from starlette.websockets import WebSocket as Handshake

from referee.http_server.http_connection import OUT_OF_ASGI
from referee.http_server.websocket import WebSocket
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

_LONGEST_LINE = 2 << 20
_SESSION = re.compile(r"([A-Za-z0-9]{16,64}) ([0-9]{1,15}) ([0-9]{1,15})")
_START, _END = b'{"type":"start"', b'{"type":"end"'

# The codes with which connections are closed (docs/remote-bots.md), and why.
_SPOKE = 4400, "spoke without being asked"
_TOKEN_ENDED = 4401, "the token is not valid any more"
_LEFT_OUT = 4408, "no match of this program goes on; if a fault ended it, the page Matches says which"
_SILENT = 4408, "no answer to a ping"
_NEWER = 4409, "another program has come for this seat; `parallel` of its entry says how many may be here"
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
        decides: whether it has had a decision since the last start, and no end.
        answered: how many lines it has sent.
        repeats: whether it will send its last line again, which has come.
        leaves: the code and the words with which it is sent away after its match.
    """

    def __init__(self, socket: WebSocket, session: str | None, token: str) -> None:
        self.socket: WebSocket | None = socket
        self.session, self.token = session, token
        self.line: _Line | None = None
        self.owes = self.decides = self.repeats = False
        self.answered = self._sent = 0
        self._unconfirmed: list[str] = []  # the messages since its last answer, which may have been lost
        self.leaves: tuple[int, str] | None = None
        self._giving_up: asyncio.TimerHandle | None = None

    def send(self, line: bytes) -> None:
        """Send a message of the referee. It sends the next one after the answer, so few wait for a slow bot."""
        text = line.decode()
        self.owes = not line.startswith(_END)
        self.decides = self.owes and not line.startswith(_START)
        self._sent += 1
        self._unconfirmed.append(text)
        if self.socket is not None:
            self.socket.send_text(text)

    def hear(self, content: bytes) -> None:
        """Pass on what the bot sent."""
        self.answered += 1
        self.owes = False
        self._unconfirmed.clear()
        self._tell(OF_BOT, content[: MAX_BOT_MESSAGE_BYTES + 1].replace(b"\n", b" "))

    def note_hearing(self) -> None:
        """Read the bot only while the process that plays takes what it says."""
        if self.socket is not None:
            self.socket.note_hearing(can_hear=self.line is None or self.line.can_write)

    def _tell(self, mark: bytes, text: bytes) -> None:
        """Tell the process that plays, if there is one."""
        if self.line is not None and not self.line.transport.is_closing():
            self.line.transport.write(mark + text + b"\n")

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
            self.line.transport.close()

    def resume(self, socket: WebSocket, received: int, sent: int) -> bool:
        """Go on with its match on another connection, after so many messages each way; whether it can."""
        at = received - (self._sent - len(self._unconfirmed))
        if not 0 <= at <= len(self._unconfirmed):
            return False
        self.close(_ELSEWHERE)
        self.socket, self.repeats = socket, 0 < sent <= self.answered
        for text in self._unconfirmed[at:]:
            socket.send_text(text)
        self.note_hearing()
        self._cancel()
        return True

    def finish(self) -> None:
        """Note that its matches are over."""
        self.line = None
        self.note_hearing()
        self._unconfirmed.clear()
        self._cancel()

    def _cancel(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()

    def close(self, why: tuple[int, str]) -> None:
        """Close its connection."""
        socket, self.socket = self.socket, None
        if socket is not None:
            socket.close(*why)


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

    def send_away(self, program: _Program, why: tuple[int, str]) -> None:
        """Close the connection of a program, after its match."""
        program.leaves = why
        if program in self.waiting:
            self.waiting.remove(program)
            self.note()
            program.close(why)

    def hear(self, program: _Program, content: bytes) -> None:
        """Pass on what a program says in a match. One that speaks while it waits is sent away."""
        if program.repeats:
            program.repeats = False
        elif program.line is None:
            self.send_away(program, _SPOKE)
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
            raise Problem(410 if self._ending == _OVER else 503, self._ending[1], {"retry-after": "10"})
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
            self._admit(seat, program := _Program(socket, session, token))
        elif program is None or not program.resume(socket, received, sent):
            socket.close(*_LEFT_OUT)
            return
        socket.listen(partial(seat.hear, program))
        end = await socket.receive()
        if program.socket is socket:
            program.lose(end["code"])
            if program in seat.waiting:
                seat.waiting.remove(program)
            seat.note()

    def _admit(self, seat: _Seat, new: _Program) -> None:
        """Let a program wait. The newest is the one whose owner looks at it, so it replaces one that waits."""
        old = seat.waiting.popleft() if len(seat.programs) >= seat.parallel and seat.waiting else None
        seat.wait(new)
        if old is not None:
            old.close(_NEWER)

    # The side of the processes that play

    async def listen(self, place: Path) -> asyncio.AbstractServer:
        """Listen at a socket that only this user can open. The server must be held."""
        server = await asyncio.get_running_loop().create_unix_server(partial(_Line, self), place)
        place.chmod(0o600)
        return server

    async def begin(self, name: str, line: "_Line") -> None:
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

    def _release(self, seat: _Seat, program: _Program) -> None:
        """Let a program wait for its next match, unless it is gone, must go, or thinks that it plays still."""
        seat.playing.discard(program)
        program.finish()
        if program.owes or program.decides or program.leaves:
            program.close(program.leaves or _LEFT_OUT)
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
            program.close(_TOKEN_ENDED)
        try:
            async with asyncio.timeout(_PONG_S):
                return program.socket is not None and await program.socket.ping()
        except TimeoutError:
            program.close(_SILENT)
        return False

    # All of them

    async def keep(self, is_over: Callable[[], Awaitable[bool]]) -> None:
        """Look now and then whether tokens still hold, and whether the league is over."""
        while True:
            await asyncio.sleep(LOOK_S)
            with contextlib.suppress(StoreError):
                if await is_over():
                    self._end(_OVER)
            for seat in self._seats.values():
                for program in seat.programs:
                    if not await self._is_owned(seat, program):
                        seat.send_away(program, _TOKEN_ENDED)

    async def _is_owned(self, seat: _Seat, program: _Program) -> bool:
        """Whether the token of a program is its owner's. As long as the store is away, nobody knows better."""
        try:
            return seat.author in await self.owners_of(program.token)
        except StoreError:
            return True

    async def drain(self) -> None:
        """Send all programs away, and wait for their matches."""
        self._end(_RESTARTS)
        if any(seat.playing for seat in self._seats.values()):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._drained.wait(), DRAIN_S)

    def _end(self, why: tuple[int, str]) -> None:
        """Send all programs away, after their matches. Nobody else may come."""
        self._ending = why
        for seat in self._seats.values():
            for program in seat.programs:
                seat.send_away(program, why)


class _Line(asyncio.Protocol):
    """The line to a process that plays: first it names an entry, and then come the messages of the referee.

    Attributes:
        transport: of the process.
        can_write: whether the process takes what is written.
    """

    transport: asyncio.Transport

    def __init__(self, hub: SeatHub) -> None:
        """Nothing was said yet."""
        self._hub, self._unread, self.can_write = hub, b"", True
        self._program: _Program | None = None
        self._release: Callable[[], None] | None = None
        self._beginning: asyncio.Task[None] | None = None

    def begin(self, program: _Program, release: Callable[[], None]) -> None:
        """Let a program play until the line ends, or until it must go; then call `release`, once."""
        if self.transport.is_closing():
            release()
            return
        self._program, self._release = program, release
        self.transport.write(HERE)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as it is always
        """Wait for the first line."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Pass on whole lines."""
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            if self._program is not None:
                self._program.send(line)
                if not self._program.owes and self._program.leaves:
                    self._end()
            elif self._beginning is None:
                self._open(line)
        if len(self._unread) > _LONGEST_LINE:
            self.transport.abort()

    def _open(self, line: bytes) -> None:
        """Say how all seats are, or let the bot play that the line names."""
        try:
            name = json.loads(line)
        except ValueError:
            self.transport.abort()
            return
        if name is None:
            self.transport.write(msgspec.json.encode(self._hub.statuses))
            self.transport.close()
        else:
            self._beginning = asyncio.get_running_loop().create_task(self._hub.begin(name, self))

    def pause_writing(self) -> None:
        """Let the bot wait until the process has taken what it said."""
        self._note_writable(can_write=False)

    def resume_writing(self) -> None:
        """Let the bot go on."""
        self._note_writable(can_write=True)

    def _note_writable(self, *, can_write: bool) -> None:
        self.can_write = can_write
        if self._program is not None:
            self._program.note_hearing()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - of asyncio
        """Release the bot."""
        self._end()

    def _end(self) -> None:
        release, self._release, self._program = self._release, None, None
        if release is not None:
            release()
        self.transport.close()


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
