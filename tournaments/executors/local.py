"""Workers on this machine: processes with a core each, each given one match at a time.

A worker gets its next match when the last one is stored. So whatever is killed, at most one match for each worker is
played twice. Giving out matches earlier would save about half a millisecond of waiting, but break this promise. If a
worker is lost, or says nothing for too long, another takes its place. The match it was playing is void; nothing else is
lost.
"""

import contextlib
import multiprocessing
import os
import signal
import socket
import struct
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.core.errors import OurFailure
from referee.match.transcript import Header
from referee.shell.sessions import end_sessions
from referee.shell.signals import held_back
from tournaments.executors import worker
from tournaments.executors.cores import Claim
from tournaments.executors.queue import Queue
from tournaments.executors.silence import COME_UP_S, SILENCE_S, Watch, beat_s
from tournaments.executors.work import Alive, Bug, Clear, Cleared, Crowding, Job, Result, Voided, Work, WorkersFail
from tournaments.model import Fixture, Sitting

_STILLBORN = 3
"""If this many workers in a row are lost before they could play, it is no accident."""

_LEAVE_S = 10.0
"""How long a worker may take to end. Each of its bots may take a second."""

_SPAWN = multiprocessing.get_context("spawn")  # gRPC is not fork-safe


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
        self._slots: list[_Slot] = []
        self._stillborn = 0
        self._silence_s = silence_s
        self._watch = Watch(silence_s)

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

    def play(
        self,
        sittings: Iterable[Sitting],
        header: Callable[[Fixture], Header],
        wanted: Callable[[Fixture], bool],
        at_once: Callable[[], int],
    ) -> Iterator[Result]:
        """Yield every result as soon as it is there, in no particular order.

        Args:
            sittings: the sittings to play.
            header: gives the header of a match.
            wanted: asked just before a match is given out; a match that is not wanted is left out.
            at_once: asked before that: how many matches may be played at once. If more are being played, they are
                finished.

        Raises:
            WorkersFail: no worker comes up.
            WorkerBug: a worker met a bug.
        """
        self._start()
        queue = Queue(sittings, self._work.entries)
        self._feed(queue, header, wanted, at_once)
        while busy := {slot.connection: slot for slot in self._slots if slot.busy}:
            ready = wait(list(busy), beat_s(self._silence_s))
            silent = self._silent(slot for connection, slot in busy.items() if connection not in ready)
            # Each is looked at when the result before it was taken.
            heard = (self._collect(slot) for connection, slot in busy.items() if connection in ready)
            for result in chain(heard, map(self._give_up, silent)):
                if result is not None:
                    yield result
                # Feed all workers, not just this one: another may wait for a remote bot that has just been let go.
                self._feed(queue, header, wanted, at_once)

    def close(self, at_once: bool = False) -> None:
        """End all workers and bots: after the matches they are playing, or `at_once`, which loses these matches."""
        for slot in self._slots:
            slot.dismiss(at_once)
        for slot in self._slots:
            slot.bury()
        for claim in self._claims:
            claim.release()

    def _start(self) -> None:
        """Start the workers that are not there yet."""
        for claim in self._claims[len(self._slots) :]:
            with _signals_held_back():  # until the worker is where `close` finds it
                self._slots.append(_Slot(self._work, self._run_dir, claim.core, self._silence_s))

    def _feed(
        self,
        queue: Queue,
        header: Callable[[Fixture], Header],
        wanted: Callable[[Fixture], bool],
        at_once: Callable[[], int],
    ) -> None:
        """Give idle workers their next match: from the sitting they began, or else from the first one that may begin.

        Those that have begun a sitting come first. A worker that must rest puts its sitting back. A worker that gets no
        match lets its bots go, since other workers may wait for them.
        """
        for slot in sorted(self._slots, key=lambda slot: not slot.sitting):
            while not slot.busy and self._playing() < at_once() and (slot.sitting or self._seat(slot, queue)):
                slot.feed(header, wanted)
            if not slot.busy and slot.sitting:
                queue.put_back(slot.rest())
            if not slot.busy and slot.entries and queue:
                slot.clear()

    def _playing(self) -> int:
        """How many matches are being played."""
        return sum(slot.playing for slot in self._slots)

    def _seat(self, slot: "_Slot", queue: Queue) -> bool:
        """Give the worker a sitting if one may begin; whether one could."""
        held = Counter(entry for other in self._slots if other is not slot for entry in other.entries)
        sitting = queue.next(held)
        if sitting is not None:
            slot.begin(sitting)
        return sitting is not None

    def _collect(self, slot: "_Slot") -> Result | None:
        try:
            message = slot.take()
        except (EOFError, OSError):  # OSError: it was lost or stopped in the middle of a message
            return self._replace(slot, "a worker process was lost")
        if isinstance(message, Bug):
            raise WorkerBug(message.text)
        self._stillborn = 0
        return None if isinstance(message, Alive | Cleared) else message

    def _silent(self, unheard: Iterable["_Slot"]) -> list["_Slot"]:
        """Those of the busy workers that were not heard just now, and not for too long."""
        passed_s = self._watch.passed_s()
        return [slot for slot in unheard if slot.is_silent(passed_s)]

    def _give_up(self, slot: "_Slot") -> Voided | None:
        slot.kill()
        return self._replace(slot, f"a worker process was silent for {self._silence_s:.0f} s")

    def _replace(self, slot: "_Slot", why: str) -> Voided | None:
        self._stillborn = 0 if slot.has_come_up else self._stillborn + 1
        if self._stillborn >= _STILLBORN:
            raise WorkersFail(
                f"{_STILLBORN} workers in a row were lost before they could play; see what they printed above"
            ) from None
        lost = slot.replace()
        return None if lost is None else Voided(lost, why, lost_worker=True)


