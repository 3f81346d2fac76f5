import pytest

from referee.cli.console import report_errors_plainly
from referee.core.errors import Exit, FileProblems, Void
from tournaments.play.retry_policy import WorkersFail
from tournaments.play.workers.worker_messages import WorkerBug
from tournaments.store import StoreError, WrongAddress
from tournaments.store.pinned_league import LeagueChanged
from tournaments.store.run_lock import LockFailed, LockHeld

WRONG_USE: tuple[type[Exception], ...] = (LeagueChanged, LockHeld, WrongAddress)
OUR_FAILURES: tuple[type[Exception], ...] = (Void, StoreError, LockFailed, WorkersFail)
CASES = [
    (FileProblems(["the sentence"]), Exit.WRONG_USE),
    *((kind("the sentence"), Exit.WRONG_USE) for kind in WRONG_USE),
    *((kind("the sentence"), Exit.OUR_FAILURE) for kind in OUR_FAILURES),
]


@pytest.mark.parametrize(("error", "code"), CASES, ids=lambda value: type(value).__name__)
def test_what_goes_wrong_is_its_sentence_and_an_exit_code(
    error: Exception, code: Exit, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended, report_errors_plainly():
        raise error
    assert ended.value.code == code
    assert capsys.readouterr() == ("", "the sentence\n")


def test_a_bug_in_a_worker_is_asked_to_be_reported_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended, report_errors_plainly():
        raise WorkerBug("Traceback: [odd] things")
    assert ended.value.code == Exit.OUR_FAILURE
    assert capsys.readouterr().err.endswith("please report it with what follows.\nTraceback: [odd] things\n")


def test_a_bug_of_our_own_stays_loud() -> None:
    with pytest.raises(ZeroDivisionError), report_errors_plainly():
        raise ZeroDivisionError
