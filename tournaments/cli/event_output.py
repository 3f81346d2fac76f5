"""Passes the events of a run to the log and to the command of `[notify]`."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from referee.cli.console import remark
from referee.core.errors import OurFailure, Stopped
from referee.runtime.child_process import hold_signals_back
from tournaments.play.event_log import EventLog
from tournaments.play.events import Event, EventRecorder, RunBegan, RunEnded
from tournaments.play.notify import Notifier
from tournaments.play.run import Run
from tournaments.play.workers.worker_messages import Result


class EventOutput:
    """Passes on what happens in one run."""

    def __init__(self, run: Run, journal: EventLog | None) -> None:
        """`journal` is the log; None if nobody asked for one."""
        self._league = run.league.name
        self._journal = journal
        self._notifier = Notifier(run.league.notify)
        self._chronicle = EventRecorder(self._league, run.season)
        self._has_ended = False
        verdict = run.season.verdict()
        self._tell(RunBegan(self._league, verdict.planned, verdict.remaining))

    def results(self, results: Iterable[Result]) -> Iterator[Result]:
        """The same results. It passes on the events of each result before the result."""
        for result in results:
            for event in self._chronicle.take(result):
                self._tell(event)
            yield result

    def end(self, why: str, reason: str = "", exit_code: int = 0) -> None:
        """Pass on that the run ended, and wait for the listeners. Later calls pass on nothing."""
        with hold_signals_back():  # a signal in the middle would make it unclear whether the end was passed on
            if not self._has_ended:
                self._has_ended = True
                self._tell(RunEnded(self._league, why, reason, exit_code))
        self._notifier.close()
        for sentence in self._notifier.failures:
            remark(sentence)
        if self._journal is not None:
            if self._journal.failure is not None:
                remark(self._journal.failure)
            self._journal.close()

    def _tell(self, event: Event) -> None:
        self._notifier.note(event)
        if self._journal is not None:
            self._journal.note(event, time.time_ns() // 1_000_000)


@contextmanager
def open_event_output(run: Run, journal: EventLog | None) -> Iterator[EventOutput]:
    """Pass on the events of a run until it ends, however it ends. After an orderly end the caller calls `end`."""
    told = EventOutput(run, journal)
    try:
        yield told
    except Stopped as stopped:
        told.end("stopped", "it was stopped by a signal", stopped.code if isinstance(stopped.code, int) else 1)
        raise
    except OurFailure as failure:
        told.end("failure", str(failure), failure.exit_code)
        raise
