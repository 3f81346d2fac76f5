"""Plays sittings on any machine. It knows bots and processes, but no pipes, no cores and no leagues."""

from collections.abc import AsyncGenerator, Iterable
from pathlib import Path

from referee.core.errors import Busy, Void
from referee.shell.host import Hosting
from referee.shell.remote import Unreachable
from referee.shell.table import Table
from referee.wire.registry import games
from tournaments.executors.output import Output
from tournaments.executors.work import Job, Postponed, Result, Voided, Work
from tournaments.model import Fixture, finished


class Player:
    """Plays one sitting at a time, on processes that start and end with the sitting."""

    def __init__(self, work: Work, run_dir: Path) -> None:
        """Prepare to play. The bots' sockets will be in `run_dir`."""
        self._work = work
        self._game = games()[work.game]
        self._hosting = Hosting(run_dir, work.confinement, work.clock.start_ms, work.pondering)
        self._output = Output(work.logs)

    async def play(self, sitting: Iterable[Job]) -> AsyncGenerator[Result, None]:
        """The results of a sitting's matches. Each job is taken once the result before it was taken."""
        table: Table | None = None
        try:
            for job in sitting:
                table = table or self._table(job.fixture)
                self._output.begin(job.fixture.id)
                yield await self._match(table, job)
        finally:
            if table is not None:
                await table.stop()
            self._output.close()

    def _table(self, fixture: Fixture) -> Table:
        bots = [self._work.bots[name] for name in fixture.entries]
        return Table(bots, self._hosting, ears=self._output.ears(fixture.entries))

    async def _match(self, table: Table, job: Job) -> Result:
        try:
            transcript = await table.play(self._game, job.header, self._work.clock)
        except Void as void:
            return Voided(job.fixture, str(void), busy=isinstance(void, Busy))
        except Unreachable as unreachable:
            return Postponed(job.fixture, self._entry(job.fixture, unreachable.address), unreachable.text)
        return finished(job.fixture, transcript)

    def _entry(self, fixture: Fixture, address: str) -> str:
        """The entry, of those in the fixture, whose bot is at this address."""
        return next(name for name in fixture.entries if self._work.entries[name].place == address)
