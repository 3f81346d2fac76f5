from itertools import pairwise

from tournaments.league.model import Absent, Entry, Fixture, Remote
from tournaments.play.match_results import MatchPostponed
from tournaments.play.retry_policy import FIRST_WAIT_MS, LONGEST_WAIT_MS, PATIENCE_MS, RetryPolicy, UnreachableBots


def test_nobody_is_away_at_first() -> None:
    absences = UnreachableBots()
    assert absences.wait_ms(now_ms=0) == 0
    assert not absences.awaited(now_ms=0)
    assert absences.given_up(now_ms=PATIENCE_MS) == {}


def test_who_was_missed_is_called_again_after_a_while() -> None:
    absences = UnreachableBots()
    absences.miss("far@1", "down", now_ms=5)
    assert absences.wait_ms(now_ms=5) == FIRST_WAIT_MS
    assert absences.awaited(now_ms=5 + FIRST_WAIT_MS - 1) == {"far@1"}
    assert not absences.awaited(now_ms=5 + FIRST_WAIT_MS)
    assert "near@1" not in absences.awaited(now_ms=5)
    assert absences.wait_ms(now_ms=5 + 2 * FIRST_WAIT_MS) == 0


def test_every_wait_is_twice_as_long_as_the_one_before_up_to_a_limit() -> None:
    absences, now_ms, waits = UnreachableBots(), 0, []
    for _ in range(10):
        absences.miss("far@1", "down", now_ms)
        waits.append(absences.wait_ms(now_ms))
        now_ms += waits[-1]
    assert waits[0] == FIRST_WAIT_MS
    assert waits[-1] == LONGEST_WAIT_MS
    assert all(after == min(2 * before, LONGEST_WAIT_MS) for before, after in pairwise(waits))


def test_who_has_played_begins_anew() -> None:
    absences = UnreachableBots()
    absences.miss("far@1", "down", now_ms=0)
    absences.miss("far@1", "down", now_ms=1_000)
    absences.met(["far@1", "near@1"])
    assert absences.wait_ms(now_ms=1_000) == 0
    absences.miss("far@1", "down", now_ms=9_000)
    assert absences.wait_ms(now_ms=9_000) == FIRST_WAIT_MS
    assert absences.given_up(now_ms=PATIENCE_MS) == {}


def test_who_was_away_for_too_long_is_given_up_with_the_last_reason() -> None:
    absences = UnreachableBots()
    absences.miss("far@1", "down", now_ms=7)
    absences.miss("far@1", "still down", now_ms=8)
    absences.miss("late@1", "down", now_ms=9)
    assert absences.given_up(now_ms=6 + PATIENCE_MS) == {}
    given_up = absences.given_up(now_ms=7 + PATIENCE_MS)
    assert {entry: absence.reason for entry, absence in given_up.items()} == {"far@1": "still down"}


def test_the_next_call_is_of_whoever_is_due_first() -> None:
    absences = UnreachableBots()
    absences.miss("far@1", "down", now_ms=0)
    absences.miss("far@1", "down", now_ms=1_000)
    absences.miss("late@1", "down", now_ms=1_500)
    assert absences.wait_ms(now_ms=1_500) == FIRST_WAIT_MS


def test_a_bot_that_is_due_and_plays_only_against_one_that_is_awaited_does_not_keep_the_run_busy() -> None:
    absences = UnreachableBots()
    now_ms = 0
    for _ in range(7):
        absences.miss("late@1", "down", now_ms)
        now_ms += absences.wait_ms(now_ms)
    absences.miss("late@1", "down", now_ms)
    absences.miss("far@1", "down", now_ms)
    assert absences.awaited(now_ms + FIRST_WAIT_MS) == {"late@1"}
    assert absences.wait_ms(now_ms + FIRST_WAIT_MS) == FIRST_WAIT_MS
    assert absences.wait_ms(now_ms + 2 * FIRST_WAIT_MS) == LONGEST_WAIT_MS - 2 * FIRST_WAIT_MS
    absences.met(["late@1"])
    assert absences.wait_ms(now_ms + 3 * FIRST_WAIT_MS) == 0, "it may play now"


def test_calls_that_failed_at_the_same_time_make_one_wait() -> None:
    absences = UnreachableBots()
    for _ in range(16):
        absences.miss("far@1", "down", now_ms=5)
    assert absences.wait_ms(now_ms=5) == FIRST_WAIT_MS


def test_no_bot_is_awaited_for_hours_because_the_clock_was_set_back() -> None:
    absences = UnreachableBots()
    absences.miss("far@1", "down", now_ms=7_200_000)
    assert not absences.awaited(now_ms=0)
    assert absences.wait_ms(now_ms=0) == 0


def test_a_bot_that_comes_is_called_at_once_and_is_away_since_the_same_time() -> None:
    absences = UnreachableBots()
    absences.miss("far@1", "down", now_ms=5)
    absences.come(["far@1", "near@1"], now_ms=6)
    assert not absences.awaited(now_ms=6)
    assert absences.given_up(now_ms=5 + PATIENCE_MS).keys() == {"far@1"}


def test_each_bot_is_given_up_after_its_own_time() -> None:
    absences = UnreachableBots()
    for name in ("far@1", "further@1"):
        absences.miss(name, "down", now_ms=0)
    assert absences.given_up(1_000, {"far@1": 1_000}).keys() == {"far@1"}


def remote(absent: Absent) -> dict[str, Entry]:
    return {"far@1": Entry("far@1", "seat:far/far@1", Remote(absent=absent, patience_s=2, calls=True))}


def missing(entries: dict[str, Entry], until_ms: int) -> RetryPolicy:
    policy = RetryPolicy(1)
    policy.note(MatchPostponed(Fixture("x", "t", ("far@1", "a@1"), 0, 0), "far@1", "no program of it is here"), 0)
    policy.end_pass(until_ms, entries)
    return policy


def test_a_bot_whose_entry_says_skip_is_left_out_after_its_patience_and_the_run_goes_on() -> None:
    assert missing(remote("skip"), 1_999).left_out == frozenset()
    policy = missing(remote("skip"), 2_000)
    assert (policy.left_out, policy.failure, policy.pause_ms) == ({"far@1"}, None, 0)


def test_a_run_ends_after_the_patience_of_a_bot_whose_entry_says_wait() -> None:
    assert missing(remote("wait"), 1_999).failure is None
    policy = missing(remote("wait"), 2_000)
    assert policy.left_out == frozenset()
    assert str(policy.failure) == "not reached for 2 s: far@1 (no program of it is here); what was played is kept"
