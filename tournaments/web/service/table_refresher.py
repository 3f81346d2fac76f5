"""The table refresher: a process beside the server that recomputes the tables after new matches, but seldom."""

import os
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
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

CLOSED_S = 3600.0
"""The same for a league that is closed: no match comes any more."""

MOST_SHARE = 0.05
"""The share of a core that the tables take at most."""


def _main() -> None:
    os.nice(10)
    orders = background_process.orders()
    with ExitStack() as stack:
        tables = [stack.enter_context(_published(job)) for job in orders.jobs]
        by_store = {job.url: each for job, each in zip(orders.jobs, tables, strict=True)}
        again = {each: CpuBudget(SOON_S, MOST_SHARE) for each in tables}
        while background_process.waited(1.0):
            due = [each for each in tables if again[each].is_due(time.monotonic())]
            # One question a store, however many leagues it has.
            closed_ms: dict[str, Mapping[str, int | None]] = {}
            for url, each in by_store.items() if due else ():
                with suppress(UserError):  # each league says so
                    closed_ms[url] = each.played_leagues()
            for job, each in zip(orders.jobs, tables, strict=True):
                played = closed_ms.get(job.url)
                if each in due and (played is None or each.name in played):
                    again[each] = refreshed(each, CLOSED_S if played and played[each.name] else EVERY_S)


def _published(job: LeagueJob) -> PublishedLeague:
    return PublishedLeague(*past_league(Path(job.file), job.url), lambda: last_minute(_now_ms()))


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
