"""Plays sittings on any machine, and stores the output of bots in their logs.

It knows bots and processes, but no pipes, no cores and no leagues. Of each match, it stores the beginning of the output
at once and the end when the match is over. So no bot can fill a disk, and the output of one match does not displace
that of the others.
"""

import codecs
import time
from collections.abc import AsyncGenerator, Sequence
from functools import partial
from pathlib import Path

from referee.core.errors import Busy, CannotStart, Void
from referee.match.transcript import Header
from referee.runtime.batches import Batches, BatchFailed, Supply
from referee.runtime.host import HostSettings, StderrListener
from referee.runtime.probe_process import require_starts
from referee.runtime.remote_bot import Unreachable
from referee.runtime.shortages import describe_shortage, is_shortage
from referee.runtime.table import Table
from referee.wire.registry import games
from tournaments.league.model import Fixture, finished
from tournaments.play.bot_logs import BotLog
from tournaments.play.match_results import BrokenBatch, MatchPostponed, MatchVoided, Result
from tournaments.play.workers.worker_messages import AtOnce, Job, Work

BEGINNING_BYTES = 32 << 10
"""When the lines for a seat and a match have this many bytes, only the end of what follows is kept."""

END_BYTES = 4 << 10

_UTF_8 = codecs.getincrementaldecoder("utf-8")


class BotOutput:
    """Listens to the bots of one sitting at a time."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` is that of the logs; None: no output is stored."""
        self._folder = folder
        self._logs: list[BotLog] = []
        self._outputs: list[_SeatOutput] = []
        self._match: str | None = None

    def stderr_listeners(self, entries: Sequence[str]) -> list[StderrListener]:
        """By seat, the listener to the bot's output; empty if output is not stored.

        A match must begin before its bots write.
        """
        if self._folder is None:
            return []
        self._logs = [BotLog(self._folder, entry) for entry in entries]
        return [partial(self._hear, seat) for seat in range(len(entries))]

    def begin(self, match: str) -> None:
        """Note that the match of this fixture begins, and that the one before is over.

        It does not distinguish the matches of a batch: it stores all output with the first one.
        """
        if match == self._match:
            return
        self._end()
        self._match = match
        self._outputs = [_SeatOutput(log, match, seat) for seat, log in enumerate(self._logs)]

    def close(self) -> None:
        """Note that the bots of the sitting have ended."""
        self._end()
        for log in self._logs:
            log.close()
        self._logs, self._outputs, self._match = [], [], None

    def _hear(self, seat: int, output: bytes) -> None:
        self._outputs[seat].hear(output)

    def _end(self) -> None:
        for output in self._outputs:
            output.end()


