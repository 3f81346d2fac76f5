"""A table: the processes of one line-up, and the matches that they play."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import repeat

from referee.core.errors import Void
from referee.core.outcome import Seat
from referee.match.conversation import Batch, Failed, Reply, SeatQuestion
from referee.match.match import Ask, Match, Open, Request
from referee.match.narrator import Narrator
from referee.match.terms import Clock
from referee.match.transcript import Header, Transcript
from referee.runtime.confinement import Confinement
from referee.runtime.host import Bot, HostSettings, StderrListener, ignore_stderr, run_to_end
from referee.runtime.process_sessions import temporary_folder
from referee.runtime.remote_bot import Unreachable
from referee.runtime.seat import SeatedBot
from referee.runtime.stopwatch import Timer
from referee.wire.codec import AnyCodec, GameEntry
from referee.wire.dialects import Dialect

Alter = Callable[[Dialect, Request, bytes], bytes]
"""Changes the message for a request."""


_TRUST_NS = 2_000_000
"""When a decision takes longer than this, the other bots are stopped, whether they rest or not."""

_PONDERING = 0.1
"""Where bots may ponder, the referee stops them when the asked bot has had this share of its time.

They share its core. Without this end they could keep it from running, and so gain a match that does not count.
"""


class Table:
    """Processes that stay warm from match to match, until one of them fails or a match is void."""

    def __init__(
        self,
        bots: Sequence[Bot],
        hosting: HostSettings,
        alter: Alter | None = None,
        stderr_listeners: Sequence[StderrListener] = (),
    ) -> None:
        """Prepare to play. `bots` and `stderr_listeners` are by seat; without listeners nobody gets the output."""
        self.bots = tuple(bots)
        self._alter = alter
        self._sandbox = hosting.confinement.name if any(bot.is_ours_to_end for bot in bots) else None
        self._seats = [
            SeatedBot(bot, hosting, stderr_listener)
            for bot, stderr_listener in zip(bots, stderr_listeners or repeat(ignore_stderr), strict=False)
        ]
        self._others = [[other for other in self._seats if other is not seat] for seat in self._seats]
        self._pondering = hosting.pondering
        self._off_turn: Sequence[SeatedBot] = ()
        self._trust = Timer(self._pause_off_turn)

    @property
    def unpunished(self) -> tuple[tuple[Failed, ...], ...]:
        """By seat, the faults of the bots between matches, after which they were only started again."""
        return tuple(tuple(seat.unpunished) for seat in self._seats)

    async def play(
        self, entry: GameEntry, header: Header, clock: Clock, narrator: Narrator | None = None
    ) -> Transcript:
        """Play one match; `clock` is that of the bots that have none of their own.

        Raises:
            Void: the match does not count; the processes have been ended.
            Unreachable: a remote bot could not be reached, so the match did not begin; the processes have been ended.
        """
        match = self.match(entry, header, clock)
        try:
            await self.start()
            await self._carry_out(entry.codec, match, narrator)
        except (Void, Unreachable):
            await self.discard()
            raise
        transcript = self.transcript(match)
        if transcript.record.faults:
            await self.discard()
        return transcript

    def match(self, entry: GameEntry, header: Header, clock: Clock) -> Match:
        """A new match between these bots; `clock` is that of the bots that have none of their own."""
        return Match(entry.game, header, clock, [bot.terms for bot in self.bots])

    def transcript(self, match: Match) -> Transcript:
        """A finished match between these bots."""
        return match.transcript(tuple(bot.place for bot in self.bots), self._sandbox)

    def dialect(self, number: Seat) -> Dialect:
        """How messages to this seat are written."""
        return self.bots[number].dialect

    async def tell(self, number: Seat, message: bytes) -> Failed | None:
        """Tell one seat what needs no answer. Returns its fault since it was last asked, if there is one."""
        return await self._seats[number].tell(message)

    def start_ms(self, number: Seat) -> int:
        """How long the bot in this seat may take to be ready, in milliseconds."""
        return self._seats[number].start_ms

    async def stop(self) -> list[bool]:
        """End all processes as the protocol says; by seat, whether the bot closed its stream cleanly."""
        return await run_to_end(asyncio.gather(*(seat.stop() for seat in self._seats)))

    @property
    def alive(self) -> bool:
        """Whether all processes are up and have done nothing wrong."""
        return all(seat.alive for seat in self._seats)

    @property
    def max_batches(self) -> tuple[int, ...]:
        """By seat, how many matches the running process can play at once."""
        return tuple(seat.max_batch for seat in self._seats)

    @property
    def max_batch(self) -> int:
        """How many matches the running processes can all play at once."""
        return min(self.max_batches)

    async def start(self) -> None:
        """Start the processes that are not up.

        Raises:
            Void: one could not be started, for reasons that are not the bot's.
            Unreachable: a remote bot could not be reached.
        """
        if self.alive:  # mostly so; starting tasks only to find this out would cost more
            return
        # One after the other: the bots share a core, and each has its own time.
        for seat in self._seats:
            await seat.start()

    async def discard(self) -> None:
        """End all processes at once."""
        await run_to_end(asyncio.gather(*(seat.discard() for seat in self._seats)))

    async def _carry_out(self, codec: AnyCodec, match: Match, narrator: Narrator | None) -> None:
        for request in match:
            reply, elapsed_us, used_us = await self._reply(codec, match, request)
            if narrator is not None:
                await asyncio.sleep(0)  # what the bot wrote before its answer is heard first
                narrator(match, request, reply)
            match.reply(reply, elapsed_us, used_us)

    async def _reply(self, codec: AnyCodec, match: Match, request: Request) -> tuple[Reply | None, int, int | None]:
        dialect = self.dialect(request.seat)
        message = dialect.encode(codec, match, request)
        if self._alter is not None:
            message = self._alter(dialect, request, message)
        if isinstance(request, Ask):
            question = SeatQuestion(request.number, len(request.legal))
            return await self.ask(request.seat, question, message, request.time_left_ms)
        seat = self._seats[request.seat]
        if isinstance(request, Open):
            return await seat.open(message), 0, None
        return await seat.tell(message), 0, None

    async def ask(
        self, number: Seat, question: SeatQuestion | Batch, message: bytes, limit_ms: int
    ) -> tuple[Reply, int, int | None]:
        """Ask one seat. No other seat may think meanwhile, or only for a while.

        Returns the judged reply, the microseconds of the bot's time, and those of its processor; None: not seen.

        Raises:
            Busy: the machine kept the bot from running, or the referee, for much longer than the limit.
        """
        self._off_turn = self._others[number]
        for other in self._off_turn:
            other.rest()
        trusted_ns = max(_TRUST_NS, int(_PONDERING * limit_ms * 1e6)) if self._pondering else _TRUST_NS
        self._trust.set(time.monotonic_ns() + trusted_ns)
        try:
            return await self._seats[number].ask(question, message, limit_ms)
        finally:
            self._trust.clear()

    def _pause_off_turn(self, _late_ns: int) -> None:
        for other in self._off_turn:
            other.pause()


@asynccontextmanager
async def open_table(
    bots: Sequence[Bot], confinement: Confinement, start_ms: int, stderr_listeners: Sequence[StderrListener] = ()
) -> AsyncIterator[Table]:
    """A table in a temporary folder. Its processes end with the context."""
    with temporary_folder() as run_dir:
        table = Table(bots, HostSettings(run_dir, confinement, start_ms), stderr_listeners=stderr_listeners)
        try:
            yield table
        finally:
            await table.stop()


async def play_once(
    entry: GameEntry,
    bots: Sequence[Bot],
    header: Header,
    clock: Clock,
    confinement: Confinement,
    narrator: Narrator | None = None,
    stderr_listeners: Sequence[StderrListener] = (),
) -> Transcript:
    """Play one match on its own processes, which end with it.

    Raises:
        Void: the match does not count.
        Unreachable: a remote bot could not be reached, so the match did not begin.
    """
    async with open_table(bots, confinement, clock.start_ms, stderr_listeners) as table:
        return await table.play(entry, header, clock, narrator)
