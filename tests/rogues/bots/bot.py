"""The honest part of a rogue: it serves the referee, and lets its one attack strike at its one moment.

An attack is a function with a moment. It returns True if it succeeded: then the rogue exits with a code that nothing
else gives it, so a success is a crash that nobody can overlook. It returns False if it failed: then the rogue plays on
as an honest bot does, so a match without a fault shows that it was alive and failed. It returns None if it has spoken
in place of the honest bot.
"""

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .frames import DATA, DESCRIBE, END_STREAM, PLAY, Connection, field, fields, varint

WON = 99
"""The exit code of a rogue whose attack succeeded."""

BEFORE_IT_LISTENS, DESCRIBED, STARTED, FIRST, SECOND, OVER, HUNG_UP, BATCHED, ENDED_AT_ONCE = range(9)
"""The moments: no socket yet; asked by Describe; a match begins; decisions 1 and 2; a match is over; all are over.
In a league that plays batches: a batch asks for the second decision of a match; a batch has nothing but ends."""

READY = field(1, b"")

SERVICE_HOST = "127.0.0.2"
"""Nobody else listens or calls there."""

PRIVATE = "ROGUES_MAY_NOT_READ_THIS"
"""A variable in the environment of the victim."""


Row = tuple[int, int, int]
"""Of an answer in a batch: the match, the decision, and the index."""


class Given(NamedTuple):
    """The environment of the rogue: more than a stranger's bot would know.

    Attributes:
        address: where it must listen.
        league: the folder of the league file and of the store.
        opponent: the folder of another bot.
        victim: the pid of a process of the same user that no rogue may touch.
        port: of a service at `SERVICE_HOST` that greets every caller.
        mark: part of the name of all that the rogue makes, so that it is found; different in each league.
    """

    address: str
    league: str
    opponent: str
    victim: int
    port: int
    mark: str


class Moment(NamedTuple):
    """What an attack can see and use when it strikes.

    Attributes:
        given: the environment of the rogue.
        line: the referee's connection; before the bot listens, it leads nowhere.
        stream: the call that is answered now.
        honest: the message that an honest bot would send now; empty if it would send none.
        number: of the decision; 0 if none is asked.
        legal: how many actions there are.
        time_left_ms: for the decision.
        rows: the honest answers to a batch, which never asks for starts as well.
    """

    given: Given
    line: Connection
    stream: int = 0
    honest: bytes = b""
    number: int = 0
    legal: int = 0
    time_left_ms: int = 0
    rows: tuple[Row, ...] = ()


Strike = Callable[[Moment], bool | None]


class Attack(NamedTuple):
    """A function and the moments of every match at which it is called."""

    moments: tuple[int, ...]
    strike: Strike


def at(*moments: int) -> Callable[[Strike], Attack]:
    """Make a function an attack that strikes at these moments of every match."""
    return lambda strike: Attack(moments, strike)


def choice(number: int, index: int) -> bytes:
    """A Choice, as a BotMessage."""
    return field(2, field(1, number) + field(2, index))


def answers(rows: Iterable[Row], ready: Iterable[int] = ()) -> bytes:
    """Answers, as a BotMessage."""
    matches, decisions, indices = zip(*rows, strict=True) if (rows := tuple(rows)) else ((), (), ())
    return columns(matches, decisions, indices, tuple(ready))


def columns(*numbers: Sequence[int]) -> bytes:
    """Answers with these columns: matches, decisions, indices, matches that it is ready for."""
    packed = (b"".join(map(varint, column)) for column in numbers)
    return field(3, b"".join(field(place, column) for place, column in enumerate(packed, start=1) if column))


