"""Sittings for players, without a pipe."""

from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing

from tournaments.league.model import FinishedMatch
from tournaments.play.match_results import MatchPostponed, MatchVoided, Result
from tournaments.play.workers.player import Player
from tournaments.play.workers.worker_messages import Job


class Given:
    """Jobs that are all there from the beginning."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)

    def waiting(self) -> Job | None:
        return next(self._jobs, None)

    def next(self) -> Job | None:
        return next(self._jobs, None)


async def played(player: Player, jobs: Iterable[Job]) -> AsyncIterator[Result]:
    """The results of these jobs, played one by one."""
    async with aclosing(player.play(Given(jobs))) as results:
        async for result in results:
            assert isinstance(result, FinishedMatch | MatchVoided | MatchPostponed)
            yield result
