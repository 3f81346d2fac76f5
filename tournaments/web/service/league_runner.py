"""The runner beside the server: a process that plays the leagues that are due, one at a time.

It reads its leagues from the first line of its input, works as long as the input is open, and writes what it does about
each league. All that counts is in the stores. So it may be killed at any point, and the next one continues from there.
"""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress

import msgspec

from referee.core.errors import UserError
from tournaments.league.format_settings import OpenSettings
from tournaments.league.model import League
from tournaments.league.timetable import Rest, RunnerState, Situation, SteadyClock, Timetable, must_give_way, timetable
from tournaments.maintenance.close_league import close
from tournaments.play.environment import Environment, LocalEnvironment
from tournaments.play.events import open_event_output
from tournaments.play.participants import TooFewBots
from tournaments.play.run import open_run
from tournaments.results.league_location import NeverRun
from tournaments.results.progress import is_league_over
from tournaments.results.stored_league import open_results
from tournaments.store import LeagueMarks, Store, StoreError
from tournaments.web.service import background_process
from tournaments.web.service.worker_messages import ServedLeague

LOOK_S = 1.0
"""How often to look what is due, in seconds."""

_FIRST_REST_MS = 10_000
_LONGEST_REST_MS = 600_000
"""How long a league rests after a failure, in milliseconds: longer after each one that follows."""

States = Mapping[str, RunnerState]
"""By league, what the runner does about it."""


class WatchedLeague:
    """A league that the runner plays when it is due.

    Attributes:
        job: the league, its file and its store.
    """

    def __init__(self, job: ServedLeague) -> None:
        self.job = job
        self._done: tuple[int, ...] | None = None  # the decisions after which nothing remained
        self._lacking: tuple[int, int] | None = None  # the changes of the roster, and how many bots are lacking
        self._rest: Rest | None = None
        self._rest_ms = _FIRST_REST_MS

    def situation(self, marks: LeagueMarks) -> Situation:
        """What decides whether the league is played now."""
        league = self.job.league
        due_ms = league.due_ms(marks.extensions)
        in_time = [at_ms for at_ms in marks.checks_ms if due_ms is not None and at_ms < due_ms]
        lacks = self._lacking[1] if self._lacking and self._lacking[0] == marks.decided[0] else 0
        return Situation(
            league=league.name,
            is_open=isinstance(league.format, OpenSettings),
            starts_ms=due_ms,
            is_begun=marks.is_begun,
            is_closed=marks.is_closed,
            pause=None if marks.pause is None else marks.pause.why,
            checks=len(in_time),
            lacks=lacks,
            is_done=self._done == marks.decided,
            rest=self._rest,
        )

    def finish(self, marks: LeagueMarks) -> None:
        """Note that nothing remains to be played, as long as nothing more is decided than `marks` say."""
        self._done, self._rest, self._rest_ms = marks.decided, None, _FIRST_REST_MS

    def fail(self, failure: UserError, marks: LeagueMarks, now_ms: int) -> None:
        """Note that a run of the league failed."""
        if isinstance(failure, TooFewBots):
            self._lacking = marks.decided[0], failure.lacks
            return
        self._rest = Rest(now_ms + self._rest_ms, str(failure).replace("\n", "; "))
        self._rest_ms = min(2 * self._rest_ms, _LONGEST_REST_MS)


class RunnerEnvironment(LocalEnvironment):
    """This machine, for a runner that gives way also while it waits."""

    def __init__(self, league: League, should_stop: Callable[[], bool]) -> None:
        super().__init__(None, league.spared_cores, background_process.tell)
        self._should_stop = should_stop

    def wait_ms(self, milliseconds: int) -> None:
        """Return after this many milliseconds, or when the run is to stop."""
        until_s = time.monotonic() + milliseconds / 1000
        while (left_s := until_s - time.monotonic()) > 0 and not self._should_stop():
            time.sleep(min(left_s, LOOK_S))