class _SeatOutput:
    """The output of the bot in one seat in one match."""

    def __init__(self, log: BotLog, match: str, seat: int) -> None:
        self._log = log
        self._match = match
        self._seat = seat
        self._decoder = _UTF_8("backslashreplace")
        self._left = BEGINNING_BYTES
        self._end_bytes = b""
        self._hidden = 0

    def hear(self, output: bytes) -> None:
        beginning, rest = output[: self._left], output[self._left :]
        if beginning:
            self._left = max(0, self._left - self._keep(self._decoder.decode(beginning)))
        if rest:
            self._hidden += len(rest)
            self._end_bytes = (self._end_bytes + rest[-END_BYTES:])[-END_BYTES:]

    def end(self) -> None:
        self._keep(self._decoder.decode(self._end_bytes, final=True), self._hidden - len(self._end_bytes))

    def _keep(self, text: str, left_out: int = 0) -> int:
        """Keep a piece; how many bytes that took."""
        return self._log.keep(time.time_ns() // 1_000_000, self._match, self._seat, text, left_out) if text else 0


class Player:
    """Plays one sitting at a time, on processes that start and end with the sitting."""

    def __init__(self, work: Work, run_dir: Path) -> None:
        """Prepare to play. The bots' sockets will be in `run_dir`."""
        self._work = work
        self._game = games()[work.game]
        self._hosting = HostSettings(run_dir, work.confinement, work.clock.start_ms, work.pondering)
        self._output = BotOutput(work.logs)
        self._can_start = False  # whether this machine could start a program when that was last tried

    async def play(self, jobs: Supply[Job]) -> AsyncGenerator[Result | BrokenBatch | AtOnce, None]:
        """The results of a sitting's matches, and how many of them are played at once from then on.

        If they are played one by one, each job is taken once the result before it was taken.
        """
        first = jobs.next()
        if first is None:
            return
        supply = _Supply(jobs, first)
        bots = [self._work.bots[name] for name in first.fixture.entries]
        table = Table(bots, self._hosting, stderr_listeners=self._output.stderr_listeners(first.fixture.entries))
        self._output.begin(first.fixture.id)  # also for all that bots say in batches
        try:
            size = 1 if first.singly else await self._batch(table)
            if size > 1:
                yield AtOnce(size)
                try:
                    async for transcript in Batches(table, self._game, self._work.clock, size).play(supply):
                        yield finished(supply.done(transcript.record.header).fixture, transcript)
                except BatchFailed as broken:
                    await table.discard()
                    supply.put_back(broken.unfinished)
                    entries = first.fixture.entries
                    yield BrokenBatch(entries, None if broken.seat is None else entries[broken.seat], str(broken))
                    yield AtOnce(1)
            while header := supply.next():
                job = supply.done(header)
                self._output.begin(job.fixture.id)
                yield await self._match(table, job)
        finally:
            await table.stop()
            self._output.close()

    async def _batch(self, table: Table) -> int:
        """How many matches the table can play at once. Faults of its processes show when they play."""
        clocks = [bot.terms.clock or self._work.clock for bot in table.bots]
        # A bank is used up match by match, and remote bots have limits of their own.
        if self._work.batch == 1 or any(it.bank_ms for it in clocks) or not all(it.is_ours_to_end for it in table.bots):
            return 1
        try:
            await self._require_starts(table)
            await table.start()
        except (Void, Unreachable):
            await table.discard()  # the next match starts all anew, and says what is wrong
            return 1
        return min(self._work.batch, table.max_batch)

    async def _match(self, table: Table, job: Job) -> Result:
        try:
            await self._require_starts(table)
            transcript = await table.play(self._game, job.header, self._work.clock)
        except CannotStart as cause:
            self._can_start = False
            return MatchVoided(job.fixture, str(cause), cannot_start=True)
        except Void as void:
            return MatchVoided(job.fixture, str(void), busy=isinstance(void, Busy))
        except Unreachable as unreachable:
            return MatchPostponed(job.fixture, self._entry(job.fixture, unreachable.address), unreachable.text)
        except Exception as error:
            if not is_shortage(error):
                raise
            return await self._lacking(table, job, error)
        return finished(job.fixture, transcript)

    def _entry(self, fixture: Fixture, address: str) -> str:
        """The entry, of those in the fixture, whose bot is at this address."""
        return next(name for name in fixture.entries if self._work.bots[name].place == address)

    async def _require_starts(self, table: Table) -> None:
        """Check that this machine can start programs, before the first match and after one that could not begin.

        Raises:
            CannotStart: it cannot.
        """
        if not self._can_start and any(bot.is_ours_to_end for bot in table.bots):
            await require_starts(self._hosting)
            self._can_start = True

    async def _lacking(self, table: Table, job: Job, error: Exception) -> MatchVoided:
        """The match as a void one: the machine lacks something that the referee needs, such as open files."""
        await table.discard()
        try:
            await require_starts(self._hosting)
        except CannotStart as cause:
            return MatchVoided(job.fixture, str(cause), cannot_start=True)
        return MatchVoided(job.fixture, f"this machine lacks something {describe_shortage(error)}")


class _Supply:
    """The jobs of a sitting as headers, which is all that a table needs to know."""

    def __init__(self, jobs: Supply[Job], first: Job) -> None:
        self._jobs = jobs
        self._next_jobs = [first]  # the next one is the last
        self._running_jobs: dict[str, Job] = {}

    def waiting(self) -> Header | None:
        return self._begin(self._next_jobs.pop() if self._next_jobs else self._jobs.waiting())

    def next(self) -> Header | None:
        return self._begin(self._next_jobs.pop() if self._next_jobs else self._jobs.next())

    def done(self, header: Header) -> Job:
        """The job of a match that has begun, and is over now."""
        return self._running_jobs.pop(header.match_id)

    def put_back(self, unfinished: Sequence[Header]) -> None:
        """Take these matches back. They come next, in this order."""
        self._next_jobs += [self.done(header) for header in reversed(unfinished)]

    def _begin(self, job: Job | None) -> Header | None:
        if job is None:
            return None
        self._running_jobs[job.header.match_id] = job
        return job.header