class Rogue:
    """One bot that serves one referee. It chooses by its `rule`: that factor times the number of the decision."""

    def __init__(self, name: str, rule: int, given: Given, attack: Attack) -> None:
        self._name, self._rule, self._given, self._attack = name, rule, given, attack

    def serve(self) -> None:
        """Serve until the process is ended."""
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        if self._strikes(Moment(self._given, Connection(socket.socket())), BEFORE_IT_LISTENS) is None:
            return
        waiting = listener(self._given.address)
        while True:  # a caller in a hurry may give up a call and call again
            connected, _ = waiting.accept()
            with contextlib.suppress(ConnectionError):
                self._attend(Connection(connected))

    def _attend(self, line: Connection) -> None:
        """Answer all calls of one connection."""
        received = b""
        for frame in line.frames():
            if frame.kind != DATA:
                continue
            if frame.stream == DESCRIBE:
                self._describe(Moment(self._given, line, DESCRIBE, self._description()))
                continue
            received += frame.payload
            while len(received) >= 5 and len(received) - 5 >= (length := int.from_bytes(received[1:5])):
                message, received = received[5 : 5 + length], received[5 + length :]
                self._hear(line, message)
            if frame.flags & END_STREAM and self._strikes(Moment(self._given, line, PLAY), HUNG_UP) is False:
                line.end(PLAY)

    def _description(self) -> bytes:
        return field(1, self._name.encode()) + field(2, b"1") + field(3, b"*") + field(6, 1024)

    def _describe(self, moment: Moment) -> None:
        if self._strikes(moment, DESCRIBED) is False:
            moment.line.message(DESCRIBE, moment.honest)
            moment.line.end(DESCRIBE)

    def _hear(self, line: Connection, message: bytes) -> None:
        (kind, body), *_ = fields(message)
        assert isinstance(body, bytes)
        if kind == 1:
            self._answer(Moment(self._given, line, PLAY, READY), STARTED)
        elif kind == 3:
            self._strikes(Moment(self._given, line, PLAY), OVER)
        elif kind == 4:
            self._hear_batch(line, [part for _, part in fields(body) if isinstance(part, bytes)])
        else:
            number, legal, time_left_ms = asked(body)
            honest = choice(number, self._rule * number % legal)
            moment = Moment(self._given, line, PLAY, honest, number, legal, time_left_ms)
            self._answer(moment, {1: FIRST, 2: SECOND}.get(number))

    def _hear_batch(self, line: Connection, parts: Iterable[bytes]) -> None:
        rows: list[Row] = []
        ready: list[int] = []
        for part in parts:
            (kind, body), (_, match) = fields(part)
            assert isinstance(match, int)
            if kind == 1:
                ready.append(match)
            elif kind == 2:
                assert isinstance(body, bytes)
                number, legal, _ = asked(body)
                rows.append((match, number, self._rule * number % legal))
        moment = Moment(self._given, line, PLAY, answers(rows, ready), rows=tuple(rows))
        if not rows and not ready:
            self._strikes(moment, ENDED_AT_ONCE)
        else:
            self._answer(moment, BATCHED if any(number == 2 for _, number, _ in rows) else None)

    def _answer(self, moment: Moment, when: int | None) -> None:
        if self._strikes(moment, when) is False:
            moment.line.message(PLAY, moment.honest)

    def _strikes(self, moment: Moment, when: int | None) -> bool | None:
        """Let the attack strike if this is its moment. False: an honest answer is still to be given."""
        if when not in self._attack.moments:
            return False
        if won := self._attack.strike(moment):
            os.write(2, b"the attack succeeded\n")
            os._exit(WON)
        return won


def asked(decision: bytes) -> tuple[int, int, int]:
    """The number of a Decision, how many actions it has, and how much time is left for it."""
    found = list(fields(decision))
    values = {key: value for key, value in found if isinstance(value, int)}
    return values[1], sum(key == 3 for key, _ in found), values.get(5, 0)


def listener(address: str) -> socket.socket:
    """A socket that listens at an address of the referee's."""
    if address.startswith("unix:"):
        made = socket.socket(socket.AF_UNIX)
        made.bind(address.removeprefix("unix:"))
    else:
        host, _, port = address.rpartition(":")
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, int(port)))
        if port == "0":
            sys.stdout.write(f"REFEREE_PORT={made.getsockname()[1]}\n")
            sys.stdout.flush()
    made.listen()
    return made