class LeagueRunner:
    """Plays leagues, one at a time. It looks at them once a second, also while it plays one."""

    def __init__(
        self,
        watched: Mapping[str, WatchedLeague],
        stores: Mapping[str, Store],
        tell_states: Callable[[States], None],
        goes_on: Callable[[float], bool],
        clock_ms: Callable[[], int],
        machine: Callable[[League, Callable[[], bool]], Environment],
    ) -> None:
        """Prepare to play.

        Args:
            watched: the leagues, by name.
            stores: by address, a store with leagues of them.
            tell_states: receives what the runner does about each league, whenever that changes.
            goes_on: waits so many seconds for a signal, and returns whether to continue.
            clock_ms: the time, in milliseconds since 1970 (UTC), without jumps.
            machine: where a league is played, by the league and by the function that says whether to stop.
        """
        self._watched = watched
        self._stores = stores
        self._tell_states = tell_states
        self._goes_on = goes_on
        self._clock_ms = clock_ms
        self._machine = machine
        self._marks: dict[str, LeagueMarks] = {}
        self._told: States = {}
        self._looked_s = -LOOK_S
        self._is_over = False
        self._plan = Timetable({}, (), None)

    def run(self) -> None:
        """Play what is due, until the work is over."""
        while not self._is_over:
            plan = self._look()
            if plan.due:
                self._play(self._watched[plan.due[0]])
            else:
                self._is_over = not self._goes_on(LOOK_S)

    def _look(self, playing: str | None = None) -> Timetable:
        for url, store in self._stores.items():
            try:
                marks = store.calendar.marks()
            except StoreError as failure:  # it may be back in a moment; what was known stays
                background_process.tell(str(failure))
                continue
            for name, each in self._watched.items():
                if each.job.url == url:
                    self._marks[name] = marks.get(name, LeagueMarks())
        situations = [each.situation(self._marks[name]) for name, each in self._watched.items() if name in self._marks]
        self._plan = timetable(situations, self._clock_ms())
        states = dict(self._plan.states)
        if playing is not None:
            states[playing] = RunnerState("plays")
        if states != self._told:
            self._told = states
            self._tell_states(states)
        return self._plan

    def _play(self, watched: WatchedLeague) -> None:
        league, url = watched.job.league, watched.job.url

        def should_stop() -> bool:
            if time.monotonic() - self._looked_s >= LOOK_S:
                self._looked_s = time.monotonic()
                self._is_over = self._is_over or not self._goes_on(0.0)
                self._look(league.name)
            return self._is_over or must_give_way(league.name, self._plan)

        marks = self._marks[league.name]
        try:
            if _is_over(watched.job):
                watched.finish(marks)
                return
            with (
                open_run(league, url, self._machine(league, should_stop)) as running,
                open_event_output(running.results, None, background_process.tell) as output,
            ):
                for _ in output.results(running.play(should_stop)):
                    pass
                remains = running.results.state.verdict().remaining
                output.end("time" if remains else "done")
            if not remains:
                watched.finish(marks)
            if league.ends_ms is not None and self._clock_ms() >= league.ends_ms and not remains:
                close(league, url, self._clock_ms(), abandon=True)
        except UserError as failure:
            watched.fail(failure, marks, self._clock_ms())
            if not isinstance(failure, TooFewBots):
                background_process.tell(f"{league.name} is not played now: {failure}")


def _is_over(job: ServedLeague) -> bool:
    """Whether nothing remains of a league. This starts no bot."""
    with suppress(NeverRun), open_results(job.league, job.url) as results:
        return is_league_over(results)
    return False


def main() -> None:
    """Execute the orders in the first line of the input."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # all other output is for the organizer
    orders = background_process.orders()
    with suppress(OSError):
        os.sched_setaffinity(0, orders.cores)  # the server keeps to cores of its own, and so does all that it starts
    clock = SteadyClock(_now_ms(), _running_ms())
    with ExitStack() as stack:
        names = {job.url: job.league.name for job in orders.jobs}
        stores = {url: stack.enter_context(Store(url, name)) for url, name in names.items()}
        watched = {job.league.name: WatchedLeague(job) for job in orders.jobs}

        def tell_states(states: States) -> None:
            out.write(msgspec.json.encode(states) + b"\n")

        now = lambda: clock.now_ms(_now_ms(), _running_ms())  # noqa: E731
        LeagueRunner(watched, stores, tell_states, background_process.waited, now, RunnerEnvironment).run()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _running_ms() -> int:
    return time.monotonic_ns() // 1_000_000


if __name__ == "__main__":
    background_process.work(main)
