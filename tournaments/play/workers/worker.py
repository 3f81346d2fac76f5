"""A worker: one process, one match at a time, on one core together with the bots it plays with."""

import asyncio
import contextlib
import gc
import os
import signal
import traceback
from contextlib import aclosing
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import NoReturn

import uvloop

from referee.core.errors import UserError
from referee.runtime.child_process import serve
from referee.runtime.shortages import describe_shortage, is_shortage
from referee.wire.registry import package_bug
from tournaments.play.retry_policy import WorkersFail
from tournaments.play.workers.player import Player
from tournaments.play.workers.worker_messages import (
    NO_WORKER,
    Alive,
    EndProcesses,
    FromWorker,
    Job,
    ProcessesEnded,
    Work,
    WorkerBug,
)


def main(connection: Connection, work: Work, run_dir: str, runner: int, core: int, beat_s: float) -> None:
    """Play the jobs that come over `connection` until it is closed.

    Args:
        connection: brings `Job`s and `EndProcesses`, takes `Result`s, `ProcessesEnded` and `Alive`. A
            `UserError` is the last.
        work: the settings that all matches share.
        run_dir: the folder for the bots' sockets.
        runner: the process that this one must not outlive.
        core: the core that this process and its bots run on.
        beat_s: how often to say that this process is alive, in seconds.
    """
    serve(runner)
    os.sched_setaffinity(0, {core})
    signal.signal(signal.SIGVTALRM, _end_call)
    try:
        player = Player(work, Path(run_dir))
        gc.freeze()  # what is there by now stays, so the collector need not look at it again and again
        uvloop.run(_Worker(connection, player, beat_s).serve())
    except _RunnerLeft:
        pass  # it needs no more results
    except BaseException as error:  # the runner must learn of any error and stop
        with contextlib.suppress(_RunnerLeft):
            _send(connection, _failure(error))


def _failure(error: BaseException) -> FromWorker:
    """What the runner gets instead of results."""
    if isinstance(error, UserError):
        return error
    if is_shortage(error):
        return WorkersFail(f"{NO_WORKER} {describe_shortage(error)}")
    return package_bug(error) or WorkerBug(traceback.format_exc())


def _send(connection: Connection, message: FromWorker) -> None:
    """Send a message to the runner.

    Raises:
        _RunnerLeft: nobody can read it any more. If the runner was killed, this process sees that before its own end.
    """
    try:
        connection.send(message)
    except ConnectionError as error:
        raise _RunnerLeft from error


def _end_call(_number: int, _frame: object) -> NoReturn:
    """End a call of a game that has no end. Once silence has ended this process, nobody can say whose fault it was."""
    raise TimeoutError("it computed for too long")


class _RunnerLeft(Exception):
    """The runner has closed its end of the pipe."""


class _Worker:
    """A player at the end of a pipe."""

    def __init__(self, connection: Connection, player: Player, beat_s: float) -> None:
        self._connection = connection
        self._inbox = _Inbox(connection)
        self._player = player
        self._beat_s = beat_s

    async def serve(self) -> None:
        _send(self._connection, Alive())
        beating = asyncio.create_task(self._beat())
        while (message := self._inbox.next()) is not None:
            if isinstance(message, EndProcesses):  # the last sitting is over, and its processes have ended
                self._inbox.take()
                _send(self._connection, ProcessesEnded())
            else:
                await self._play(message.start)
        beating.cancel()

    async def _beat(self) -> None:
        """Say that this process is alive, from the loop that plays: while that is stuck, nothing may say so."""
        with contextlib.suppress(_RunnerLeft):  # `_play` will find out
            while True:
                signal.setitimer(signal.ITIMER_VIRTUAL, 2 * self._beat_s)  # of processor time
                await asyncio.sleep(self._beat_s)
                _send(self._connection, Alive())

    async def _play(self, start: int) -> None:
        async with aclosing(self._player.play(_Jobs(self._inbox, start))) as results:
            async for result in results:
                _send(self._connection, result)


class _Inbox:
    """The messages of the runner, and then None. The caller can look at the next message before it takes it.

    A thread reads it. If jobs filled the pipe, the runner could not send the others, and would not read the results
    that this worker wants to send.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._messages: SimpleQueue[Job | EndProcesses | None] = SimpleQueue()
        self._first: list[Job | EndProcesses | None] = []
        Thread(target=self._read, name="inbox", daemon=True).start()

    def next(self) -> Job | EndProcesses | None:
        """Wait for the next message, and leave it here; None if there is none.

        This blocks the loop, which has nothing to do between two matches. Nobody waits for a beat then.
        """
        if not self._first:
            self._first.append(self._messages.get())
        return self._first[0]

    def is_empty(self) -> bool:
        """Whether nothing was sent yet."""
        return not self._first and self._messages.empty()

    def take(self) -> None:
        """Take the next message away."""
        self._first.clear()

    def _read(self) -> None:
        with contextlib.suppress(EOFError, OSError):  # the latter if the runner left without having read all
            while True:
                self._messages.put(self._connection.recv())
        self._messages.put(None)


class _Jobs:
    """The jobs of a start, as they arrive. The first other message stays in the queue."""

    def __init__(self, inbox: _Inbox, start: int) -> None:
        self._inbox = inbox
        self._start = start

    def waiting(self) -> Job | None:
        return None if self._inbox.is_empty() else self.next()

    def next(self) -> Job | None:
        job = self._inbox.next()
        if not isinstance(job, Job) or job.start != self._start:
            return None
        self._inbox.take()
        return job