class _Slot:
    """A place for a worker process, and the match that the worker was given.

    Attributes:
        sitting: the matches left in the current sitting.
        entries: the bots that the worker holds, by seat. It keeps them after the sitting, until it lets them go.
        has_come_up: whether the worker was heard.
    """

    def __init__(self, work: Work, run_dir: Path, core: int, silence_s: float) -> None:
        self._work = work
        self._run_dir = run_dir
        self._core = core
        self._silence_s = silence_s
        self.sitting: deque[Fixture] = deque()
        self.entries: tuple[str, ...] = ()
        self._sitting_id = ""
        self._given: Fixture | None = None
        self._clearing = False
        self._start()

    @property
    def playing(self) -> bool:
        return self._given is not None

    @property
    def busy(self) -> bool:
        return self.playing or self._clearing

    def begin(self, sitting: Sitting) -> None:
        """Begin a sitting; the one before must be over."""
        self.sitting, self._sitting_id, self.entries = deque(sitting.fixtures), sitting.id, sitting.fixtures[0].entries

    def rest(self) -> Sitting:
        """Give back what is left of the sitting."""
        left = Sitting(self._sitting_id, tuple(self.sitting))
        self.sitting.clear()
        return left

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

    def take(self) -> Result | Cleared | Alive | Bug:
        """The next message of the worker.

        Raises:
            EOFError, OSError: the worker was lost, or stopped in the middle of a message.
        """
        message: Result | Cleared | Alive | Bug = self.connection.recv()
        self.has_come_up, self._silent_s = True, 0.0
        if isinstance(message, Cleared):
            self._clearing, self.entries = False, ()
        elif not isinstance(message, Alive):
            self._given = None  # not earlier: if reading fails, `replace` must know which match is lost
        return message

    def is_silent(self, passed_s: float) -> bool:
        """Count these seconds, in which a busy worker said nothing; whether it has been silent for too long."""
        self._silent_s += passed_s
        return self._silent_s >= self._silence_s + (0.0 if self.has_come_up else COME_UP_S)

    def replace(self) -> Fixture | None:
        """Replace a worker that was lost. The match that is lost with it; None if it was only clearing.

        The new worker goes on with the sitting, on new processes.
        """
        lost, self._given = self._given, None
        self._clearing, self.entries = False, () if lost is None else self.entries
        self.bury()
        self._start()
        return lost

    def kill(self) -> None:
        """End the worker at once, even if it is stopped. It must still be buried."""
        self._process.kill()

    def dismiss(self, at_once: bool) -> None:
        """Tell the worker that nothing more comes. Tell all of them before waiting for the first."""
        self.connection.close()  # the worker reads this as the end, after the match it is playing
        if at_once:
            self.kill()

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
        _limit_reading(self.connection, self._silence_s)
        self.has_come_up, self._silent_s = False, 0.0
        arguments = (theirs, self._work, str(self._scratch), os.getpid(), self._core, beat_s(self._silence_s))
        self._process = _SPAWN.Process(target=worker.main, args=arguments)
        resource_tracker.ensure_running()  # its own start would let signals through
        with _signals_held_back():
            self._process.start()
        theirs.close()


def _limit_reading(connection: Connection, seconds: float) -> None:
    """Let no read from a socket's connection wait longer: who is stopped in the middle of a message does not go on."""
    whole, rest = divmod(int(seconds * 1_000_000), 1_000_000)
    with socket.socket(fileno=os.dup(connection.fileno())) as pipe:
        pipe.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", whole, rest))


@contextlib.contextmanager
def _signals_held_back() -> Iterator[None]:
    """Meanwhile no signal makes an exception; and what is started has them blocked, until it is set for them.

    To block them does not suffice: any other thread may take them, and Python calls their handlers in the main one.
    """
    with held_back(worker.FOR_THE_RUNNER):
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, worker.FOR_THE_RUNNER)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
