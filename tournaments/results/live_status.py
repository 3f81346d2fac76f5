"""The live status of a league that another process plays. It writes nothing and locks nothing.

It takes a small share of a core. It asks cheap questions every second, and expensive ones less often.
"""

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.runtime.child_process import ENDING
from tournaments.league.model import League
from tournaments.league.status import Fleet, Progress, Trouble
from tournaments.results import progress
from tournaments.results.computed_tables import NoRounds, league_rounds, standings_without_storing
from tournaments.results.league_location import NeverRun
from tournaments.results.standings import Standings
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.schedule.formats import Bracket, SwissStanding

LOOK_EVERY_S = 1.0
RATE_EVERY_S = 60.0

COUNTING_SHARE = 0.01
RATING_SHARE = 0.02
"""The shares of a core that counting and rating may take, besides opening the store and one cheap count a second."""

TROUBLE = 3
"""So many of the latest faults and void matches are told."""

_WINDOW_S = 60.0
_NICENESS = 10

State: TypeAlias = Literal["waiting", "playing", "idle", "over"]
"""`waiting`: it was never run. `playing`: somebody plays it. `idle`: nobody does, and it is not over."""


class LiveSnapshot(msgspec.Struct, frozen=True):
    """How a league is at one moment.

    Attributes:
        league: its name.
        at_ms: the moment, in milliseconds since 1970 (UTC).
        state: whether it is played.
        runner: the process that plays it, in words; None if there is none.
        progress: how far it is; None while it was never run.
        a_second: how many matches were stored a second lately; None if there were none.
        trouble: the latest faults and void matches, the latest first.
        fleet: the nodes that play it; None if one machine alone does.
    """

    league: str
    at_ms: int
    state: State
    runner: str | None = None
    progress: Progress | None = None
    a_second: float | None = None
    trouble: tuple[Trouble, ...] = ()
    fleet: Fleet | None = None

    @property
    def left_s(self) -> float | None:
        """How many seconds the matches that remain take at this speed."""
        return self.progress.matches.remaining / self.a_second if self.progress and self.a_second else None


class TableSnapshot(NamedTuple):
    """The table of a league.

    Attributes:
        at_ms: its moment, in milliseconds since 1970 (UTC).
        stored: how many matches were stored then.
        standings: the table.
        rounds: the tree of a knock-out, or the table of a Swiss; None in other formats.
    """

    at_ms: int
    stored: int
    standings: Standings
    rounds: Bracket | list[SwissStanding] | None


class CpuBudget:
    """Lets something be done only so often that it takes a small share of a core."""

    def __init__(self, every_s: float, share: float) -> None:
        """At most every `every_s` seconds, and with at most this share of a core."""
        self._every_s = every_s
        self._share = share
        self._next_s = 0.0

    def is_due(self, now_s: float) -> bool:
        """Whether it may be done now."""
        return now_s >= self._next_s

    def spent(self, now_s: float, cost_s: float) -> None:
        """Note that the work ended now, and its processor time in seconds."""
        self._next_s = now_s + max(self._every_s, cost_s / self._share)


