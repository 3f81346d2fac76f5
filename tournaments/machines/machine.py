"""The runner's machine in a league that others play. It keeps the store, and judges what comes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tournaments.executors.work import Work
from tournaments.machine import ThisMachine
from tournaments.machines.executor import MachinesExecutor
from tournaments.machines.hub import Hub
from tournaments.model import League


class ManyMachines(ThisMachine):
    """This machine as a runner's, with workers on the nodes of a scheduler."""

    def __init__(self, league: League, scheduler: str, judges: int | None, tell: Callable[[str], None]) -> None:
        """Have a league played elsewhere.

        Args:
            league: the league.
            scheduler: the address of the scheduler.
            judges: how many processes of this machine judge what comes; None: one for each core.
            tell: is given a sentence when nodes come and go.

        Raises:
            TooManyWorkers: the processes that judge would have to wait for each other.
        """
        super().__init__(judges)
        self._league = league
        self._scheduler = scheduler
        self._tell = tell

    @contextmanager
    def executor(self, work: Work, run_dir: Path) -> Iterator[MachinesExecutor]:  # noqa: ARG002 - nodes have folders of their own
        """The nodes of the scheduler."""
        connect = partial(Hub, self._scheduler)
        executor = MachinesExecutor(work, self._league.folders, connect, self.workers, self._tell)
        try:
            yield executor
        finally:
            executor.close()
