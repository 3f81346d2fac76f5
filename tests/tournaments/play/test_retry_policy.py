"""The table of what follows from a result: each row, and each row beside each other."""

from itertools import permutations
from typing import NamedTuple

import pytest

from referee.core.errors import OurFailure
from tests.tournaments.leagues import league, plan
from tests.tournaments.play.rows import ROWS, row_of
from tournaments.league.model import Entry, FinishedMatch, Fixture, Remote, StoredVoid
from tournaments.play.match_results import BrokenBatch, MatchVoided
from tournaments.play.retry_policy import (
    BATCH_FAILURES_ALLOWED,
    CALM,
    FAILED_STARTS_ALLOWED,
    FIRST_REST_MS,
    FIRST_START_REST_MS,
    FIRST_WAIT_MS,
    IN_A_ROW,
    IN_VAIN_MS,
    LONGEST_REST_MS,
    PATIENCE_MS,
    BotsUnreachable,
    MachineBusy,
    MachineCannotStart,
    RetryPolicy,
    WorkersFail,
    stored_voids,
)

NAMES = ("ann", "bob", "cid", "dan", "eve", "fay")
ENTRIES = {f"{name}@1": Entry(f"{name}@1", f"https://{name}.example", Remote(forgiven=9)) for name in NAMES}
PLAN = plan(league(NAMES, 1))


def fixture_of(*names: str) -> Fixture:
    """A fixture between these bots, in these seats."""
    return next(each for each in PLAN if each.entries == tuple(f"{name}@1" for name in names))


ONE, OTHER, THIRD = fixture_of("ann", "bob"), fixture_of("cid", "dan"), fixture_of("eve", "fay")


def note(policy: RetryPolicy, row: str, fixture: Fixture = ONE, now_ms: int = 0) -> None:
    """Let the policy judge a result of this row, and note it."""
    result = ROWS[row](fixture)
    policy.note(result if isinstance(result, BrokenBatch) else policy.judge(result, ENTRIES), now_ms)


def after(*rows: str, workers: int = 4) -> RetryPolicy:
    policy = RetryPolicy(workers)
    for row in rows:
        note(policy, row)
    return policy


def stored(row: str) -> list[StoredVoid]:
    result = ROWS[row](ONE)
    assert not isinstance(result, BrokenBatch)
    return stored_voids(RetryPolicy(1).judge(result, ENTRIES), 7)


def changes_nothing(policy: RetryPolicy) -> bool:
    may_play = policy.may_play(ONE.entries, 0) and not policy.singly(ONE.entries)
    return may_play and (policy.at_once, policy.pause_ms, policy.failure, policy.unreachable(0)) == (4, 0, None, set())


def test_each_row_has_a_result_and_each_result_its_row() -> None:
    assert [row_of(make(ONE)) for make in ROWS.values()] == list(ROWS)
    table = (RetryPolicy.__doc__ or "").split("|---|")[-1]
    assert [line.split("|")[1].strip() for line in table.splitlines() if line.strip().startswith("| ")] == list(ROWS)


def test_a_finished_match_is_no_void_and_resets_the_counters_of_its_bots_its_line_up_and_starts() -> None:
    assert stored("finished") == []
    assert changes_nothing(after("finished"))
    assert after("postponed", "finished").unreachable(0) == set()
    lost = ["void, worker lost"] * (IN_A_ROW - 1)
    assert after(*lost, "finished", *lost).may_play(ONE.entries, 0)
    starts = ["cannot start"] * (FAILED_STARTS_ALLOWED - 1)
    assert after(*starts, "finished", *starts, workers=1).failure is None


def test_after_enough_finished_matches_one_more_is_played_at_once() -> None:
    slow = after(*["void, busy"] * 4, *["finished"] * (2 * CALM - 1))
    assert slow.at_once == 2
    note(slow, "finished")
    assert slow.at_once == 3


def test_a_forgiven_match_is_void_without_counting_and_its_bot_waits() -> None:
    (void,) = stored("finished, forgiven")
    assert (void.forgiven, void.counts, void.busy) == ("ann@1", False, False)
    policy = after("finished, forgiven")
    assert policy.unreachable(0) == {"ann@1"}
    assert not policy.may_play(ONE.entries, FIRST_WAIT_MS - 1)
    assert policy.may_play(ONE.entries, FIRST_WAIT_MS)


def test_a_bot_is_forgiven_as_often_as_its_entry_says_in_all_runs_together() -> None:
    entries = {**ENTRIES, "ann@1": Entry("ann@1", "https://ann.example", Remote(forgiven=2))}
    result = ROWS["finished, forgiven"](ONE)
    assert isinstance(result, FinishedMatch)
    policy = RetryPolicy(1, voids=[StoredVoid("earlier", "", 0, forgiven="ann@1")])
    assert isinstance(policy.judge(result, entries), MatchVoided)
    assert policy.judge(result, entries) is result


def test_a_bot_that_entered_since_the_run_began_is_forgiven_too() -> None:
    result = ROWS["finished, forgiven"](ONE)
    assert isinstance(result, FinishedMatch)
    policy = RetryPolicy(1)
    assert policy.judge(result, {**ENTRIES, "ann@1": Entry("ann@1", "/bots/ann")}) is result
    assert isinstance(policy.judge(result, ENTRIES), MatchVoided)


def test_a_void_match_counts_and_changes_nothing_else() -> None:
    assert stored("void") == [StoredVoid(ONE.id, "the bot was not started", 7)]
    assert changes_nothing(after("void"))


