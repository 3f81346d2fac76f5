"""A league's machine. It provides time, random seeds, the bots' files, and an executor.

While the server of a store is away, a run keeps its results, waits, and tries again.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Protocol, TypeVar

import uvloop

from referee.core.errors import CannotStart, WrongUse
from referee.core.text import several
from referee.runtime.probe_process import UnusableLimit, require_usable_limits
from referee.runtime.sandbox.self_test import obstacle
from referee.runtime.shortages import describe_shortage
from tournaments.league.model import League
from tournaments.league.service_terms import SubmissionTerms
from tournaments.play.bots import RollCall, roll_call
from tournaments.play.cores import GiveWay, claim, hold_lease, run_only_on
from tournaments.play.workers.local_executor import LocalExecutor
from tournaments.play.workers.worker_messages import Executor, Work
from tournaments.store import StoreAway
from tournaments.store.pinned_league import Content, contents
from tournaments.submissions.build_environment import BuildEnvironment, LocalBuildEnvironment

WORKERS_A_CORE = 4
"""More than one makes sense for bots that mostly wait. With many more they would wait for the core in their time."""

REMOTE_MATCHES = 64
"""How many matches with remote bots a run plays at once, at most. Each has a process of its own, some 30 MiB."""


_FILES = 12
"""How many files a run must be able to open when it begins. Its workers need more, and say so."""


class TooManyWorkers(WrongUse):
    """There are more workers than the machine can use."""


class Environment(Protocol):
    """The world outside a league."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 (UTC)."""

    def wait_ms(self, milliseconds: int) -> None:
        """Return after this many milliseconds."""

    def tell(self, sentence: str) -> None:
        """Say what the run waits for."""

    def new_seed(self) -> bytes:
        """32 random bytes."""

    def contents(self, league: League) -> dict[str, Content]:
        """The present content of every bot, by entry.

        Raises:
            FileProblems: a folder cannot be used as it is, or a file in it cannot be read.
        """

    def roll_call(self, league: League, store: Path | None, logs: Path) -> RollCall:
        """Whether every bot can be started or called, and sees neither the logs nor the store, if that is a file."""

    def build_environment(self, league: League) -> BuildEnvironment:
        """Where the league's submitted bots are built and checked."""

    def executor(self, work: Work, run_dir: Path) -> AbstractContextManager[Executor]:
        """The executor that plays the matches. All files that it leaves behind are below `run_dir`."""

    def turn(self, lock: Path) -> AbstractContextManager[GiveWay]:
        """Hold the cores until the context ends. It yields a function that lets a service work between two waves.

        `lock` is the file that excludes other runs of the league.
        """


def _require_files() -> None:
    """Check that the run can open some files, before it looks at those of bots, which would be called unreadable.

    Raises:
        CannotStart: it cannot.
    """
    try:
        with ExitStack() as opened:
            for _ in range(_FILES):
                opened.enter_context(Path(os.devnull).open("rb"))
    except OSError as error:
        raise CannotStart(f"no bot can be started here {describe_shortage(error)}") from error


class LocalEnvironment:
    """The real machine: its clock, its disk, and workers on its cores.

    Attributes:
        workers: how many processes work at once.
        tell: says what a run waits for, in a sentence.
    """

    def __init__(
        self, workers: int | None = None, spared: int = 0, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        """Let `workers` processes play. None stands for one process per core, without those that are `spared`.

        Raises:
            TooManyWorkers: bots would have to wait for each other's workers.
        """
        cores = len(os.sched_getaffinity(0))
        self.workers = workers or max(1, cores - spared)
        self._spares_cores = spared > 0
        self._leaves_a_core = self.workers < cores
        self.tell = tell
        if self.workers > WORKERS_A_CORE * cores:
            raise TooManyWorkers(
                f"{workers} workers are too many for {several(cores, 'core', 'cores')};"
                f" allowed: 1 to {WORKERS_A_CORE * cores}, which is {WORKERS_A_CORE} for each core"
            )

    def now_ms(self) -> int:
        """Milliseconds since 1970 (UTC)."""
        return time.time_ns() // 1_000_000

    def wait_ms(self, milliseconds: int) -> None:
        """Return after this many milliseconds."""
        time.sleep(milliseconds / 1000)

    def new_seed(self) -> bytes:
        """32 random bytes from the system."""
        return secrets.token_bytes(32)

    def contents(self, league: League) -> dict[str, Content]:
        """The digests of the bots' folders."""
        return contents(league)

    def roll_call(self, league: League, store: Path | None, logs: Path) -> RollCall:
        """Call every bot, and see whether those in folders can be confined as the league asks.

        Raises:
            CannotStart: this machine can start nothing now, or not within the limits of the league.
        """
        _require_files()
        called = uvloop.run(roll_call(league, store, logs))
        if league.sandbox != "none" and any(entry.remote is None for entry in league.entries):
            hindrance = obstacle(league.sandbox)
            if hindrance is not None and hindrance.is_shortage:
                raise CannotStart(f"no bot can be started here ({hindrance.what}); {hindrance.remedy}")
            if hindrance is not None:
                called.problems.append(
                    f"the bots need a box, and {league.sandbox} does not work here: {hindrance.what};"
                    ' see `referee doctor`, or write sandbox = "none" into the league file if you trust every bot'
                )
            else:
                try:
                    require_usable_limits(league.sandbox, league.limits)
                except UnusableLimit as error:
                    called.problems.append(str(error))
        return called

    def build_environment(self, league: League) -> LocalBuildEnvironment:
        """The workshop of a league on this machine."""
        return LocalBuildEnvironment(league, league.submissions or SubmissionTerms())

    @contextmanager
    def executor(self, work: Work, run_dir: Path) -> Iterator[Executor]:
        """Worker processes, on the cores that the fewest others use.

        Where cores are spared, the run itself uses only the cores of its workers, too. Else it would wait for builds
        beside it whenever it stores results.
        """
        claims = claim(self.workers)
        cores = {claimed.core for claimed in claims}
        with (
            run_only_on(cores) if self._spares_cores else nullcontext(),
            LocalExecutor(work, claims, run_dir, remote=min(work.remote_seats, REMOTE_MATCHES)) as executor,
        ):
            yield executor

    def turn(self, lock: Path) -> AbstractContextManager[GiveWay]:
        """If the workers take all cores, a service beside the run works between its waves only."""
        return nullcontext(lambda: None) if self._leaves_a_core else hold_lease(lock, self.tell)


REST_MS = 1_000

TRIES = 3_600
"""So often, and therefore for at least an hour, the run tries again before it ends."""

Done = TypeVar("Done")


def wait_out(machine: Environment, action: Callable[[], Done]) -> Done:
    """The result of an action on the store, which is tried again while the server is away.

    A lost connection may hide that the action was done. So to do it again must change nothing.

    Raises:
        StoreAway: the server was away for too long.
    """
    for tried in range(TRIES):
        try:
            done = action()
        except StoreAway as away:
            if tried == 0:
                machine.tell(f"{away}; the run keeps its results, and waits for the store")
            machine.wait_ms(REST_MS)
        else:
            if tried > 0:
                machine.tell("the store is back, and the run goes on")
            return done
    return action()
