"""Whether the server can do its work: `/healthz` and `/readyz`. The public port says only one word."""

from collections.abc import Callable, Mapping, Sequence

import anyio
from starlette.responses import PlainTextResponse, Response

from referee.core.errors import UserError
from tournaments.web.service.background_process import Supervisor
from tournaments.web.service.league_service import LeagueService

_ANSWERS_S = 2.0
"""So long the stores and disks together have time to answer."""

_EVERY_S = 1.0
"""However often somebody asks, it is looked once in this time."""

_HEADERS = {"cache-control": "no-store"}


class Health:
    """What fails: a store, a disk, or a process."""

    def __init__(self, stores: Mapping[str, LeagueService], processes: Sequence[Supervisor]) -> None:
        """`stores` has a league of each store."""
        self._stores = stores
        self._processes = processes
        self._threads = anyio.CapacityLimiter(2)  # a thread that waits for a dead store keeps its place
        self._lock = anyio.Lock()
        self._failing: tuple[str, ...] = ()
        self._next_s = 0.0

    async def failing(self) -> tuple[str, ...]:
        """The names of what fails now; empty if all is well."""
        async with self._lock:
            if anyio.current_time() >= self._next_s:
                failing = [f"process {each.name}" for each in self._processes if not each.is_up]
                for each in self._stores.values():
                    checks = {"store": each.published_league.played_leagues, "disk": each.check_room}
                    failing += [f"{what} of {each.league.name}" for what in checks if await self._fails(checks[what])]
                self._failing = tuple(failing)
                self._next_s = anyio.current_time() + _EVERY_S
            return self._failing

    async def _fails(self, check: Callable[[], object]) -> bool:
        try:
            with anyio.fail_after(_ANSWERS_S):
                await anyio.to_thread.run_sync(check, limiter=self._threads, abandon_on_cancel=True)
        except (UserError, TimeoutError):
            return True
        return False

    async def word(self) -> Response:
        """The answer of `/readyz` on the public port."""
        is_ready = not await self.failing()
        return PlainTextResponse("ready" if is_ready else "unready", 200 if is_ready else 503, _HEADERS)

    async def names(self) -> Response:
        """The answer of `/readyz` at the address of the metrics: a line for each thing that fails."""
        failing = await self.failing()
        text = "".join(f"{each}\n" for each in failing or ["ready"])
        return PlainTextResponse(text, 503 if failing else 200, _HEADERS)


def alive() -> Response:
    """The answer of `/healthz`."""
    return PlainTextResponse("alive", headers=_HEADERS)