def test_a_busy_void_does_not_count_and_half_as_many_are_played_at_once_and_then_one_with_rests() -> None:
    assert [(void.busy, void.counts) for void in stored("void, busy")] == [(True, False)]
    assert after("void, busy").at_once == 2
    assert after("void, busy", workers=1).pause_ms == FIRST_REST_MS
    assert after("void, busy", "void, busy", workers=1).pause_ms == 2 * FIRST_REST_MS
    assert after("void, busy", "void", workers=1).pause_ms == 0


def test_an_hour_of_rests_in_vain_ends_the_run_as_the_machine_is_busy() -> None:
    policy, rested_ms = RetryPolicy(1), 0
    while policy.failure is None:
        note(policy, "void, busy")
        rested_ms += policy.pause_ms
    assert isinstance(policy.failure, MachineBusy)
    assert IN_VAIN_MS <= rested_ms <= IN_VAIN_MS + 2 * LONGEST_REST_MS


def test_a_busy_void_elsewhere_does_not_count_and_slows_nothing_down_here() -> None:
    assert [(void.busy, void.counts) for void in stored("void, busy elsewhere")] == [(True, False)]
    assert changes_nothing(after(*["void, busy elsewhere"] * 500))


def test_a_void_with_a_lost_worker_counts_and_the_third_in_a_row_lets_its_line_up_wait_for_others() -> None:
    assert [void.counts for void in stored("void, worker lost")] == [True]
    assert after(*["void, worker lost"] * (IN_A_ROW - 1)).may_play(ONE.entries, 0)
    policy = after(*["void, worker lost"] * IN_A_ROW)
    assert not policy.may_play(ONE.entries, 0)
    assert policy.may_play(OTHER.entries, 0)
    policy.end_pass(0)
    assert not policy.may_play(ONE.entries, 0), "something was played"
    policy.end_pass(0)
    assert policy.may_play(ONE.entries, 0), "nothing else is left"
    assert policy.failure is None


def test_workers_lost_with_three_line_ups_without_a_common_bot_end_the_run() -> None:
    policy = RetryPolicy(1)
    for fixture in (ONE, OTHER):
        note(policy, "void, worker lost", fixture)
        assert policy.failure is None
    note(policy, "void, worker lost", THIRD)
    assert isinstance(policy.failure, WorkersFail)


def test_of_a_match_that_cannot_start_nothing_is_stored_and_the_fourth_in_a_row_ends_the_run() -> None:
    assert stored("cannot start") == []
    policy, pauses = RetryPolicy(1), []
    for _ in range(FAILED_STARTS_ALLOWED - 1):
        note(policy, "cannot start")
        pauses.append(policy.pause_ms)
        assert policy.at_once == 1
        assert policy.failure is None
    assert pauses == [FIRST_START_REST_MS, 2 * FIRST_START_REST_MS, 4 * FIRST_START_REST_MS]
    note(policy, "cannot start")
    assert isinstance(policy.failure, MachineCannotStart)


def test_of_a_postponed_match_nothing_is_stored_and_its_bot_waits() -> None:
    assert stored("postponed") == []
    policy = after("postponed")
    assert policy.unreachable(0) == {"ann@1"}
    assert (policy.at_once, policy.pause_ms, policy.failure) == (4, 0, None)
    policy.end_pass(1)
    assert policy.pause_ms == FIRST_WAIT_MS - 1


@pytest.mark.parametrize("row", ["postponed", "finished, forgiven"])
def test_a_bot_that_is_away_for_an_hour_ends_the_run_when_nothing_else_is_left(row: str) -> None:
    def failure(now_ms: int) -> OurFailure | None:
        policy = after(row)
        policy.end_pass(now_ms)
        return policy.failure

    assert failure(PATIENCE_MS - 1) is None
    found = failure(PATIENCE_MS)
    assert isinstance(found, BotsUnreachable)
    assert "ann@1" in str(found)


def test_a_bot_that_breaks_a_batch_plays_singly_for_good_after_the_third_in_all_runs_together() -> None:
    assert changes_nothing(after(*["batch broken by a bot"] * (BATCH_FAILURES_ALLOWED - 1)))
    policy = after(*["batch broken by a bot"] * BATCH_FAILURES_ALLOWED)
    assert (policy.singly(("ann@1", "cid@1")), policy.singly(("bob@1", "cid@1"))) == (True, False)
    again = RetryPolicy(1, broken_batches={"ann@1": BATCH_FAILURES_ALLOWED - 1})
    note(again, "batch broken by a bot")
    assert again.singly(ONE.entries)


def test_a_batch_that_we_broke_is_held_against_nobody() -> None:
    assert changes_nothing(after(*["batch broken by us"] * 99))


class _Follows(NamedTuple):
    """What follows for the bots, and whether the run ends."""

    away: set[str]
    last: set[str]
    singly: set[str]
    ends: bool


def what_follows(*noted: tuple[str, Fixture]) -> _Follows:
    """What follows if each of these rows is noted three times for its fixture, in turn."""
    policy = RetryPolicy(8)
    for _ in range(3):
        for row, fixture in noted:
            note(policy, row, fixture)
    return _Follows(
        set(policy.unreachable(0)),
        {each.id for each in (ONE, OTHER) if not policy.may_play(each.entries, FIRST_WAIT_MS)},
        {name for name in ENTRIES if policy.singly((name,))},
        policy.failure is not None,
    )


@pytest.mark.parametrize(("one", "other"), [*permutations(ROWS, 2)])
def test_what_follows_for_the_bots_of_one_row_is_the_same_beside_any_other(one: str, other: str) -> None:
    alone, beside = what_follows((one, ONE)), what_follows((other, OTHER))
    together = what_follows((one, ONE), (other, OTHER))
    assert together == _Follows(
        alone.away | beside.away, alone.last | beside.last, alone.singly | beside.singly, alone.ends or beside.ends
    )
