"""Following a submission: a follower gets each step once and in order, however the updates arrive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.league.submissions import State
from tournaments.web.service.submission_events import Follower
from tournaments.web.service.worker_messages import WorkInProgress
from tournaments.web.visibility.entry_view import LogView, SubmissionStep, SubmissionView


def seen(state: State, *log: tuple[State, str]) -> SubmissionView:
    parts = tuple(LogView(when, text, 5) for when, text in log)
    return SubmissionView(1, "bee@1", "eva", state, "0" * 64, 10, 1, 5, parts)


def test_a_state_is_told_at_once_and_its_text_piece_by_piece_as_it_comes() -> None:
    follower = Follower()
    assert list(follower.steps(seen("received"), None)) == [SubmissionStep("received")]
    assert list(follower.steps(seen("building"), WorkInProgress(1, "building", "a\nb"))) == [
        SubmissionStep("building", "a\nb")
    ]
    assert list(follower.steps(seen("building"), WorkInProgress(1, "building", "a\nb"))) == []
    assert list(follower.steps(seen("building"), WorkInProgress(1, "building", "a\nbc\n"))) == [
        SubmissionStep("building", "c\n")
    ]
    stored = seen("checking", ("building", "a\nbc\nd"))
    assert list(follower.steps(stored, WorkInProgress(2, "checking", ""))) == [
        SubmissionStep("building", "d\n"),
        SubmissionStep("checking"),
    ]
    ended = seen("entered", ("building", "a\nbc\nd"), ("checking", "fine"))
    assert list(follower.steps(ended, None)) == [
        SubmissionStep("checking", "fine\n"),
        SubmissionStep("entered", is_over=True),
    ]


def test_who_comes_late_hears_all_of_it() -> None:
    ended = seen("rejected", ("building", "a"), ("checking", "b"))
    assert list(Follower().steps(ended, None)) == [
        SubmissionStep("building", "a\n"),
        SubmissionStep("checking", "b\n"),
        SubmissionStep("rejected", is_over=True),
    ]


def test_work_that_begins_anew_is_told_anew() -> None:
    follower = Follower()
    list(follower.steps(seen("building"), WorkInProgress(1, "building", "half of")))
    assert list(follower.steps(seen("building"), WorkInProgress(2, "building", "ha"))) == [
        SubmissionStep("building", "ha")
    ]
    whole = seen("checking", ("building", "ha!"))
    assert list(follower.steps(whole, None)) == [SubmissionStep("building", "!\n"), SubmissionStep("checking")]


def test_a_log_that_is_not_what_was_heard_is_told_whole() -> None:
    follower = Follower()
    list(follower.steps(seen("building"), WorkInProgress(1, "building", "one")))
    assert next(follower.steps(seen("checking", ("building", "two")), None)) == SubmissionStep("building", "two\n")


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_line_breaks_at_the_end_which_are_not_stored_are_not_told_twice(end: str) -> None:
    follower = Follower()
    steps = [*follower.steps(seen("building"), WorkInProgress(1, "building", "done" + end))]
    steps += follower.steps(seen("checking", ("building", "done")), None)
    assert "".join(step.text for step in steps) == "done" + (end or "\n")


@given(st.text("ab\n", max_size=30), st.lists(st.integers(0, 30), max_size=6))
def test_however_a_text_is_cut_it_is_told_once(text: str, cuts: list[int]) -> None:
    follower, told = Follower(), ""
    for cut in sorted(cuts):
        told += "".join(
            step.text for step in follower.steps(seen("building"), WorkInProgress(1, "building", text[:cut]))
        )
    stored = seen("checking", ("building", text.rstrip("\n")))
    told += "".join(step.text for step in follower.steps(stored, None))
    assert told.rstrip("\n") == text.rstrip("\n")
