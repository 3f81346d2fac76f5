"""The cost of viewers for a league while a run plays it: the runner's processor time a match, with and without them.

The league is served in both cases. Each of the viewers has a page open that follows the league, and loads it anew
whenever it may have changed, as the script of the page does.

    python -m benchmarks.onlookers [DEALS VIEWERS [ROUNDS]]
"""

import http.client
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlsplit

from rich.console import Console

from benchmarks.rows import Pair, Row, Target, paired_row, table
from benchmarks.served import served, write_league
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in

DEALS, VIEWERS = 6_000, 20
"""So many deals take more than a minute, after which the tables are computed anew and all pages are loaded again."""

_LAST = 19
"""The niceness of the viewers' processes: they have machines of their own."""

_ROUNDS = 3
_TARGET = Target(first=1.05, then=1.02)


class _Played(NamedTuple):
    """What the runner spent on a match, and how many matches were played in a second."""

    runner_us: float
    matches_a_second: float


def rows(deals: int = DEALS, viewers: int = VIEWERS, rounds: int = _ROUNDS) -> list[Row]:
    """A run that many look at, over the same run at which nobody looks."""
    runs = [(_played(deals, viewers), _played(deals, 0)) for _ in range(rounds)]
    of = f"{viewers} viewers, over the same without them"
    costs = [Pair(watched.runner_us, alone.runner_us) for watched, alone in runs]
    speeds = [Pair(watched.matches_a_second, alone.matches_a_second) for watched, alone in runs]
    return [
        paired_row(f"CPU us of the runner a match with {of}", costs, "lower", _TARGET),
        paired_row(f"matches / s with {of}", speeds, "higher"),
    ]


def _played(deals: int, viewers: int) -> _Played:
    """Play a league while so many look on."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        file, url = Path(folder) / "bench.toml", f"sqlite:///{folder}/bench.sqlite"
        write_league(file, deals)
        run = stack.enter_context(open_run(league_in(file), url, LocalEnvironment(spared=1)))
        stack.enter_context(_looking_on(stack.enter_context(served(file, url)), viewers))
        began_s, spent_s = time.perf_counter(), time.process_time()
        matches = sum(1 for _ in run.play())
        took_s, spent_s = time.perf_counter() - began_s, time.process_time() - spent_s
    return _Played(spent_s / matches * 1e6, matches / took_s)


@contextmanager
def _looking_on(url: str, viewers: int) -> Iterator[None]:
    """So many look at the standings, from another process."""
    process = get_context("spawn").Process(target=_look, args=(url, viewers))
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def _look(url: str, viewers: int) -> None:
    os.nice(_LAST)
    threads = [Thread(target=_follow, args=(url,)) for _ in range(viewers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _follow(url: str) -> None:
    """Look at the standings, and again whenever something may have changed."""
    at = urlsplit(url)
    with suppress(OSError):  # the league is over, and so is the server
        stream = http.client.HTTPConnection(at.netloc)
        stream.request("GET", f"{at.path}/events")
        events = stream.getresponse()
        _load(at.netloc, f"{at.path}/standings")
        while line := events.readline():
            if line.startswith(b"event: changed"):
                _load(at.netloc, f"{at.path}/standings")


def _load(place: str, path: str) -> None:
    page = http.client.HTTPConnection(place)
    page.request("GET", path)
    assert page.getresponse().read()
    page.close()


if __name__ == "__main__":
    given = tuple(map(int, sys.argv[1:])) or (DEALS, VIEWERS)
    Console(width=None if sys.stdout.isatty() else 130).print(table(rows(*given)))
