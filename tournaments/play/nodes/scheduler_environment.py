"""The runner's machine in a league that other machines play. It holds the store and verifies the results."""

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from referee.runtime.child_process import process_pool
from tournaments.league.model import League, Sitting
from tournaments.league.status import Fleet
from tournaments.play.environment import LocalEnvironment
from tournaments.play.events import NodesChanged
from tournaments.play.match_results import BrokenBatch, Result
from tournaments.play.nodes.dask_transport import DaskTransport
from tournaments.play.nodes.node_executor import NodeExecutor
from tournaments.play.nodes.verification import VerificationPool
from tournaments.play.workers.sitting_supply import SittingSupply
from tournaments.play.workers.worker_messages import Crowding, Executor, Work


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
                yield SeatsHere(nodes, stack.enter_context(super().executor(work, run_dir)), self._league.callers)
            else:
                yield nodes


class SeatsHere:
    """An `Executor` of nodes, beside one for the matches of bots that call the service: only this machine reaches it.

    In each pass the nodes play first.
    """

    def __init__(self, nodes: Executor, here: Executor, callers: Collection[str]) -> None:
        """Have the matches of `callers` played here, and all others by `nodes`."""
        self._nodes, self._here, self._callers = nodes, here, frozenset(callers)

    @property
    def workers(self) -> int:
        """How many matches are played at once, at most."""
        return self._nodes.workers + self._here.workers

    @property
    def crowding(self) -> Crowding | None:
        """How it is with the workers of this machine."""
        return self._here.crowding

    def renew(self, work: Work) -> None:
        """Play with other settings from now on."""
        self._nodes.renew(work)
        self._here.renew(work)

    def play(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | Fleet | None]:
        """Yield every result, as `Executor.play` says."""
        yield from self._nodes.play(supply.only(lambda sitting: not self._is_for_here(sitting)))
        yield from self._here.play(supply.only(self._is_for_here))

    def _is_for_here(self, sitting: Sitting) -> bool:
        return not self._callers.isdisjoint(sitting.fixtures[0].entries)
