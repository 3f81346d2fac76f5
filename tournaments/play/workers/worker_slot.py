"""One place for a worker process on this machine. It starts, feeds, reads, replaces and ends the worker."""

import contextlib
import math
import multiprocessing
import os
import select
import socket
import struct
import tempfile
import time
from collections import deque
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path

from referee.runtime.child_process import defer_signals
from referee.runtime.process_sessions import end_sessions
from tournaments.league.model import FinishedMatch, Fixture, Sitting
from tournaments.play.heartbeat import COME_UP_S, beat_s
from tournaments.play.match_results import BrokenBatch, MatchPostponed, MatchVoided
from tournaments.play.workers import worker
from tournaments.play.workers.sitting_supply import SittingSupply
from tournaments.play.workers.worker_messages import AtOnce, EndProcesses, FromWorker, Job, ProcessesEnded, Work
from tournaments.schedule.formats.wave import LineUp

_JOBS = 24
"""How many matches a worker may have been given, at most: the one it plays, and those that wait."""

_JOBS_OF_A_BATCH = 2
"""How many times the matches that it plays at once a worker may have been given, if they are many."""

_WAIT_S = 0.1
"""As many matches wait at a worker as it plays in this time, if they are as long as its last one. So a run that is
stopped or slowed down ends what it gave out soon."""

_LEAVE_S = 10.0
"""How long a worker may take to end. Each of its bots may take a second."""

_SPAWN = multiprocessing.get_context("spawn")  # gRPC is not fork-safe


