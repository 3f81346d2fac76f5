"""A run reports its end once, however it ends."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.signals import end_on_signals, something_to_tidy_up
from referee.core.errors import OurFailure, Stopped
from tests.cli.command import _signals_as_they_were
from tests.tournaments.fakes import Run, auction_league
from tournaments.play.events import EventLog, EventOutput, Notifier, open_event_output


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run(tmp_path, auction_league()) as run:
        yield run


def ends(log: Path) -> list[tuple[str, int]]:
    lines = (json.loads(line) for line in log.read_text().splitlines())
    return [(line["why"], line["exit_code"]) for line in lines if line["type"] == "end"]


def test_a_signal_after_the_end_was_told_does_not_tell_another_end(run: Run, log: Path) -> None:
    def stopped_late() -> None:
        with open_event_output(run.open.results, EventLog(log), print) as told:
            told.end("done")
            raise Stopped(signal.SIGTERM)

    with pytest.raises(Stopped):
        stopped_late()
    assert ends(log) == [("done", 0)]


def test_a_signal_while_the_end_is_told_lets_it_be_told_to_the_end(
    run: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = EventOutput(run.open.results, EventLog(log), print)
    monkeypatch.setattr(Notifier, "note", lambda *_: os.kill(os.getpid(), signal.SIGTERM))

    def stopped_meanwhile() -> None:
        with _signals_as_they_were(), end_on_signals():
            something_to_tidy_up()
            try:
                told.end("done")
            finally:
                told.end("stopped", "it was stopped by a signal", 143)

    with pytest.raises(Stopped):
        stopped_meanwhile()
    assert ends(log) == [("done", 0)]


@pytest.mark.parametrize(
    ("error", "end"), [(Stopped(signal.SIGINT), ("stopped", 130)), (OurFailure("-"), ("failure", 3))]
)
def test_a_run_that_is_cut_short_tells_how(run: Run, log: Path, error: BaseException, end: tuple[str, int]) -> None:
    with pytest.raises(type(error)), open_event_output(run.open.results, EventLog(log), print):
        raise error
    assert ends(log) == [end]
