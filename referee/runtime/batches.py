"""Many matches of one line-up at once, on the processes of one table.

It asks one process at a time, with all its open questions of a kind, while the others rest. Any fault breaks the
whole batch: nobody could say whose fault it is in which match, and a bot must not gain by it. So no match of the batch
counts, and the caller plays them one by one.
"""

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Protocol, TypeVar

import msgspec

from referee.core.errors import Void, WrongUse
from referee.core.outcome import Seat
from referee.match.conversation import Answered, Batch, SeatQuestion
from referee.match.match import Ask, Close, Match, Open, Request
from referee.match.terms import Clock
from referee.match.transcript import Header, Transcript
from referee.runtime.confinement import Confinement
from referee.runtime.host import Bot
from referee.runtime.table import Table, open_table
from referee.wire.codec import GameEntry
from referee.wire.messages import MAX_REFEREE_MESSAGE_BYTES

_T_co = TypeVar("_T_co", covariant=True)

_REFILL = 4
"""New matches begin when this part of the batch is free, or when no match is left: beginning them one by one would take
as many messages as playing them one by one."""

_MOST_BYTES = MAX_REFEREE_MESSAGE_BYTES - 16
"""The size of all parts of a batch; the rest of the message is for the envelope around them."""


class Supply(Protocol[_T_co]):
    """The matches to play, or what they are known by, as they arrive."""

    def waiting(self) -> _T_co | None:
        """The next one, if it is there already."""

    def next(self) -> _T_co | None:
        """Wait for the next one; None if there is none."""


class KnownMatches:
    """Matches that are all known from the beginning."""

    def __init__(self, headers: Sequence[Header]) -> None:
        self._left = list(reversed(headers))

    def waiting(self) -> Header | None:
        """The next match; None if there is none."""
        return self._left.pop() if self._left else None

    next = waiting


class BatchFailed(Exception):
    """A batch went wrong. It says why in words.

    Attributes:
        seat: the seat whose bot did something wrong; None if it was our fault.
        unfinished: the matches in progress. The caller must play them again.
    """

    def __init__(self, reason: str, seat: Seat | None, unfinished: Iterable[Header]) -> None:
        super().__init__(reason)
        self.seat = seat
        self.unfinished = tuple(unfinished)


class _RunningMatch:
    """One match of the batch, and its open question."""

    def __init__(self, number: int, match: Match) -> None:
        self.number = number
        self.match = match
        self.requests: Iterator[Open | Ask | Close] = iter(match)
        self.request: Open | Ask


class _PendingQuestion(msgspec.Struct, frozen=True):
    """The questions that one process gets at once."""

    seat: Seat
    courses: tuple[_RunningMatch, ...]
    question: Batch
    message: bytes
    limit_ms: int


