"""A recorded match with other bots in some seats. It goes as recorded until one of these answers otherwise.

A seat may have the bot of the record, a substitute, or nobody. Bots are sent every message from the beginning, so they
know the match when it leaves the record. Until then the recorded answers hold in the seats of nobody, and in those of
bots that only stand in for one that cannot be had.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

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
from referee.runtime.person import Mailbox, person
from referee.runtime.process_sessions import temporary_folder
from referee.runtime.table import Table
from referee.wire.codec import AnyCodec, GameEntry


class Course(NamedTuple):
    """How such a match went.

    Attributes:
        recorded: the match of the record.
        standing_in: the seats whose bots cannot be had.
        difference: the first answer other than the recorded one, which left the record, in a sentence; None for none.
        ignored: the other answers before it of those who stand in, in sentences.
        again: the match now, with the names of those who played; None if it was the turn of nobody after it had left
            the record, or if a bot that stands in had failed before.
    """

    recorded: Transcript
    standing_in: Sequence[Seat]
    difference: str | None
    ignored: Sequence[str]
    again: Transcript | None

    def __str__(self) -> str:
        """Where it left the record, and both ends."""
        then, entries = self.recorded.record, self.recorded.record.header.entries
        if self.difference is None:
            same = "".join(f", with the same fault: {fault.kind} of seat {fault.seat}" for fault in then.faults)
            return f"the same match, choice by choice{same}"
        head, away = self.difference, ", ".join(f"{entries[seat]} (seat {seat})" for seat in self.standing_in)
        if self.again is None:
            return f"{head}\nnobody goes on: {away} cannot be had; --others BOT lets a bot stand in"
        now = self.again.record
        if away:
            head += f"\n{now.header.entries[self.standing_in[0]]} stands in for {away} from then on"
        ends = (f"{when}: {tell_outcome(one.header, one.outcome)}" for when, one in (("recorded", then), ("now", now)))
        return "\n".join((head, *ends))


async def play_substituted(
    entry: GameEntry,
    recorded: Transcript,
    bots: Mapping[Seat, Bot],
    confinement: Confinement,
    clock: Clock,
    standing_in: Sequence[Seat] = (),
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
        table = _SubstitutedTable(entry, recorded, bots, HostSettings(run_dir, confinement, clock.start_ms))
        table.followed |= {*standing_in}
        with suppress(_NobodyThere):
            try:
                again = await table.play(entry, header, clock)
            finally:
                await table.stop()
    return Course(recorded, standing_in, table.difference, table.ignored, again)


class _NobodyThere(Exception):
    """Nobody can answer."""


class _SubstitutedTable(Table):
    """In the seats of `followed` the recorded answers hold."""

    def __init__(self, entry: GameEntry, recorded: Transcript, bots: Mapping[Seat, Bot], hosting: HostSettings) -> None:
        terms = recorded.terms
        super().__init__([bots.get(at) or person("~nobody", Mailbox(), own) for at, own in enumerate(terms)], hosting)
        self.difference: str | None = None
        self.ignored: list[str] = []
        self._game, self._record = entry.game, recorded.record
        self._absent = {*range(len(terms))} - bots.keys()
        self.followed = set(self._absent)
        self._answers = {_place(step.request): step.reply for step in Replay(entry.game, recorded).steps()}
        self._number = 0

    async def _reply(self, codec: AnyCodec, match: Match, request: Request) -> tuple[Reply | None, int, int | None]:
        """The answer that holds: that of the bot, or of the record if nobody is there or the bot only stands in."""
        is_absent, recorded = request.seat in self._absent, self._answers.get(_place(request))
        if is_absent and self.difference is not None and isinstance(request, Ask):
            raise _NobodyThere
        reply, elapsed_us, used_us = (recorded, 0, None) if is_absent else await super()._reply(codec, match, request)
        self._number += isinstance(request, Ask)
        same = _answer(request, reply) == _answer(request, recorded)
        if same or self.difference is not None or isinstance(request, Close):
            return reply, elapsed_us, used_us
        found = f"recorded {self._words(request, recorded)}, now {self._words(request, reply)}"
        if request.seat not in self.followed:
            self.difference = f"the same up to {self._where(request)}: {found}"
            return reply, elapsed_us, used_us
        self.ignored.append(f"{self._where(request)}: {found}")
        if isinstance(reply, Failed):
            raise _NobodyThere
        return recorded, elapsed_us, used_us

    def _where(self, request: Request) -> str:
        """By the number among the decisions of the seat, as `replay` counts them, and by that among all."""
        if isinstance(request, Ask):
            return f"decision {request.number} of seat {request.seat} ({self._number} of the match)"
        return f"the start of seat {request.seat}"

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
