"""The runner's machine in a league that other machines play. It holds the store and verifies the results."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from referee.runtime.child_process import process_pool
from tournaments.league.model import League
from tournaments.play.environment import LocalEnvironment
from tournaments.play.events import NodesChanged
from tournaments.play.nodes.dask_transport import DaskTransport
from tournaments.play.nodes.node_executor import NodeExecutor
from tournaments.play.nodes.verification import VerificationPool
from tournaments.play.workers.local_executor import RoutingExecutor
from tournaments.play.workers.worker_messages import Executor, Work


class SchedulerEnvironment(LocalEnvironment):
    """This machine as a runner's, with workers on the nodes of a scheduler."""

    def __init__(
        self,
        league: League,
        scheduler: str,
        verifiers: int | None,
        note: Callable[[NodesChanged], None],
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Have a league played elsewhere.

        `verifiers` processes of this machine verify the results; None: one for each core. `note` gets the events of the
        nodes; `tell` is as for `LocalEnvironment`.

        Raises:
            TooManyWorkers: the processes that judge would have to wait for each other.
        """
        super().__init__(verifiers, tell=tell)
        self._league = league
        self._scheduler = scheduler
        self._note = note

    @contextmanager
    def executor(self, work: Work, run_dir: Path) -> Iterator[Executor]:
        """The nodes of the scheduler, and this machine for matches of bots that call its service."""
        connect = partial(DaskTransport, self._scheduler)
        with ExitStack() as stack:
            pool = VerificationPool(stack.enter_context(process_pool(self.workers)), self.workers)
            nodes = stack.enter_context(closing(NodeExecutor(work, self._league, connect, pool, self._note)))
            if self._league.callers:
                yield RoutingExecutor(nodes, stack.enter_context(super().executor(work, run_dir)), self._league.callers)
            else:
                yield nodes
