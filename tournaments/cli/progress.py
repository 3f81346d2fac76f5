"""The progress of a run, in numbers and words: matches done, speed, time left, void matches, and the bot that is ahead.

It is a bar on a terminal, else a line every minute. A thread keeps the time, so a long match does not delay the next
line. If the machine is busy, a message says so before the run plays, and at its end.
"""

import signal
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, get_args

from msgspec.structs import replace
from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.table import Column
from rich.text import Text

from referee.cli.console import err, remark
from referee.cli.signals import SIGNALS
from referee.core.text import several
from tournaments.league.model import FinishedMatch, outcome_of
from tournaments.league.status import Fleet, NodeState, NodeStatus
from tournaments.play.match_results import MatchPostponed, MatchVoided, Result
from tournaments.play.workers.worker_messages import Crowding
from tournaments.rating.sides import result, teams
from tournaments.schedule.counting_rules import LeagueVerdict
from tournaments.schedule.formats.plan import Plan

_POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400


class RunProgress:
    """A run in progress.

    Attributes:
        planned: how many matches the waves so far have.
        done: how many of them need not be played any more.
        faults: how many matches of this run were cut short by a fault.
    """

    def __init__(
        self, verdict: LeagueVerdict, plan: Plan, *, by_results: bool, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin now.

        Args:
            verdict: on the league so far.
            plan: its waves, to which the run adds others.
            by_results: whether results decide what else is played. Then nobody knows how long that takes.
            now: gives the time in seconds.
        """
        self.planned = verdict.counts.planned
        self.done = self.planned - verdict.remaining
        self.faults = 0
        self._plan = plan
        self._waves = len(plan.waves)
        self._by_results = by_results
        self._played = 0
        self._now = now
        self._began_s = now()
        self._points: defaultdict[str, float] = defaultdict(float)
        self._matches: Counter[str] = Counter()

    def take(self, match: FinishedMatch) -> None:
        """Count a played match. A bot counts once for each side on which it has seats."""
        if len(self._plan.waves) > self._waves:
            self._begin_wave()
        self.done += 1
        self._played += 1
        self.faults += bool(match.offenders)
        outcome = outcome_of(match)
        for side in teams(outcome):
            for name, seat in {match.fixture.entries[seat]: seat for seat in side}.items():
                self._matches[name] += 1
                self._points[name] += _POINTS[result(outcome, seat)]

    def _begin_wave(self) -> None:
        """Count a new wave. Everything before it needs not be played any more: else it would not have been issued."""
        self._waves = len(self._plan.waves)
        self.planned = len(self._plan)
        self.done = self.planned - len(self._plan.waves[-1])

    @property
    def leader(self) -> tuple[str, float] | None:
        """The bot with the largest share of its points in this run, and that share. None before anybody has a point."""
        shares = {name: points / self._matches[name] for name, points in self._points.items() if points}
        return max(shares.items(), key=lambda each: each[1], default=None)

    def sentence(self) -> str:
        """The whole progress in one sentence."""
        wave = f"wave {self._waves}: " if self._by_results else ""
        parts = [f"{wave}{self.done:,} of {several(self.planned, 'match', 'matches')}", self.rate(), self.time_left()]
        if self.leader is not None:
            parts.append("ahead in this run {} with {:.0%} of its points".format(*self.leader))
        return ", ".join([*filter(None, parts), several(self.faults, "fault", "faults")])

    def numbers(self) -> str:
        """Progress, speed and time left, in a few words."""
        return ", ".join(filter(None, [f"{self.done}/{self.planned}", self.rate(), self.time_left()]))

    def rate(self) -> str:
        """How many matches are played per second, minute or hour. Empty before the first match."""
        a_second = self._a_second()
        return rate(a_second) if a_second else ""

    def time_left(self) -> str:
        """The time left at this rate. Empty before the first match, and if results decide what else is played."""
        a_second = 0.0 if self._by_results else self._a_second()
        return f"{span((self.planned - self.done) / a_second)} left" if a_second else ""

    def _a_second(self) -> float:
        passed_s = self._now() - self._began_s
        return self._played / passed_s if passed_s > 0 else 0.0


def rate(a_second: float) -> str:
    """A speed above 0, per second, minute or hour."""
    units = ((1, "s"), (_MINUTE_S, "min"), (_HOUR_S, "h"))
    seconds, unit = next((each for each in units if a_second * each[0] >= 1), units[-1])
    return f"{a_second * seconds:.0f}/{unit}"


def span(seconds: float) -> str:
    """A time span in its two largest units."""
    if seconds < _MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < _HOUR_S:
        return f"{seconds / _MINUTE_S:.0f} min"
    if seconds < _DAY_S:
        return f"{seconds // _HOUR_S:.0f} h {seconds % _HOUR_S // _MINUTE_S:.0f} min"
    return f"{seconds // _DAY_S:.0f} d {seconds % _DAY_S // _HOUR_S:.0f} h"


def crowded(crowding: Crowding) -> str:
    """A warning that some workers share a core, with the effect and the remedy."""
    then = "matches take longer, and some may have to be played again"
    workers, alone = crowding.workers, crowding.alone
    if alone:
        cores = "1 free core" if alone == 1 else f"{alone} free cores"
        each = f"--workers {alone} gives each worker a core of its own"
        return f"{workers} workers share {cores}: {then}; {each}"
    wait = "it is better to wait for them" + (", or to play with --workers 1" if workers > 1 else "")
    return f"other runs use every core: {then}; {wait}"


class BusyVoids:
    """The matches of a run that were void because the machine was too busy."""

    def __init__(self) -> None:
        self._count = 0
        self._open: set[str] = set()

    def take(self, result: Result) -> None:
        """Note a result."""
        if isinstance(result, FinishedMatch):
            self._open.discard(result.fixture.id)
        elif isinstance(result, MatchVoided) and result.busy:
            self._count += 1
            self._open.add(result.fixture.id)

    def sentence(self) -> str | None:
        """How many such matches there were, their outcome, and the remedy; None if there were none."""
        if not self._count:
            return None
        matches, each = ("1 match was", "it") if self._count == 1 else (f"{self._count} matches were", "each")
        again = "played again as far as it was still needed" if self._open else "played again"
        return (
            f"{matches} void because the machine was too busy; {each} was {again}."
            " There are fewer of them with fewer workers (--workers),"
            " or with longer limits (move_ms, start_ms) from the beginning of a league"
        )


LINE_EVERY_S = 60.0
_BAR_EVERY_S = 0.2

_BUSY = "; the match is played again"


class CountedWork(Protocol):
    """Work in progress that is counted."""

    @property
    def planned(self) -> int:
        """How much there is to do."""

    @property
    def done(self) -> int:
        """How much of it is done."""

    def numbers(self) -> str:
        """The progress in a few words, for a place beside a bar."""


class ProgressReporter(CountedWork, Protocol):
    """A run in progress."""

    def take(self, match: FinishedMatch) -> None:
        """Count a played match."""

    def sentence(self) -> str:
        """The whole progress in one sentence."""


def tell_progress(name: str, course: ProgressReporter, results: Iterable[Result]) -> None:
    """Take the results of a run and report them as they come; at the end, how often the machine was too busy."""
    busy = BusyVoids()
    failed = False  # whether a line has said that nothing could be started
    with bar(course) if err.is_terminal else _lines(name, course):
        for result in results:
            busy.take(result)
            if isinstance(result, MatchVoided) and result.cannot_start:
                if not failed:
                    remark(f"{result.reason}; the run tries again")
                failed = True
            elif isinstance(result, MatchVoided):
                remark(f"void: {result.fixture.id}: {result.reason}{_BUSY if result.busy else ''}")
            elif isinstance(result, MatchPostponed):
                remark(f"postponed: {result.entry}: {result.reason}")
            else:
                course.take(result)
    sentence = busy.sentence()
    if sentence is not None:
        remark(sentence)


@contextmanager
def _lines(name: str, course: ProgressReporter) -> Iterator[None]:
    with _every(LINE_EVERY_S, lambda: remark(f"{name}: {course.sentence()}")):
        yield


@contextmanager
def bar(course: CountedWork) -> Iterator[None]:
    """One line that fits a narrow terminal. The bar fills the space that the numbers leave."""
    column = BarColumn(bar_width=None, table_column=Column(ratio=1))
    with Progress(column, _Numbers(course), console=err, auto_refresh=False, expand=True) as progress:
        task = progress.add_task("", total=course.planned)

        def show() -> None:
            progress.update(task, completed=course.done, total=course.planned, refresh=True)

        show()
        with _every(_BAR_EVERY_S, show):
            yield
        show()


class _Numbers(ProgressColumn):
    """The numbers beside the bar."""

    def __init__(self, course: CountedWork) -> None:
        super().__init__(Column(no_wrap=True))
        self._course = course

    def render(self, _task: Task) -> Text:
        """A short form of the course's numbers."""
        return Text(self._course.numbers())


@contextmanager
def _every(seconds: float, tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` every `seconds` seconds while the block runs."""
    over = threading.Event()

    def tick() -> None:
        while not over.wait(seconds):
            tell()

    thread = threading.Thread(target=tick, daemon=True)
    # Signals are for the main thread. This thread would let them through while the main thread holds them back.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        thread.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    try:
        yield
    finally:
        over.set()
        thread.join()


def summary(fleet: Fleet) -> str:
    """How many nodes there are in each state."""
    states = Counter(node.state for node in fleet.nodes)
    parts = [_counted(states[state], state) for state in get_args(NodeState) if states[state]]
    return f"nodes: {', '.join(parts) or 'none yet'}"


def _counted(count: int, state: NodeState) -> str:
    verb = state.removesuffix("s") if count > 1 and state in ("plays", "rests") else state
    return f"{count} {verb}"


def node_lines(fleet: Fleet) -> Iterator[str]:
    """A line for each node."""
    return map(_line, fleet.nodes)


def _line(node: NodeStatus) -> str:
    parts = [node.status_text]
    parts += [f"{node.playing} of {node.places} at once"] if node.places else []
    parts += [rate(node.a_second)] if node.a_second is not None else []
    parts += [f"load {node.load:.1f}"] if node.load is not None else []
    parts += [f"{node.matches:,} played, {node.voids:,} void"]
    if node.start_ms is not None and node.echo_ms is not None:
        parts += [f"start {node.start_ms:,.0f} ms, echo {node.echo_ms:,.1f} ms"]
    return f"{node.node}  {', '.join(parts)}"


def steady(fleet: Fleet) -> Fleet:
    """The nodes without what changes though nothing happens to them."""
    return Fleet(0, tuple(_steady(node) for node in fleet.nodes))


def _steady(node: NodeStatus) -> NodeStatus:
    still = replace(node, playing=0, matches=0, a_second=None, load=None)
    return replace(still, start_ms=None, echo_ms=None, late_ms=None)
