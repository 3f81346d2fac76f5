"""The runner's machine in a league that other machines play. It holds the store and verifies the results."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from referee.core.errors import WrongUse
from referee.runtime.child_process import process_pool
from tournaments.league.model import League
from tournaments.play.environment import LocalEnvironment
from tournaments.play.events import NodesChanged
from tournaments.play.nodes.dask_transport import DaskTransport
from tournaments.play.nodes.node_executor import NodeExecutor
from tournaments.play.nodes.verification import VerificationPool
from tournaments.play.workers.worker_messages import Work


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
            WrongUse: bots call the service of the league, which nodes do not reach.
        """
        if league.callers:
            who = ", ".join(league.callers)
            raise WrongUse(f"{who}: a bot that calls the service plays on its machine only; run without --scheduler")
        super().__init__(verifiers, tell=tell)
        self._league = league
        self._scheduler = scheduler
        self._note = note

    @contextmanager
    def executor(self, work: Work, run_dir: Path) -> Iterator[NodeExecutor]:  # noqa: ARG002 - nodes have folders of their own
        """The nodes of the scheduler."""
        connect = partial(DaskTransport, self._scheduler)
        with process_pool(self.workers) as pool:
            verification_pool = VerificationPool(pool, self.workers)
            with closing(NodeExecutor(work, self._league, connect, verification_pool, self._note)) as executor:
                yield executor
