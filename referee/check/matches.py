"""The matches of a check: a bot against itself, on warm and on fresh processes, some of them with unusual messages."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from referee.core import seeds
from referee.core.errors import Void
from referee.core.outcome import Seat
from referee.match.conversation import Failed, Reply
from referee.match.header import header
from referee.match.match import Ask, Close, Match, Request
from referee.match.terms import Clock
from referee.match.transcript import Header, Transcript
from referee.runtime.batches import Batches, BatchFailed, KnownMatches
from referee.runtime.confinement import Confinement
from referee.runtime.host import Bot, HostSettings, StderrListener, ignore_stderr
from referee.runtime.process_sessions import temporary_folder
from referee.runtime.table import Alter, Table
from referee.wire.codec import GameEntry
from referee.wire.dialects import Dialect
from referee.wire.messages import MAX_REFEREE_MESSAGE_BYTES

MATCHES = 20
"""The number of matches on warm processes, one after the other."""

_LARGE_DECISIONS = 3
"""The most seats in a match of a check: more would only take time."""

_ROOM_FOR_TAGS_BYTES = 64


class Setup(msgspec.Struct, frozen=True):
    """The checked bot, and its matches.

    Attributes:
        entry: the game.
        options: an instance of the game's `options_type`.
        bot: the checked bot; it takes every seat.
        seats: the number of seats.
        clock: the time limits.
        confinement: what the bot is confined in.
        matches: how many are played on warm processes, at least 2.
        kills: as in `HostSettings`.
        stderr_listener: gets what the bot writes, whatever its seat.
        failed: gets the matches in which the bot did not do as it should.
    """

    entry: GameEntry
    options: Any
    bot: Bot
    seats: int
    clock: Clock
    confinement: Confinement
    matches: int = MATCHES
    kills: list[int] = []
    stderr_listener: StderrListener = ignore_stderr
    failed: list[Transcript] = []

    @property
    def bots(self) -> list[Bot]:
        """The bot once for every seat."""
        return [self.bot] * self.seats

    def hosting(self, run_dir: Path) -> HostSettings:
        """How the bot is started, with its sockets in `run_dir`."""
        return HostSettings(run_dir, self.confinement, self.clock.start_ms, kills=self.kills)

    def header(self, deal: int) -> Header:
        """The header of the match with the number `deal`."""
        return header(
            game=self.entry.game.name,
            rules_version=self.entry.game.rules_version,
            options=msgspec.to_builtins(self.options),
            fixture=f"check/{deal}",
            entries=(self.bot.entry,) * self.seats,
            root=seeds.from_text("check"),
            deal=deal,
        )


class UnpunishedFault(msgspec.Struct, frozen=True):
    """A fault of a bot between two matches, which changes no result.

    Attributes:
        match: the match, counted from 1, after whose last decision it happened, before the bot was ready for the next.
        seat: the seat of the bot.
        failed: the fault.
    """

    match: int
    seat: Seat
    failed: Failed


class WarmSeries(msgspec.Struct, frozen=True):
    """Matches on the same processes, one after the other; a fault ends them.

    Attributes:
        played: the matches, at least one.
        unpunished: the faults between two of them, or after the last.
        ended_cleanly: whether all streams ended after them as the protocol says.
    """

    played: tuple[Transcript, ...]
    unpunished: tuple[UnpunishedFault, ...]
    ended_cleanly: bool

    @property
    def last(self) -> Transcript:
        """The last match."""
        return self.played[-1]


async def play_warm(setup: Setup) -> WarmSeries:
    """Play the matches on warm processes. After a match that ends with a fault no more matches are played.

    Raises:
        Void: the matches do not count, for reasons that are not the bot's.
        Unreachable: it is a remote bot and cannot be reached.
    """
    played: list[Transcript] = []
    unpunished: list[UnpunishedFault] = []

    def watch(_match: Match, request: Request, reply: Reply | None) -> None:
        if isinstance(request, Close) and isinstance(reply, Failed):
            unpunished.append(UnpunishedFault(len(played) + 1, request.seat, reply))

    clean: list[bool] = []
    async with _table(setup, clean=clean) as table:
        known = table.unpunished
        while len(played) < setup.matches and not (played and played[-1].record.faults):
            transcript = await table.play(setup.entry, setup.header(len(played)), setup.clock, watch)
            before, known = known, table.unpunished
            unpunished += [
                UnpunishedFault(len(played), seat, failed)
                for seat, failures in enumerate(known)
                for failed in failures[len(before[seat]) :]
            ]
            played.append(transcript)
    return WarmSeries(tuple(played), tuple(unpunished), all(clean))


async def play_fresh(setup: Setup, header: Header) -> Transcript:
    """Play one match on fresh processes.

    Raises:
        Void, Unreachable: as `play_warm`.
    """
    async with _table(setup) as table:
        return await table.play(setup.entry, header, setup.clock)


async def play_strange(setup: Setup, header: Header) -> tuple[Transcript, Transcript | None]:
    """Play a match on fresh processes with unknown fields. If it goes well, play another with large decisions.

    The second match has fresh processes, too: late messages of a bot after the first match must not spoil it.

    Raises:
        Void, Unreachable: as `play_warm`.
    """
    async with _table(setup, _later) as table:
        later = await table.play(setup.entry, header, setup.clock)
    if later.record.faults:
        return later, None
    async with _table(setup, _large) as table:
        return later, await table.play(setup.entry, setup.header(setup.matches), setup.clock)


async def play_at_once(setup: Setup, headers: Sequence[Header]) -> dict[str, Transcript]:
    """Play matches at once on fresh processes, as many as the bot can; by their ids.

    Raises:
        BatchFailed: the bot did something wrong.
        Void, Unreachable: as `play_warm`.
    """
    async with _table(setup) as table:
        await table.start()
        playing = Batches(table, setup.entry, setup.clock, min(table.max_batch, len(headers)))
        try:
            return {
                transcript.record.header.match_id: transcript
                async for transcript in playing.play(KnownMatches(headers))
            }
        except BatchFailed as broken:
            if broken.seat is None:
                raise Void(str(broken)) from broken
            raise


def _later(dialect: Dialect, _request: Request, message: bytes) -> bytes:
    return dialect.from_the_future(message)


def _large(dialect: Dialect, request: Request, message: bytes) -> bytes:
    if not isinstance(request, Ask) or request.number > _LARGE_DECISIONS:
        return message
    return dialect.from_the_future(message, MAX_REFEREE_MESSAGE_BYTES - len(message) - _ROOM_FOR_TAGS_BYTES)


@asynccontextmanager
async def _table(setup: Setup, alter: Alter | None = None, clean: list[bool] | None = None) -> AsyncIterator[Table]:
    """A table with the bot in every seat. `clean` collects, by seat, whether the stream ended as the protocol says."""
    with temporary_folder() as run_dir:
        table = Table(setup.bots, setup.hosting(run_dir), alter, [setup.stderr_listener] * setup.seats)
        try:
            yield table
        finally:
            ended = await table.stop()
            if clean is not None:
                clean += ended
