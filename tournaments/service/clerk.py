"""The clerk: a process beside the server that computes the tables anew when matches came, but seldom."""

import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import msgspec

from referee.core.errors import Told
from tournaments.kept import league_in
from tournaments.service.news import Orders
from tournaments.service.workbench import first_line, waited
from tournaments.showing import Shown

EVERY_S = 60.0
"""Tables are computed at most so often."""

SOON_S = 2.0
"""While there are none, it is looked so often whether there can be: the first ones come soon after the first match."""

MOST_SHARE = 0.05
"""They take at most this share of a core."""


def rest_s(took_s: float, least_s: float) -> float:
    """How long to rest after what took so much processor time; at least so long."""
    return max(least_s, took_s * (1 / MOST_SHARE - 1))


def _main() -> None:
    os.nice(10)
    orders = msgspec.json.decode(first_line(0), type=Orders)
    with ExitStack() as stack:
        shown = [stack.enter_context(Shown(league_in(Path(job.file)), job.url)) for job in orders.jobs]
        due_s = [0.0] * len(shown)
        while waited(0, 1.0):
            for number, each in enumerate(shown):
                if time.monotonic() >= due_s[number]:
                    due_s[number] = time.monotonic() + _refreshed(each)


def _refreshed(shown: Shown) -> float:
    """Compute the tables of a league; the seconds to rest afterwards."""
    began_s, least_s = time.process_time(), EVERY_S
    try:
        if not shown.refresh(time.time_ns() // 1_000_000):
            least_s = SOON_S
    except Told as error:
        print(f"referee serve: {error}", file=sys.stderr, flush=True)
    return rest_s(time.process_time() - began_s, least_s)


if __name__ == "__main__":
    _main()
