"""The common base of the hosts of remote bots and of persons: they start nothing here, and end nothing."""

import asyncio

from referee.runtime.stopwatch import Unobservable


class ExternalHost(Unobservable):
    """Holds a seat for a player elsewhere, whom we neither see nor stop: a `Host`, except for how to call it."""

    ended_by_itself = None
    limit_exceeded = None

    async def ended(self) -> None:
        """Never return: we do not learn of an end."""
        await asyncio.get_running_loop().create_future()

    async def wait(self, seconds: float) -> None:
        """Return at once: there is no exit status to wait for."""

    async def stderr_tail(self) -> str:
        """Nothing can be read from here."""
        return ""

    async def terminate(self) -> None:
        """Nothing here is to be ended."""

    async def kill_now(self) -> None:
        """Nothing here is to be ended."""

    def rest(self) -> None:
        """It thinks when it likes."""

    def pause(self) -> None:
        """It thinks when it likes."""

    def resume(self) -> None:
        """It was never paused."""

    def kill(self) -> None:
        """Nothing here is to be ended."""
