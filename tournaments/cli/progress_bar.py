"""Shows the progress of a run: a bar on a terminal, else a line every minute. It also reports each void match.

A thread keeps the time, so a long match does not delay the next line.
"""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.table import Column
from rich.text import Text

from referee.cli.console import err, remark
from referee.cli.signals import SIGNALS
from tournaments.cli.busy_machine import BusyVoids
from tournaments.league.model import FinishedMatch
from tournaments.play.workers.worker_messages import MatchPostponed, MatchVoided, Result

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
    failed = False  # whether it was said that nothing could be started
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
