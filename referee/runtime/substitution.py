"""A recorded match with other bots in some seats. It goes as recorded until one of these answers otherwise.

A seat may have the bot of the record, a substitute, or nobody. Bots are sent every message from the beginning, so they
know the match when it leaves the record. Until then the recorded answers hold in the seats of nobody, and in those of
bots that only stand in for one that cannot be had.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.files.manifest import unlabelled
from referee.match.conversation import Chosen, Failed, Reply
from referee.match.match import Ask, Close, Match, Request, marked
from referee.match.narrator import tell_outcome
from referee.match.replay import Replay, blame_game
from referee.match.terms import Clock
from referee.match.transcript import Transcript
from referee.runtime.confinement import Confinement
from referee.runtime.host import Bot, HostSettings
from referee.runtime.person import Mailbox, Person
from referee.runtime.process_sessions import temporary_folder
from referee.runtime.table import Table
from referee.wire.codec import AnyCodec, GameEntry


class Departure(msgspec.Struct, frozen=True):
    """A bot answered otherwise than the record says.

    Attributes:
        number: its number among the decisions of all seats, from 1; 0 at the start.
        seat: the seat.
        decision: the number of the decision among those of the seat, from 1; 0 at the start.
        recorded: the answer of the record in words.
        now: that of the bot.
    """

    number: int
    seat: Seat
    decision: int
    recorded: str
    now: str

    @property
    def words(self) -> str:
        """Where it is, and both answers."""
        where = f"decision {self.decision} of seat {self.seat}" if self.decision else f"the start of seat {self.seat}"
        return f"{where}: recorded {self.recorded}, now {self.now}"


class Course(NamedTuple):
    """How such a match went.

    Attributes:
        recorded: the match of the record.
        standing_in: the seats whose bots cannot be had.
        departure: where it left the record; None if it did not.
        ignored: where those who stand in would have left it before.
        again: the match now, with the names of those who played; None if it was the turn of nobody after it had left
            the record, or if a bot that stands in had failed before.
    """

    recorded: Transcript
    standing_in: Collection[Seat]
    departure: Departure | None
    ignored: Sequence[Departure]
    again: Transcript | None

    def words(self) -> str:
        """Where it left the record, and both ends."""
        then, entries = self.recorded.record, self.recorded.record.header.entries
        if self.departure is None:
            same = ", ".join(f"{fault.kind} of seat {fault.seat}" for fault in then.faults)
            return "the same match, choice by choice" + (f", with the same fault: {same}" if same else "")
        where = f"the same up to decision {self.departure.number} of the match; " if self.departure.number else ""
        head = where + self.departure.words
        away = ", ".join(f"{entries[seat]} (seat {seat})" for seat in self.standing_in)
        if self.again is None:
            return f"{head}\nnobody goes on: {away} cannot be had; --others BOT lets a bot stand in"
        now = self.again.record
        standing_in = [f"{now.header.entries[seat]} stands in for {away} from then on" for seat in self.standing_in]
        ends = [f"recorded: {tell_outcome(then.header, then.outcome)}", f"now: {tell_outcome(now.header, now.outcome)}"]
        return "\n".join([head, *standing_in[:1], *ends])


async def play_substituted(
    entry: GameEntry,
    recorded: Transcript,
    bots: Mapping[Seat, Bot],
    confinement: Confinement,
    clock: Clock,
    standing_in: Collection[Seat] = (),
) -> Course:
    """Play such a match on its own processes, which end with it.

    Args:
        entry: the game.
        recorded: the match.
        bots: by seat; the others have nobody.
        confinement: of all bots.
        clock: that of bots that have none of their own.
        standing_in: the seats whose bots cannot be had.

    Raises:
        Difference: the record does not hold.
        Void: the match does not count.
        Unreachable: a remote bot could not be reached, so the match did not begin.
    """
    header, again = recorded.record.header, None
    names = {seat: bot.entry for seat, bot in bots.items() if bot.entry != unlabelled(header.entries[seat])}
    header = replace(header, entries=tuple(names.get(seat, each) for seat, each in enumerate(header.entries)))
    with temporary_folder() as run_dir:
        table = _SubstitutedTable(
            entry, recorded, bots, HostSettings(run_dir, confinement, clock.start_ms), standing_in
        )
        with suppress(_NobodyThere):
            try:
                again = await table.play(entry, header, clock)
            finally:
                await table.stop()
    return Course(recorded, standing_in, table.departure, table.ignored, again)


class _NobodyThere(Exception):
    """Nobody can answer."""


class _SubstitutedTable(Table):
    def __init__(
        self,
        entry: GameEntry,
        recorded: Transcript,
        bots: Mapping[Seat, Bot],
        hosting: HostSettings,
        standing_in: Collection[Seat],
    ) -> None:
        terms = recorded.terms
        super().__init__([bots.get(at) or Person("~nobody", Mailbox(), own) for at, own in enumerate(terms)], hosting)
        self.departure: Departure | None = None
        self.ignored: list[Departure] = []
        self._game, self._record = entry.game, recorded.record
        self._absent = {*range(len(terms))} - bots.keys()
        self._followed = self._absent | {*standing_in}
        self._answers = {_place(step.request): step.reply for step in Replay(entry.game, recorded).steps()}
        self._number = 0

    async def _reply(self, codec: AnyCodec, match: Match, request: Request) -> tuple[Reply | None, int, int | None]:
        """The answer that holds: that of the bot, or of the record if nobody is there or the bot only stands in."""
        is_absent, recorded = request.seat in self._absent, self._answers.get(_place(request))
        if is_absent and self.departure is not None and isinstance(request, Ask):
            raise _NobodyThere
        reply, elapsed_us, used_us = (recorded, 0, None) if is_absent else await super()._reply(codec, match, request)
        self._number += isinstance(request, Ask)
        same = _answer(request, reply) == _answer(request, recorded)
        if same or self.departure is not None or isinstance(request, Close):
            return reply, elapsed_us, used_us
        words = self._words(request, recorded), self._words(request, reply)
        departure = Departure(self._number, *_place(request), *words)
        if request.seat not in self._followed:
            self.departure = departure
            return reply, elapsed_us, used_us
        self.ignored.append(departure)
        if isinstance(reply, Failed):
            raise _NobodyThere
        return recorded, elapsed_us, used_us

    def _words(self, request: Request, reply: Reply | None) -> str:
        if isinstance(reply, Chosen) and isinstance(request, Ask):
            with blame_game(self._record):
                return self._game.describe_action(request.legal[reply.index])
        return f"the fault {_answer(request, reply)}: {reply.text}" if isinstance(reply, Failed) else "no fault"


def _place(request: Request) -> tuple[Seat, int]:
    """The seat, and the number of its decision; 0 at the start, and -1 at the end."""
    return request.seat, request.number if isinstance(request, Ask) else -isinstance(request, Close)


def _answer(request: Request, reply: Reply | None) -> object:
    """The index of a choice, or the kind of a fault."""
    if isinstance(reply, Failed):
        return marked(*_place(request), reply.kind).kind
    return reply.index if isinstance(reply, Chosen) else None
