"""The table refresher: a process beside the server that recomputes the tables after new matches, but seldom."""

import os
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress

from referee.core.errors import UserError
from tournaments.results.live_status import CpuBudget
from tournaments.store import Store
from tournaments.web.queries import PublishedLeague, last_minute
from tournaments.web.service import background_process
from tournaments.web.service.worker_messages import ServedLeague

EVERY_S = 60.0
"""The minimum time between two computations of the tables, in seconds."""

SOON_S = 2.0
"""The interval of the checks while there are no tables, in seconds. The first tables soon follow the first match."""

CLOSED_S = 3600.0
"""The same for a league that is closed: no match comes any more."""

MOST_SHARE = 0.05
"""The share of a core that the tables take at most."""


def _main() -> None:
    os.nice(10)
    orders = background_process.orders()
    with ExitStack() as stack:
        tables = [(job, stack.enter_context(_published(job))) for job in orders.jobs]
        names = {job.url: job.league.name for job in orders.jobs}
        stores = {url: stack.enter_context(Store(url, name)) for url, name in names.items()}
        again = {each: CpuBudget(SOON_S, MOST_SHARE) for _, each in tables}
        while background_process.waited(1.0):
            due = [(job, each) for job, each in tables if again[each].is_due(time.monotonic())]
            played: dict[str, Mapping[str, int | None]] = {}
            for url in {job.url for job, _ in due}:  # one question a store, however many leagues it has
                with suppress(UserError):  # each league says so
                    played[url] = stores[url].played_leagues()
            for job, each in due:
                closed_ms = played.get(job.url, {job.league.name: None})
                if job.league.name in closed_ms:
                    again[each] = refreshed(each, EVERY_S if closed_ms[job.league.name] is None else CLOSED_S)


def _published(job: ServedLeague) -> PublishedLeague:
    return PublishedLeague(job.league, job.url, lambda: last_minute(_now_ms()))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def refreshed(published_league: PublishedLeague, every_s: float = EVERY_S) -> CpuBudget:
    """Compute the tables of a league. Returns when to do this again: after `every_s` seconds at the earliest."""
    began_s = time.process_time()
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
