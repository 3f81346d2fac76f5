"""Whether the server can do its work. The public port says this in one word; the address of the metrics, what fails."""

from collections.abc import Iterable, Sequence

import anyio

from referee.core.errors import UserError
from tournaments.web.service.background_process import Supervisor
from tournaments.web.service.league_service import LeagueService

_ANSWERS_S = 2.0
"""So long a store has time to answer."""

_EVERY_S = 1.0
"""However often somebody asks, it is looked once in this time."""


class Health:
    """What fails: a store, its disk, or a process."""

    def __init__(self, stores: Iterable[LeagueService], processes: Sequence[Supervisor]) -> None:
        """`stores` has a league of each store."""
        self._stores = tuple(stores)
        self._processes = processes
        self._threads = anyio.CapacityLimiter(2)  # a thread that waits for a dead store keeps its place
        self._lock = anyio.Lock()
        self._failing: list[str] = []
        self._next_s = 0.0

    async def failing(self) -> Sequence[str]:
        """A line about each thing that fails now."""
        async with self._lock:
            if anyio.current_time() >= self._next_s:
                self._failing = [f"process {each.module}" for each in self._processes if not each.is_up]
                for each in self._stores:
                    try:
                        with anyio.fail_after(_ANSWERS_S):
                            await anyio.to_thread.run_sync(
                                each.check_ready, limiter=self._threads, abandon_on_cancel=True
                            )
                    except (UserError, TimeoutError) as error:
                        self._failing.append(f"store of {each.league.name}: {str(error) or 'it does not answer'}")
                self._next_s = anyio.current_time() + _EVERY_S
            return self._failing
