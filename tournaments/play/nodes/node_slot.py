"""A place of a node: one core, which does one thing after the other.

It is a `LocalExecutor` with one worker: so bots run as in a league on one machine, in the same boxes, and a worker that
is lost or silent is replaced here, without the runner.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

import uvloop

from referee.core.errors import OurFailure
from referee.runtime.host import HostSettings
from tournaments.league.model import FinishedMatch, Sitting
from tournaments.play.bot_logs import Words, collected
from tournaments.play.cores import Claim, run_only_on
from tournaments.play.match_results import BrokenBatch, Result
from tournaments.play.nodes.node_messages import Piece, PieceResult
from tournaments.play.nodes.self_test import ClockStalls, excused, measured
from tournaments.play.nodes.speed_limits import SpeedMeasurement, limits, too_slow
from tournaments.play.retry_policy import BATCH_FAILURES_ALLOWED, RetryPolicy
from tournaments.play.workers.local_executor import LocalExecutor
from tournaments.play.workers.sitting_supply import MatchSource, SittingSupply
from tournaments.play.workers.worker_messages import Work

IDLE_S = 30.0
"""A place that was given nothing for this long ends its processes: the runner may have been killed."""

_T = TypeVar("_T")


class NodeClosed(OurFailure):
    """The node was ended, or got another kit, before its pieces were done."""


class NodeSlot:
    """Plays pieces, and measures the machine in between. End it with `dismiss` and `join`.

    All is done in a thread of its own, which lasts as long as the place: a worker dies with the thread that started it
    (PR_SET_PDEATHSIG).
    """

    def __init__(self, work: Work, core: Claim, run_dir: Path, standstills: ClockStalls) -> None:
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._executor = LocalExecutor(work, [core], run_dir)
        self._work = work
        self._core = core.core
        self._run_dir = run_dir
        self._standstills = standstills
        self._entries: tuple[str, ...] = ()  # of the last piece: what they write may still come
        self._dismissed = Event()
        self._is_over = False
        self._thread = Thread(target=self._run, name="place", daemon=True)
        self._thread.start()

    def play(self, piece: Piece) -> PieceResult:
        """Play a piece, after what the place was given before; as `Node.play` says."""
        return self._do(partial(self._play, piece))

    def measure(self) -> SpeedMeasurement:
        """Measure how quick the machine is, after what the place was given before; as `Node.measure` says."""
        return self._do(self._measure)

    def words(self, playing: Iterable[str] = ()) -> Words:
        """The output so far of the bots that are playing, and of those of the last piece after it was played."""
        return {} if self._work.logs is None else collected(self._work.logs, {*playing, *self._entries})

    def dismiss(self) -> None:
        """Tell the worker that it gets no more jobs, and that nobody waits for the present ones: no match begins."""
        self._dismissed.set()
        self._tasks.put(None)

    def join(self, seconds: float | None) -> None:
        """Wait until all processes have ended, or for so long."""
        self._thread.join(seconds)

    def _do(self, function: Callable[[], _T]) -> _T:
        """Have something done in the place's own thread, and wait for it."""
        done: Future[_T] = Future()

        def do() -> None:
            try:
                if self._is_over:
                    raise NodeClosed("it was ended, or plays for another runner now")
                done.set_result(function())
            except BaseException as error:  # whatever it is, the runner must hear of it
                done.set_exception(error)

        self._tasks.put(do)
        if self._is_over:
            self._refuse_the_rest()
        return done.result()

    def _run(self) -> None:
        try:
            while (given := self._next()) is not None:
                given()
        finally:
            self._executor.close()
            self._is_over = True
            self._refuse_the_rest()

    def _refuse_the_rest(self) -> None:
        with suppress(Empty):
            while True:
                left = self._tasks.get_nowait()
                if left is not None:
                    left()

    def _next(self) -> Callable[[], None] | None:
        try:
            return self._tasks.get(timeout=IDLE_S)
        except Empty:
            self._end_processes()
            return self._tasks.get()

    def _measure(self) -> SpeedMeasurement:
        """Measure; if that is too slow, once more without the bots of the last piece, which may work on."""
        found = self._measured()
        if too_slow(found, limits(self._work.clocks)) is None:
            return found
        self._end_processes()
        return self._measured()

    def _measured(self) -> SpeedMeasurement:
        hosting = HostSettings(self._run_dir, self._work.confinement, self._work.clock.start_ms)
        with run_only_on({self._core}):
            return uvloop.run(measured(hosting))

    def _play(self, piece: Piece) -> PieceResult:
        began = time.monotonic()
        entries = piece.fixtures[0].entries
        results = tuple(self._played(piece))
        if self._dismissed.is_set():  # matches may be missing
            raise NodeClosed("it was ended, or plays for another runner now")
        if self._work.calls_remote(entries):  # other places may wait for it
            self._end_processes()
        took_s, words = time.monotonic() - began, self.words(entries)
        self._entries = entries
        return PieceResult(results, took_s, os.getloadavg()[0], words)

    def _played(self, piece: Piece) -> Iterator[Result | BrokenBatch]:
        """The results of a piece. A bot that ran out of time while the machine stood still has no fault."""
        since_s = time.monotonic()
        for one in self._executor.play(self._supply(piece)):
            if isinstance(one, FinishedMatch) and one.offenders:
                yield excused(one, self._standstills.since(since_s)) or one
            elif one is not None:
                yield one
            since_s = since_s if one is None else time.monotonic()

    def _supply(self, piece: Piece) -> SittingSupply:
        headers = {header.fixture: header for header in piece.headers}
        sittings = [Sitting(piece.sitting, piece.fixtures)]
        source = MatchSource(lambda: sittings, lambda fixture: headers[fixture.id], self._work.entries)
        # The runner decides what is played again. It has counted the batches that the bots broke.
        broken = dict.fromkeys(piece.fixtures[0].entries, BATCH_FAILURES_ALLOWED) if piece.singly else {}
        policy = RetryPolicy(workers=1, broken_batches=broken)
        return SittingSupply(source, policy, lambda _: not self._dismissed.is_set(), lambda: 0)

    def _end_processes(self) -> None:
        self._executor.renew(self._work)
