"""Workers on this machine: one process for each core, each given one match at a time.

A worker gets its next match when the last one is stored. So whatever is killed, at most one match for each worker is
played twice. Giving out matches earlier would save about half a millisecond of waiting, but break this promise. If a
worker is lost, the match it was playing is void; nothing else is lost.
"""

import contextlib
import multiprocessing
import os
import signal
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.core.errors import OurFailure
from referee.match.transcript import Header
from referee.shell.sessions import end_sessions
from tournaments.executors import worker
from tournaments.executors.queue import Queue
from tournaments.executors.work import Bug, Clear, Cleared, Job, Result, Voided, Work
from tournaments.model import Fixture, Sitting

_LOSSES_IN_A_ROW = 3
"""If this many workers in a row are lost without finishing a match, it is no accident."""

_LEAVE_S = 10.0
"""How long a worker may take to end. Each of its bots may take a second."""

_SPAWN = multiprocessing.get_context("spawn")  # gRPC is not fork-safe


class WorkersFail(OurFailure):
    """Worker after worker ends without finishing a match; the machine or the installation is at fault."""


class WorkerBug(OurFailure):
    """A worker met a bug; the argument is its traceback."""

    def __str__(self) -> str:
        return f"This is a bug in the referee; please report it with what follows.\n{super().__str__()}"


class LocalExecutor:
    """Plays sittings in processes on this machine. End it with `close`, or by leaving its context."""

    def __init__(self, work: Work, workers: int, run_dir: Path) -> None:
        """Start `workers` processes. All files that they leave behind are below `run_dir`."""
        cores = sorted(os.sched_getaffinity(0))
        self._work = work
        self._slots: list[_Slot] = []
        self._losses_in_a_row = 0
        try:
            for n in range(workers):
                with _signals_held_back():  # until the worker is where `close` finds it
                    self._slots.append(_Slot(work, run_dir, cores[n % len(cores)]))
        except BaseException:
            self.close(at_once=True)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(at_once=error is not None)

    def play(
        self, sittings: Iterable[Sitting], header: Callable[[Fixture], Header], wanted: Callable[[Fixture], bool]
    ) -> Iterator[Result]:
        """Yield every result as soon as it is there, in no particular order.

        Args:
            sittings: the sittings to play.
            header: gives the header of a match.
            wanted: asked just before a match is given out; a match that is not wanted is left out.

        Raises:
            WorkersFail: no worker stays alive.
            WorkerBug: a worker met a bug.
        """
        queue = Queue(sittings, self._work.entries)
        self._feed(queue, header, wanted)
        while busy := {slot.connection: slot for slot in self._slots if slot.busy}:
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)  # noqa: S101 - nothing else was waited for
                result = self._collect(busy[ready])
                if not isinstance(result, Cleared):
                    yield result
                # Feed all workers, not just this one: another may wait for a remote bot that has just been let go.
                self._feed(queue, header, wanted)

    def close(self, at_once: bool = False) -> None:
        """End all workers and bots: after the matches they are playing, or `at_once`, which loses these matches."""
        for slot in self._slots:
            slot.dismiss(at_once)
        for slot in self._slots:
            slot.bury()

    def _feed(self, queue: Queue, header: Callable[[Fixture], Header], wanted: Callable[[Fixture], bool]) -> None:
        """Give every idle worker its next match: from the sitting it began, or else from the first one that may begin.

        A worker that gets no match lets its bots go, since other workers may wait for them.
        """
        for slot in self._slots:
            while not slot.busy and (slot.sitting or self._seat(slot, queue)):
                slot.feed(header, wanted)
            if not slot.busy and slot.entries and queue:
                slot.clear()

    def _seat(self, slot: "_Slot", queue: Queue) -> bool:
        """Give the worker a sitting if one may begin; whether one could."""
        held = Counter(entry for other in self._slots if other is not slot for entry in other.entries)
        sitting = queue.next(held)
        if sitting is not None:
            slot.begin(sitting)
        return sitting is not None

    def _collect(self, slot: "_Slot") -> Result | Cleared:
        try:
            result = slot.take()
        except (EOFError, OSError):  # OSError: it was lost in the middle of a message
            self._losses_in_a_row += 1
            if self._losses_in_a_row >= _LOSSES_IN_A_ROW:
                raise WorkersFail(
                    f"{_LOSSES_IN_A_ROW} workers in a row were lost without finishing a match;"
                    " see what they printed above"
                ) from None
            return slot.replace()
        if isinstance(result, Bug):
            raise WorkerBug(result.text)
        self._losses_in_a_row = 0
        return result


