"""Workers on this machine: processes with a core each.

While its matches are short, a worker has the next ones of its sitting waiting, so that it never waits for the runner.
If a worker is lost, or says nothing for too long, another takes its place. The match it was playing is void; those that
waited are given out again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from multiprocessing.connection import wait
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.core.errors import GameBug, OurFailure
from referee.match.transcript import Header
from referee.runtime.child_process import defer_signals
from referee.runtime.shortages import describe_shortage
from tournaments.league.model import Fixture, Sitting
from tournaments.play.workers.cores import Claim
from tournaments.play.workers.heartbeat import SILENCE_S, HeartbeatMonitor, beat_s
from tournaments.play.workers.work_queue import WorkQueue
from tournaments.play.workers.worker_messages import (
    PAUSE_S,
    Alive,
    AtOnce,
    BrokenBatch,
    Bug,
    Crowding,
    MatchVoided,
    ProcessesEnded,
    Result,
    Shortage,
    Work,
    WorkersFail,
)
from tournaments.play.workers.worker_slot import WorkerSlot

_NO_WORKER = "no process that plays matches can be started here"

_STILLBORN = 3
"""If this many workers in a row are lost before they could play, it is no accident."""


class WorkerBug(OurFailure):
    """A worker met a bug; the argument is its traceback."""

    def __str__(self) -> str:
        return f"This is a bug in the referee; please report it with what follows.\n{super().__str__()}"


class LocalExecutor:
    """Plays sittings in processes on this machine. End it with `close`, or by leaving its context."""

    def __init__(self, work: Work, claims: Sequence[Claim], run_dir: Path, silence_s: float = SILENCE_S) -> None:
        """Prepare to play; no process starts before there is something to play.

        Args:
            work: the settings that all matches share.
            claims: the cores of the workers, one for each. `close` releases them.
            run_dir: all files that workers leave behind are below it.
            silence_s: a worker that should play and is silent this long is replaced.
        """
        self._work = work
        self._claims = claims
        self._run_dir = run_dir
        self._slots: list[WorkerSlot] = []
        self._stillborn = 0
        self._silence_s = silence_s
        self._watch = HeartbeatMonitor(silence_s)

    @property
    def workers(self) -> int:
        """How many matches can be played at once."""
        return len(self._claims)

    @property
    def crowding(self) -> Crowding | None:
        """How many workers share their core with others, of this run or of another; None if none does."""
        alone = sum(claim.alone for claim in self._claims)
        return None if alone == self.workers else Crowding(self.workers, alone)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(at_once=error is not None)

    def renew(self, work: Work) -> None:
        """Play with other settings from now on, in new processes. Nothing may be played meanwhile."""
        self._end(at_once=False)
        self._work = work

    def play(
        self,
        sittings: Iterable[Sitting],
        header: Callable[[Fixture], Header],
        wanted: Callable[[Fixture], bool],
        at_once: Callable[[], int],
        singly: Callable[[tuple[str, ...]], bool],
    ) -> Iterator[Result | BrokenBatch | None]:
        """Yield every result as soon as it is there, as `Executor.play` says.

        Raises:
            WorkersFail: no worker starts.
            WorkerBug: a worker met a bug.
            GameBug: the game raised an exception in a match.
        """
        self._start()
        queue = WorkQueue(sittings, self._work.entries)
        self._feed(queue, header, wanted, at_once, singly)
        lately = False  # whether there was a result since the last None
        while busy := {slot.connection: slot for slot in self._slots if slot.busy}:
            ready = wait(list(busy), PAUSE_S if lately else beat_s(self._silence_s))
            if not ready and lately:
                lately = False
                yield None
            silent = self._silent(slot for connection, slot in busy.items() if connection not in ready)
            # Each is looked at when the result before it was taken.
            heard = (self._collect(slot) for connection, slot in busy.items() if connection in ready)
            for result in chain(heard, map(self._give_up, silent)):
                if result is not None:
                    lately = True
                    yield result
                # Feed all workers, not just this one: another may wait for a remote bot that has just been let go.
                self._feed(queue, header, wanted, at_once, singly)

    def close(self, at_once: bool = False) -> None:
        """End all workers and bots: after the matches they are playing, or `at_once`, which loses these matches."""
        self._end(at_once)
        for claim in self._claims:
            claim.release()

    def _end(self, at_once: bool) -> None:
        for slot in self._slots:
            slot.dismiss(at_once)
        for slot in self._slots:
            slot.kill_now()
        self._slots.clear()

    def _start(self) -> None:
        """Start the workers that are not there yet."""
        for claim in self._claims[len(self._slots) :]:
            with _telling_of_shortages(), defer_signals():  # until the worker is where `close` finds it
                self._slots.append(WorkerSlot(self._work, self._run_dir, claim.core, self._silence_s))

    def _feed(
        self,
        queue: WorkQueue,
        header: Callable[[Fixture], Header],
        wanted: Callable[[Fixture], bool],
        at_once: Callable[[], int],
        singly: Callable[[tuple[str, ...]], bool],
    ) -> None:
        """Give idle workers their next match: from the sitting they began, or else from the first one that may begin.

        Those that have begun a sitting come first. A worker that must rest puts its sitting back. A worker that gets no
        match lets its bots go, since other workers may wait for them.
        """
        for slot in sorted(self._slots, key=lambda slot: not slot.sitting):
            while not slot.busy and self._playing() < at_once() and (slot.sitting or self._seat(slot, queue, singly)):
                slot.feed(header, wanted)
            while slot.may_have_more and at_once() >= self.workers:
                slot.feed(header, wanted)
            if not slot.busy and slot.sitting:
                queue.put_back(slot.rest())
            if not slot.busy and slot.entries and queue:
                slot.clear()

    def _playing(self) -> int:
        """How many matches are being played."""
        return sum(slot.playing for slot in self._slots)

    def _seat(self, slot: WorkerSlot, queue: WorkQueue, singly: Callable[[tuple[str, ...]], bool]) -> bool:
        """Give the worker a sitting if one may begin; whether one could."""
        held = Counter(entry for other in self._slots if other is not slot for entry in other.entries)
        sitting = queue.next(held)
        if sitting is not None:
            slot.begin(sitting, singly(sitting.fixtures[0].entries))
        return sitting is not None

    def _collect(self, slot: WorkerSlot) -> Result | BrokenBatch | None:
        try:
            message = slot.take()
        except (EOFError, OSError):  # OSError: it was lost or stopped in the middle of a message
            return self._replace(slot, "a worker process was lost")
        if isinstance(message, GameBug):
            raise message
        if isinstance(message, Bug):
            raise WorkerBug(message.text)
        if isinstance(message, Shortage):
            raise WorkersFail(f"{_NO_WORKER} {message.text}")
        self._stillborn = 0
        return None if isinstance(message, Alive | AtOnce | ProcessesEnded) else message

    def _silent(self, unheard: Iterable[WorkerSlot]) -> list[WorkerSlot]:
        """The busy workers that have sent nothing for too long."""
        passed_s = self._watch.passed_s()
        return [slot for slot in unheard if slot.is_silent(passed_s)]

    def _give_up(self, slot: WorkerSlot) -> MatchVoided | BrokenBatch | None:
        slot.kill()
        return self._replace(slot, f"a worker process was silent for {self._silence_s:.0f} s")

    def _replace(self, slot: WorkerSlot, why: str) -> MatchVoided | BrokenBatch | None:
        self._stillborn = 0 if slot.has_come_up else self._stillborn + 1
        if self._stillborn >= _STILLBORN:
            raise WorkersFail(
                f"{_STILLBORN} workers in a row were lost before they could play; see what they printed above"
            ) from None
        with _telling_of_shortages():
            return slot.replace(why)


@contextmanager
def _telling_of_shortages() -> Iterator[None]:
    """Say what this machine lacks if it cannot start a worker.

    Raises:
        WorkersFail: it cannot.
    """
    try:
        yield
    except OSError as error:
        raise WorkersFail(f"{_NO_WORKER} {describe_shortage(error)}") from error
