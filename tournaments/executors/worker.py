"""A worker: one process, one match at a time, on one core together with the bots it plays with."""

import ctypes
import os
import signal
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

import uvloop

from referee.core.errors import Void
from referee.shell.host import Bot, Hosting
from referee.shell.remote import Unreachable
from referee.shell.table import Table
from referee.wire.registry import games
from tournaments.entrants import bot_of
from tournaments.executors.work import Bug, Clear, Cleared, Job, Postponed, Result, Voided, Work
from tournaments.model import finished

FOR_THE_RUNNER = frozenset({signal.SIGINT, signal.SIGTERM})
"""Signals that may reach the whole process group (Ctrl-C, timeout(1)); it is the runner that decides what they mean."""

_PR_SET_PDEATHSIG = 1  # prctl(2)


def main(connection: Connection, work: Work, run_dir: str, runner: int, core: int) -> None:
    """Play what comes over `connection` until it is closed.

    Args:
        connection: brings `Job`s and `Clear`, takes `Result`s and `Cleared`; after a `Bug` nothing more is said.
        work: what holds for all of them.
        run_dir: where the bots' sockets lie.
        runner: the process that this one must not outlive.
        core: the core that this process and its bots run on.
    """
    _die_with(runner)
    _leave_signals_to_the_runner()
    os.sched_setaffinity(0, {core})
    try:
        uvloop.run(_Worker(connection, work, Path(run_dir)).serve())
    except Exception:  # whatever it is, the runner must hear of it and stop
        connection.send(Bug(traceback.format_exc()))


def _die_with(runner: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != runner:  # it died before we could ask to be told
        os.kill(os.getpid(), signal.SIGKILL)


def _leave_signals_to_the_runner() -> None:
    """Do nothing on a signal that the runner was started with held back, and hold it back no longer.

    With a handler and not with SIG_IGN, which the bots would inherit: they must hear the SIGTERM that ends them.
    """
    for number in FOR_THE_RUNNER:
        signal.signal(number, lambda _number, _frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FOR_THE_RUNNER)


class _Worker:
    def __init__(self, connection: Connection, work: Work, run_dir: Path) -> None:
        self._connection = connection
        self._work = work
        self._entry = games()[work.game]
        self._bots: dict[str, Bot] = {}
        self._hosting = Hosting(run_dir, work.confinement, work.clock.start_ms, work.pondering)
        self._table: Table | None = None
        self._sitting = ""

    async def serve(self) -> None:
        while (job := self._next_job()) is not None:
            if isinstance(job, Clear):
                await self._stand_up()
                self._connection.send(Cleared())
            else:
                table = await self._seated(job)
                self._connection.send(await self._play(table, job))
        await self._stand_up()

    def _next_job(self) -> Job | Clear | None:
        # This blocks the loop, which has nothing to do between two matches.
        try:
            job: Job | Clear = self._connection.recv()
        except EOFError:
            return None
        return job

    async def _seated(self, job: Job) -> Table:
        if self._table is None or job.sitting != self._sitting:
            await self._stand_up()
            self._table = Table([self._bot(name) for name in job.fixture.entries], self._hosting)
            self._sitting = job.sitting
        return self._table

    async def _stand_up(self) -> None:
        if self._table is not None:
            await self._table.stop()
            self._table = None

    async def _play(self, table: Table, job: Job) -> Result:
        try:
            transcript = await table.play(self._entry, job.header, self._work.clock)
        except Void as void:
            return Voided(job.fixture, str(void))
        except Unreachable as unreachable:
            return Postponed(job.fixture, unreachable.bot, unreachable.text)
        return finished(job.fixture, transcript)

    def _bot(self, name: str) -> Bot:
        if name not in self._bots:
            self._bots[name] = bot_of(self._work.entries[name])
        return self._bots[name]