class _Slot:
    """A place for a worker process, and the match that the worker was given.

    Attributes:
        sitting: the matches left in the current sitting.
        entries: the bots that the worker holds, by seat. It keeps them after the sitting, until it lets them go.
    """

    def __init__(self, work: Work, run_dir: Path, core: int) -> None:
        self._work = work
        self._run_dir = run_dir
        self._core = core
        self.sitting: deque[Fixture] = deque()
        self.entries: tuple[str, ...] = ()
        self._sitting_id = ""
        self._given: Fixture | None = None
        self._clearing = False
        self._start()

    @property
    def busy(self) -> bool:
        return self._given is not None or self._clearing

    def begin(self, sitting: Sitting) -> None:
        """Begin a sitting; the one before must be over."""
        self.sitting, self._sitting_id, self.entries = deque(sitting.fixtures), sitting.id, sitting.fixtures[0].entries

    def feed(self, header: Callable[[Fixture], Header], wanted: Callable[[Fixture], bool]) -> None:
        """Give out the next match of the sitting, if it is wanted."""
        fixture = self.sitting.popleft()
        if wanted(fixture):
            self._given = fixture
            with contextlib.suppress(ConnectionError):  # the worker is lost; reading from it will show that
                self.connection.send(Job(self._sitting_id, fixture, header(fixture)))

    def clear(self) -> None:
        """Have the worker end the processes of its last sitting."""
        self._clearing = True
        with contextlib.suppress(ConnectionError):
            self.connection.send(Clear())

    def take(self) -> Result | Cleared | Bug:
        result: Result | Cleared | Bug = self.connection.recv()
        self._given = None  # not earlier: if reading fails, `replace` must know which match is lost
        if isinstance(result, Cleared):
            self._clearing, self.entries = False, ()
        return result

    def replace(self) -> Voided | Cleared:
        """Replace a worker that was lost. The match that it was given, if any, is lost with it."""
        lost, self._given = self._given, None
        self._clearing, self.entries = False, () if lost is None else self.entries
        self.bury()
        self._start()
        # The new worker goes on with the sitting, on new processes. A worker that was only clearing loses no match.
        return Cleared() if lost is None else Voided(lost, "a worker process was lost")

    def dismiss(self, at_once: bool) -> None:
        """Tell the worker that nothing more comes. Tell all of them before waiting for the first."""
        self.connection.close()  # the worker reads this as the end, after the match it is playing
        if at_once:
            self._process.kill()

    def bury(self) -> None:
        """Wait for the worker to end, kill it if it takes too long, and end the processes that it has left behind."""
        self.connection.close()
        self._process.join(_LEAVE_S)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        end_sessions(self._scratch)

    def _start(self) -> None:
        self._scratch = Path(tempfile.mkdtemp(prefix="", dir=self._run_dir))
        self.connection, theirs = _SPAWN.Pipe()
        arguments = (theirs, self._work, str(self._scratch), os.getpid(), self._core)
        self._process = _SPAWN.Process(target=worker.main, args=arguments)
        resource_tracker.ensure_running()  # its own start would let signals through
        with _signals_held_back():
            self._process.start()
        theirs.close()


@contextlib.contextmanager
def _signals_held_back() -> Iterator[None]:
    """Meanwhile no signal makes an exception; and what is started has them blocked, until it is set for them.

    To block them does not suffice: any other thread may take them, and Python calls their handlers in the main one.
    """
    came: list[int] = []
    ours = worker.FOR_THE_RUNNER if threading.current_thread() is threading.main_thread() else ()
    handlers = {number: signal.signal(number, lambda number, _frame: came.append(number)) for number in ours}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, worker.FOR_THE_RUNNER)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for first in came[:1]:
            signal.raise_signal(first)