class MatchRate:
    """How many matches are stored a second, over the last minute."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def note(self, now_s: float, stored: int) -> None:
        """Note how many matches are stored now."""
        while len(self._samples) > 1 and self._samples[0][0] < now_s - _WINDOW_S:
            self._samples.popleft()
        self._samples.append((now_s, stored))

    @property
    def a_second(self) -> float | None:
        """The speed; None if no match was stored."""
        (then_s, before), (now_s, stored) = self._samples[0], self._samples[-1]
        return (stored - before) / (now_s - then_s) if stored > before else None


class LiveStatus:
    """Looks at a league again and again.

    Attributes:
        table: the last table that was computed; None before the first.
    """

    def __init__(self, league: League, url: str) -> None:
        """`url` is the address of its store, which need not exist."""
        self.table: TableSnapshot | None = None
        self._league = league
        self._url = url
        self._speed = MatchRate()
        self._counting = CpuBudget(LOOK_EVERY_S, COUNTING_SHARE)
        self._rating = CpuBudget(RATE_EVERY_S, RATING_SHARE)
        self._rater: _StandingsThread | None = None
        self._progress: Progress | None = None
        self._trouble: tuple[Trouble, ...] = ()
        self._goes_on_at: int | None = None
        self._rated: tuple[int, int, int] | None = None

    def snapshots(self) -> Iterator[LiveSnapshot]:
        """A glance every second, until the league is over and nobody plays it.

        Raises:
            StoreError, WrongAddress: the store fails.
        """
        while (snapshot := self.look()).state != "over":
            yield snapshot
            time.sleep(LOOK_EVERY_S)
        self._rate_the_rest()
        yield snapshot

    def look(self) -> LiveSnapshot:
        """How the league is now."""
        try:
            with open_results(self._league, self._url) as results:
                snapshot = self._snapshot(results, time.monotonic())
        except NeverRun:
            return LiveSnapshot(self._league.name, _now_ms(), "waiting")
        self._rate()
        return snapshot

    def _snapshot(self, results: StoredLeague, now_s: float) -> LiveSnapshot:
        runner = progress.current_runner(results)  # first: a runner that has left stores nothing more
        stored = results.store.matches.count()
        self._speed.note(now_s, stored)
        if self._progress is None or self._counting.is_due(now_s):
            began_s = time.thread_time()
            self._progress = progress.league_progress(results)
            self._trouble = tuple(progress.latest_trouble(results, TROUBLE))
            self._counting.spent(now_s, time.thread_time() - began_s)
        return LiveSnapshot(
            self._league.name,
            _now_ms(),
            self._state(results, runner, stored),
            runner,
            since(self._progress, stored),
            self._speed.a_second,
            self._trouble,
            None if runner is None else progress.current_fleet(results),
        )

    def _state(self, results: StoredLeague, runner: str | None, stored: int) -> State:
        assert self._progress is not None  # noqa: S101 - it was asked just before
        if runner is not None:
            return "playing"
        if self._progress.matches.remaining or self._progress.stored != stored:
            return "idle"
        if self._goes_on_at == stored and not results.closing.is_whole:
            return "idle"
        if progress.is_league_over(results):
            return "over"
        self._goes_on_at = stored  # so that it is asked only once: all results are read for it
        return "idle"

    def _rate(self) -> None:
        """Take the table that was computed, and have the next one computed if it is time for it."""
        if self._rater is not None and not self._rater.is_alive():
            self._take()
        if self._rater is None and self._rating.is_due(time.monotonic()):
            self._begin_rating()

    def _rate_the_rest(self) -> None:
        """Have the table of all that was played, however long it takes."""
        self._take()
        self._begin_rating()
        self._take()

    def _take(self) -> None:
        """Wait for the table that is being computed, if one is."""
        rater, self._rater = self._rater, None
        if rater is not None:
            rater.join()
            self.table = rater.result()
            self._rating.spent(time.monotonic(), rater.cost_s)

    def _begin_rating(self) -> None:
        """Begin to compute the table, if it would be another one."""
        if self._progress is None or not self._progress.stored:
            return
        # Nothing remains of a league that was closed, and its table is another one, though no match came.
        now = self._progress.stored, self._progress.matches.remaining, self._progress.void
        if now != self._rated:
            self._rated = now
            self._rater = _StandingsThread(self._league, self._url)
            self._rater.start()


def since(then: Progress, stored: int) -> Progress:
    """The progress when so many matches are stored, counted on from the last time all of it was counted."""
    counts = then.matches
    more = min(max(0, stored - then.stored), counts.remaining)
    matches = replace(counts, played=counts.played + more, remaining=counts.remaining - more)
    return replace(then, matches=matches, stored=stored)


class _StandingsThread(threading.Thread):
    """Computes a table once. It is a thread, so that a viewer can see the counts meanwhile.

    Attributes:
        cost_s: its processor time, in seconds.
    """

    def __init__(self, league: League, url: str) -> None:
        super().__init__(name="rating", daemon=True)
        self.cost_s = 0.0
        self._league = league
        self._url = url
        self._table: TableSnapshot | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # they are for the main thread
        os.nice(_NICENESS)  # of this thread alone (sched(7)): the workers go first
        try:
            with open_results(self._league, self._url) as results:
                self._table = _tabled(results)
        except BaseException as error:
            self._error = error
        self.cost_s = time.thread_time()

    def result(self) -> TableSnapshot:
        """The computed table.

        Raises:
            BaseException: the error that prevented it.
        """
        if self._table is None:
            assert self._error is not None  # noqa: S101 - it ended with one of them
            raise self._error
        return self._table


def _tabled(results: StoredLeague) -> TableSnapshot:
    at_ms, stored, standings = _now_ms(), results.store.matches.count(), standings_without_storing(results)
    try:
        return TableSnapshot(at_ms, stored, standings, league_rounds(results))
    except NoRounds:
        return TableSnapshot(at_ms, stored, standings, None)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