class WorkerSlot:
    """A place for a worker process, and the matches that the worker was given.

    Attributes:
        sitting: the matches of the current sitting that were not given yet.
        has_come_up: whether the worker has sent a message.
    """

    def __init__(self, work: Work, run_dir: Path, core: int, silence_s: float) -> None:
        self._work = work
        self._run_dir = run_dir
        self._core = core
        self._silence_s = silence_s
        self.sitting: deque[Fixture] = deque()
        self._sitting_id = ""
        self._start_number = 0  # counts on when the worker needs new processes
        self._line_up: LineUp | None = None  # whose processes the worker holds; None if it holds none
        self._deals: set[int] = set()  # those that were given since the last start
        self._singly = False
        self._plays_at_once = 1
        self._fixtures: dict[str, Fixture] = {}  # by id; it plays the first of them, or the first few
        self._clearing = False
        self._start()

    @property
    def entries(self) -> tuple[str, ...]:
        """The bots that the worker holds, by seat. It keeps them after the sitting, until it lets them go."""
        return self._line_up.entries if self._line_up else ()

    @property
    def playing(self) -> bool:
        """Whether the worker plays a match."""
        return bool(self._fixtures)

    @property
    def busy(self) -> bool:
        """Whether a message of the worker is awaited."""
        return self.playing or self._clearing

    @property
    def may_have_more(self) -> bool:
        """Whether the worker, which is playing, may be given a further match of its sitting to wait for its turn."""
        return 0 < len(self._fixtures) < self._most_given and bool(self.sitting)

    @property
    def _most_given(self) -> int:
        if self._plays_at_once > 1:
            return _JOBS_OF_A_BATCH * self._plays_at_once
        return min(_JOBS, 1 + int(_WAIT_S / self._match_s))

    def can_continue(self, sitting: Sitting) -> bool:
        """Whether the worker may play a sitting on the processes that it holds.

        They play no deal twice, and no more matches than `Work.matches_a_start` allows.
        """
        deals = {fixture.deal for fixture in sitting.fixtures}
        return (
            self._line_up == _line_up(sitting.fixtures[0])
            and len(self._deals) + len(deals) <= self._work.matches_a_start
            and self._deals.isdisjoint(deals)
        )

    def begin(self, sitting: Sitting, singly: bool) -> None:
        """Begin a sitting, whose matches may have to be played `singly`; the one before must be over."""
        if singly != self._singly or not self.can_continue(sitting):
            self._start_number += 1
            self._deals.clear()
            self._singly, self._plays_at_once = singly, 1
        self.sitting, self._sitting_id = deque(sitting.fixtures), sitting.id
        self._line_up = _line_up(sitting.fixtures[0])

    def rest(self, *unfinished: Fixture) -> Sitting:
        """Give back the rest of the sitting, after those `unfinished`, which must be played again."""
        left = Sitting(self._sitting_id, (*unfinished, *self.sitting))
        self.sitting.clear()
        return left

    def feed(self, supply: SittingSupply) -> None:
        """Give out the next match of the sitting, if it is wanted."""
        fixture = self.sitting.popleft()
        header = supply.header(fixture)
        if header is not None:
            if not self._fixtures:
                self._began = time.monotonic()
            self._fixtures[fixture.id] = fixture
            self._deals.add(fixture.deal)
            with contextlib.suppress(ConnectionError):  # the worker is lost; reading from it will show that
                self.connection.send(Job(self._start_number, fixture, header, self._singly))

    def clear(self) -> None:
        """Have the worker end the processes of its last sitting."""
        self._clearing = True
        with contextlib.suppress(ConnectionError):
            self.connection.send(EndProcesses())

    def take(self) -> FromWorker:
        """The next message of the worker.

        Raises:
            EOFError, OSError: the worker was lost, or stopped in the middle of a message.
        """
        message: FromWorker = self.connection.recv()
        self.has_come_up, self._silent_s = True, 0.0
        if isinstance(message, ProcessesEnded):
            self._clearing, self._line_up = False, None
        elif isinstance(message, AtOnce):
            self._plays_at_once = message.matches
        elif isinstance(message, FinishedMatch | MatchVoided | MatchPostponed):
            del self._fixtures[message.fixture.id]  # not earlier: if reading fails, `replace` must know which is lost
            began, self._began = self._began, time.monotonic()
            self._match_s = max(self._began - began, 1e-6)
        return message

    @property
    def has_said_more(self) -> bool:
        """Whether another message of the worker is there. Quicker than to wait for all workers again."""
        return bool(self._poll.poll(0))

    def is_silent(self, passed_s: float) -> bool:
        """Count these seconds, in which a busy worker said nothing; whether it has been silent for too long."""
        self._silent_s += passed_s
        return self._silent_s >= self._silence_s + (0.0 if self.has_come_up else COME_UP_S)

    def replace(self, reason: str) -> MatchVoided | BrokenBatch | None:
        """Replace a worker that was lost, and say what was lost with it; None if it was only clearing.

        The new worker goes on with the sitting, on new processes. The matches that waited are given out again. If many
        were played at once, nobody knows which of them was the reason: all are given out again, to be played singly.
        """
        given = list(self._fixtures.values())
        lost: MatchVoided | BrokenBatch | None = None
        if given and self._plays_at_once > 1:
            lost, self._singly = BrokenBatch(self.entries, None, reason), True
        elif given:
            lost = MatchVoided(given.pop(0), reason, lost_worker=True)
        self.sitting.extendleft(reversed(given))
        self._fixtures.clear()
        self._clearing, self._plays_at_once = False, 1
        self._line_up = self._line_up if lost else None
        self.kill_now()
        self._start()
        return lost

    def kill(self) -> None:
        """End the worker at once, even if it is stopped. It must still be buried."""
        self._process.kill()

    def dismiss(self, at_once: bool) -> None:
        """Tell the worker that it gets no more jobs. Tell all of them before waiting for the first."""
        self.connection.close()  # the worker reads this as the end, after the match it is playing
        if at_once:
            self.kill()

    def kill_now(self) -> None:
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
        limit_reading(self.connection, self._silence_s)
        self.has_come_up, self._silent_s, self._match_s = False, 0.0, math.inf
        self._poll = select.poll()
        self._poll.register(self.connection, select.POLLIN)
        arguments = (theirs, self._work, str(self._scratch), os.getpid(), self._core, beat_s(self._silence_s))
        self._process = _SPAWN.Process(target=worker.main, args=arguments)
        resource_tracker.ensure_running()  # its own start would let signals through
        with defer_signals():
            self._process.start()
        theirs.close()


def _line_up(fixture: Fixture) -> LineUp:
    return LineUp(fixture.table, fixture.entries, fixture.rotation)


def limit_reading(connection: Connection, seconds: float) -> None:
    """Let no read from a socket's connection wait longer: who is stopped in the middle of a message does not go on."""
    whole, rest = divmod(int(seconds * 1_000_000), 1_000_000)
    with socket.socket(fileno=os.dup(connection.fileno())) as pipe:
        pipe.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", whole, rest))