class Batches:
    """Plays matches on a table whose bots can all play many at once."""

    def __init__(self, table: Table, entry: GameEntry, clock: Clock, size: int) -> None:
        """Prepare to play up to `size` matches at once; all processes of the table are up."""
        self._table = table
        self._entry = entry
        self._clock = clock
        self._size = size
        self._numbers = count(1)
        self._open: dict[int, _RunningMatch] = {}
        seats = range(len(table.bots))
        # The matches by the kind of their next question. A message asks for starts or for decisions, never for both.
        self._starting: list[list[_RunningMatch]] = [[] for _ in seats]
        self._choosing: list[list[_RunningMatch]] = [[] for _ in seats]
        self._ends: list[list[bytes]] = [[] for _ in seats]  # sent with the next question, or at the end

    async def play(self, supply: Supply[Header]) -> AsyncGenerator[Transcript, None]:
        """The finished matches, in the order in which they end.

        Raises:
            BatchFailed: something went wrong. The processes must be discarded.
        """
        try:
            while self._refill(supply):
                for done in await self._ask(self._next_question()):
                    yield done
            await self._tell_ends()
        except Void as void:
            raise BatchFailed(str(void), None, self._unfinished()) from void

    def _refill(self, supply: Supply[Header]) -> bool:
        """Begin as many matches as there is room for, if it is time for that. Whether any match is open."""
        if not self._open:
            self._begin(supply.next())
        if self._open and self._size - len(self._open) >= self._size // _REFILL:
            while len(self._open) < self._size and (header := supply.waiting()):
                self._begin(header)
        return bool(self._open)

    def _begin(self, header: Header | None) -> None:
        if header is not None:
            course = _RunningMatch(next(self._numbers), self._table.match(self._entry, header, self._clock))
            self._open[course.number] = course
            self._advance(course)

    def _advance(self, course: _RunningMatch) -> Transcript | None:
        """Go on to the next question of a match. Its transcript, if there is no other."""
        for request in course.requests:
            if isinstance(request, Close):
                self._ends[request.seat].append(self._encode(course, request))
                course.match.reply(None)
            else:
                course.request = request
                waiting = self._starting if isinstance(request, Open) else self._choosing
                waiting[request.seat].append(course)
                return None
        del self._open[course.number]
        return self._table.transcript(course.match)

    def _next_question(self) -> _PendingQuestion:
        """The next message: starts first, then the most decisions that one process can be asked for at once."""
        queues = self._starting if any(self._starting) else self._choosing
        seat = max(range(len(queues)), key=lambda seat: len(queues[seat]))
        parts = _fitting(self._ends[seat], _MOST_BYTES // 2)
        del self._ends[seat][: len(parts)]
        messages = (self._encode(course, course.request) for course in queues[seat])
        questions = _fitting(messages, _MOST_BYTES - sum(map(len, parts)))
        courses = tuple(queues[seat][: len(questions)])
        del queues[seat][: len(questions)]
        parts += questions
        message = self._table.dialect(seat).batch(parts)
        question = Batch({course.number: _question(course.request) for course in courses})
        return _PendingQuestion(seat, courses, question, message, self._limit_ms(courses[0].request))

    def _encode(self, course: _RunningMatch, request: Request) -> bytes:
        dialect = self._table.dialect(request.seat)
        return dialect.part(course.number, dialect.encode(self._entry.codec, course.match, request))

    def _limit_ms(self, request: Open | Ask) -> int:
        """The time for all questions of a message together."""
        return request.time_left_ms if isinstance(request, Ask) else self._table.start_ms(request.seat)

    async def _ask(self, pending: _PendingQuestion) -> list[Transcript]:
        """Ask, and go on with all matches that were asked about. The transcripts of those that have ended."""
        reply, elapsed_us, used_us = await self._table.ask(
            pending.seat, pending.question, pending.message, pending.limit_ms
        )
        if not isinstance(reply, Answered):
            raise BatchFailed(getattr(reply, "text", "gave no answers"), pending.seat, self._unfinished())
        done = []
        for course in pending.courses:
            share = len(pending.courses)
            course.match.reply(reply.replies[course.number], elapsed_us // share, used_us and used_us // share)
            if (transcript := self._advance(course)) is not None:
                done.append(transcript)
        return done

    async def _tell_ends(self) -> None:
        for seat, ends in enumerate(self._ends):
            while ends:
                parts = _fitting(ends, _MOST_BYTES)
                del ends[: len(parts)]
                message = self._table.dialect(seat).batch(parts)
                await self._table.tell(seat, message)  # a fault after the last decision costs nothing

    def _unfinished(self) -> list[Header]:
        return [course.match.header for course in self._open.values()]


async def play_at_once(
    entry: GameEntry,
    bots: Sequence[Bot],
    headers: Sequence[Header],
    clock: Clock,
    confinement: Confinement,
    tell: Callable[[BatchFailed], None],
) -> list[Transcript]:
    """Play these matches on one set of processes, as many at once as all bots can. Returns them in their order.

    If the batch breaks, this calls `tell`, and plays the unfinished matches one by one.

    Raises:
        WrongUse: one of the bots cannot play many matches at once.
        Void: a match does not count.
    """
    played: dict[str, Transcript] = {}
    async with open_table(bots, confinement, clock.start_ms) as table:
        await table.start()
        if table.alive:  # a bot that does not start has its fault in every single match
            _require_batches(table)
            playing = Batches(table, entry, clock, min(table.max_batch, len(headers))).play(KnownMatches(headers))
            try:
                async for transcript in playing:
                    played[transcript.record.header.match_id] = transcript
            except BatchFailed as broken:
                tell(broken)
                await table.discard()
        for header in headers:
            if header.match_id not in played:
                played[header.match_id] = await table.play(entry, header, clock)
    return [played[header.match_id] for header in headers]


def _require_batches(table: Table) -> None:
    for bot, most in zip(table.bots, table.max_batches, strict=True):
        if most == 1:
            reason = "plays one match at a time; for more, its answer to Describe must have a max_batch over 1"
            raise WrongUse(f"{bot.entry} {reason}")


def _fitting(parts: Iterable[bytes], room: int) -> list[bytes]:
    """The first parts that fit into so many bytes together; the first in any case."""
    fitting: list[bytes] = []
    for each in parts:
        room -= len(each)
        if fitting and room < 0:
            break
        fitting.append(each)
    return fitting


def _question(request: Open | Ask) -> SeatQuestion:
    return SeatQuestion(request.number, len(request.legal)) if isinstance(request, Ask) else SeatQuestion(0)
