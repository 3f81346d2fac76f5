"""The table refresher: a process beside the server that recomputes the tables after new matches, but seldom."""

import os
import time
from contextlib import ExitStack
from pathlib import Path

from referee.core.errors import UserError
from tournaments.results.league_location import past_league
from tournaments.results.live_status import CpuBudget
from tournaments.web.queries import PublishedLeague, last_minute
from tournaments.web.service import background_process
from tournaments.web.service.worker_messages import LeagueJob

EVERY_S = 60.0
"""The minimum time between two computations of the tables, in seconds."""

SOON_S = 2.0
"""The interval of the checks while there are no tables, in seconds. The first tables soon follow the first match."""

MOST_SHARE = 0.05
"""The share of a core that the tables take at most."""


def _main() -> None:
    os.nice(10)
    orders = background_process.orders()
    with ExitStack() as stack:
        published_leagues = [stack.enter_context(_published(job)) for job in orders.jobs]
        again = [CpuBudget(SOON_S, MOST_SHARE) for _ in published_leagues]
        while background_process.waited(1.0):
            for number, each in enumerate(published_leagues):
                if again[number].is_due(time.monotonic()):
                    again[number] = refreshed(each)


def _published(job: LeagueJob) -> PublishedLeague:
    return PublishedLeague(*past_league(Path(job.file), job.url), lambda: last_minute(_now_ms()))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def refreshed(published_league: PublishedLeague) -> CpuBudget:
    """Compute the tables of a league. Returns when to do this again."""
    began_s, every_s = time.process_time(), EVERY_S
    try:
        if not published_league.refresh(_now_ms()):
            every_s = SOON_S
    except UserError as error:
        background_process.tell(str(error))
    again = CpuBudget(every_s, MOST_SHARE)
    again.spent(time.monotonic(), time.process_time() - began_s)
    return again


if __name__ == "__main__":
    background_process.work(_main)
