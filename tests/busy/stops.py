"""Stops of a runner and its workers at random moments, as Ctrl-Z and a starved machine would do."""

import signal
import time
from random import Random
from threading import Thread
from typing import NamedTuple

from tests.busy.leagues import Running
from tests.tournaments.processes import signalled, workers_of

SHORTEST_S, LONGEST_S = 0.1, 15.0


class Stop(NamedTuple):
    """One stop.

    Attributes:
        after_s: since the one before was over.
        for_s: how long it lasts.
        everybody: whether the runner stops with its workers; otherwise one worker does.
    """

    after_s: float
    for_s: float
    everybody: bool


def stops(count: int, seed: int) -> list[Stop]:
    """Stops of all orders of magnitude between the shortest and the longest."""
    rng = Random(seed)
    times = LONGEST_S / SHORTEST_S
    return [
        Stop(rng.uniform(0.1, 1.5), SHORTEST_S * times ** rng.random(), everybody=rng.random() < 0.5)
        for _ in range(count)
    ]


class Stopping(Thread):
    """Stops a league, again and again, until it has ended or there are no more stops.

    Attributes:
        made: the stops that were made.
    """

    def __init__(self, league: Running, planned: list[Stop]) -> None:
        super().__init__()
        self.made: list[Stop] = []
        self._league = league
        self._planned = planned
        self._runner = league.process.pid

    def run(self) -> None:
        """Make the stops."""
        for stop in self._planned:
            time.sleep(stop.after_s)
            if self._league.process.poll() is not None:
                return
            self._make(stop)

    def _make(self, stop: Stop) -> None:
        workers = workers_of(self._runner)
        stopped = [self._runner, *workers] if stop.everybody else workers[:1]
        if signalled(stopped, signal.SIGSTOP):
            time.sleep(stop.for_s)
            self.made.append(stop)
        signalled(stopped, signal.SIGCONT)
