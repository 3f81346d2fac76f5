from collections.abc import Callable, Iterator

import pytest

from tests.tournaments.leagues import league, match, plan
from tournaments.play.loop import MOST, OLDEST_MS, in_groups
from tournaments.play.match_results import MatchPostponed, MatchVoided, Result

FIXTURES = plan(league())
MATCHES = [match(fixture) for fixture in FIXTURES[:3]]


def stands_still() -> int:
    return 1_000


def passes(*readings: int) -> Callable[[], int]:
    """A clock that shows these times, one after the other."""
    left = iter(readings)
    return lambda: next(left)


def test_finished_matches_wait_for_a_pause_and_come_in_one_group() -> None:
    assert list(in_groups([*MATCHES, None], stands_still)) == [MATCHES]


def test_what_is_left_at_the_end_is_a_group() -> None:
    assert list(in_groups([MATCHES[0], None, MATCHES[1]], stands_still)) == [MATCHES[:1], MATCHES[1:2]]


def test_a_pause_without_results_makes_no_group() -> None:
    assert list(in_groups([None, None], stands_still)) == []


def test_a_group_is_never_larger_than_128() -> None:
    groups = list(in_groups([MATCHES[0]] * (2 * MOST + 1), stands_still))
    assert [len(group) for group in groups] == [128, 128, 1]


def test_a_result_waits_no_longer_than_50_ms_for_others() -> None:
    # The clock is read when a group begins, and after each result.
    clock = passes(0, 0, OLDEST_MS - 1, OLDEST_MS, 80, 80)
    assert list(in_groups([*MATCHES, MATCHES[0]], clock)) == [MATCHES, MATCHES[:1]]


def test_a_clock_that_is_set_back_ends_the_group() -> None:
    assert list(in_groups(MATCHES[:2], passes(5_000, 1_000, 1_000, 1_000))) == [MATCHES[:1], MATCHES[1:2]]


@pytest.mark.parametrize(
    "result",
    [
        MatchVoided(FIXTURES[5], "lost"),
        MatchVoided(FIXTURES[5], "busy", busy=True),
        MatchPostponed(FIXTURES[5], "ann@1", "-"),
    ],
)
def test_what_may_decide_what_is_played_next_does_not_wait(result: Result) -> None:
    assert list(in_groups([MATCHES[0], result, MATCHES[1]], stands_still)) == [[MATCHES[0], result], [MATCHES[1]]]


@pytest.mark.parametrize("error", [OSError("the pipe broke"), SystemExit(130), KeyboardInterrupt()])
def test_before_an_error_is_raised_or_a_run_stopped_what_came_before_is_given_out(error: BaseException) -> None:
    def results() -> Iterator[Result]:
        yield from MATCHES
        raise error

    groups = in_groups(results(), stands_still)
    assert next(groups) == MATCHES
    with pytest.raises(type(error)):
        next(groups)


def test_who_takes_no_more_groups_gets_none() -> None:
    groups = in_groups(iter(MATCHES), passes(0, 60, 60, 60, 60, 60))
    assert next(groups) == MATCHES[:1]
    groups.close()  # type: ignore[attr-defined]
