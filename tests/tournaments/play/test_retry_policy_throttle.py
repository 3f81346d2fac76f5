"""The pace of a run on a busy machine: by itself, and in leagues that are played."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.fakes import FakeExecutor, Run, auction_league, shuffled
from tests.tournaments.leagues import plan
from tournaments.league.model import Fixture
from tournaments.play.match_results import MatchVoided
from tournaments.play.retry_policy import CALM, FIRST_REST_MS, IN_VAIN_MS, LONGEST_REST_MS, MachineBusy, Throttle
from tournaments.results.progress import league_progress, league_status
from tournaments.schedule.counting_rules import VOIDS_ALLOWED

WORKERS = st.integers(1, 20)
COURSES = st.lists(st.booleans(), max_size=300)
"""Matches, one after the other: whether each was finished, or void because the machine was too busy."""


def after(workers: int, course: Iterable[bool]) -> Throttle:
    pace = Throttle(workers)
    for finished in course:
        if finished:
            pace.finish()
        else:
            pace.disturb()
    return pace


@given(WORKERS, COURSES)
def test_at_least_one_match_is_played_at_once_and_at_most_one_for_each_worker(workers: int, course: list[bool]) -> None:
    assert 1 <= after(workers, course).at_once <= workers


@given(WORKERS, COURSES)
def test_a_void_match_never_speeds_a_run_up_and_a_finished_one_never_slows_it_down(
    workers: int, course: list[bool]
) -> None:
    now = after(workers, course).at_once
    assert after(workers, [*course, False]).at_once <= now <= after(workers, [*course, True]).at_once


@given(WORKERS, COURSES)
def test_a_run_rests_only_if_it_plays_one_match_at_a_time_and_the_last_one_was_void(
    workers: int, course: list[bool]
) -> None:
    pace = after(workers, course)
    assert not pace.rest_ms or (pace.at_once == 1 and not course[-1])


@given(WORKERS, COURSES)
def test_after_enough_finished_matches_all_workers_play_again(workers: int, course: list[bool]) -> None:
    calm = CALM * sum(range(1, workers))
    assert after(workers, [*course, *[True] * calm]).at_once == workers


@given(WORKERS)
def test_a_run_without_void_matches_keeps_all_its_workers_and_never_rests(workers: int) -> None:
    pace = after(workers, [True] * 500)
    assert (pace.at_once, pace.rest_ms) == (workers, 0)


@given(st.integers(2, 20))
def test_matches_that_were_under_way_together_slow_a_run_down_once_and_the_next_one_again(workers: int) -> None:
    assert after(workers, [False] * workers).at_once == workers // 2
    assert after(workers, [False] * (workers + 1)).at_once == max(1, workers // 4)


def test_once_the_matches_that_were_under_way_are_over_a_void_slows_a_run_down_again() -> None:
    assert after(4, [False, True, True, False]).at_once == 2
    assert after(4, [False, True, True, True, False]).at_once == 1


def test_one_more_is_played_at_once_after_as_many_calm_matches_for_each() -> None:
    assert after(4, [False] * 4 + [True] * (2 * CALM - 1)).at_once == 2
    assert after(4, [False] * 4 + [True] * (2 * CALM)).at_once == 3
    assert after(4, [False] * 4 + [True] * (2 * CALM - 1) + [False] + [True] * (CALM - 1)).at_once == 1


def test_each_rest_is_twice_as_long_as_the_one_before_up_to_a_limit_and_a_finished_match_ends_them() -> None:
    rests = [after(1, [False] * count).rest_ms for count in range(1, 12)]
    assert rests[0] == FIRST_REST_MS
    assert rests[-1] == LONGEST_REST_MS
    assert all(later == min(2 * rest, LONGEST_REST_MS) for rest, later in pairwise(rests))
    assert after(1, [*[False] * 9, True, False]).rest_ms == FIRST_REST_MS


def test_a_run_is_given_up_after_it_has_rested_for_an_hour_without_a_finished_match() -> None:
    pace, rested_ms = Throttle(1), 0
    for _ in range(100):
        pace.disturb()
        assert pace.hopeless == (rested_ms >= IN_VAIN_MS)
        if pace.hopeless:
            break
        rested_ms += pace.rest_ms
    assert pace.hopeless
    pace.finish()
    pace.disturb()
    assert not pace.hopeless


# Leagues

LEAGUE = auction_league(deals=5)


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the league on a machine that is never busy."""
    with Run(tmp_path_factory.mktemp("quiet"), LEAGUE) as run:
        return run.play(FakeExecutor()).standings().digest


@pytest.mark.parametrize("ahead", [1, 2, 8])
def test_matches_that_are_void_ten_times_are_played_in_the_end_and_the_digest_is_the_same(
    tmp_path: Path, digest: str, ahead: int
) -> None:
    often = {fixture.id for fixture in Random(ahead).sample(plan(LEAGUE), 5)}
    executor = FakeExecutor(
        busy=lambda fixture, attempt: fixture.id in often and attempt <= 10, ahead=ahead, arrange=shuffled(ahead)
    )
    with Run(tmp_path, LEAGUE) as run:
        table = run.play(executor).standings()
        status = league_status(run.open.results)
    assert (table.digest, status.progress.matches.played, status.progress.matches.abandoned) == (digest, 30, 0)
    assert (status.progress.void, status.progress.machine_busy) == (50, 50)
    assert {fixture for fixture, started in executor.started.items() if started == 11} == often


def test_a_league_slows_down_after_a_void_and_speeds_up_again(tmp_path: Path) -> None:
    league = auction_league(deals=20)
    executor = FakeExecutor(busy=lambda fixture, attempt: fixture == plan(league)[7] and attempt == 1, ahead=8)
    with Run(tmp_path, league) as run:
        run.play(executor)
        (void,) = (at for at, result in enumerate(run.told) if isinstance(result, MatchVoided))
    assert set(executor.under_way[: void + 1]) == {8}
    assert executor.under_way[void + 4 : void + 40] == [4] * 36
    assert 5 in executor.under_way[void + 40 :]


def test_voids_of_a_busy_machine_do_not_count_in_later_runs_either(tmp_path: Path, digest: str) -> None:
    for _ in range(2):
        with Run(tmp_path, LEAGUE) as run, pytest.raises(MachineBusy):
            run.play(FakeExecutor(busy=lambda _fixture, _attempt: True))
    with Run(tmp_path, LEAGUE) as run:
        assert league_progress(run.open.results).void > VOIDS_ALLOWED * len(plan(LEAGUE))
        assert run.play(FakeExecutor()).standings().digest == digest


def test_other_voids_still_count_beside_those_of_a_busy_machine(tmp_path: Path) -> None:
    (lost, *_) = plan(LEAGUE)

    def loses(fixture: Fixture, attempt: int) -> bool:
        return fixture == lost and attempt % 2 == 0

    def busy(fixture: Fixture, attempt: int) -> bool:
        return fixture == lost and attempt % 2 == 1

    with Run(tmp_path, LEAGUE) as run:
        executor = FakeExecutor(loses=loses, busy=busy)
        status = league_status(run.play(executor).open.results)
    assert executor.started[lost.id] == 6
    assert (status.progress.void, status.progress.machine_busy, status.progress.matches.abandoned) == (6, 3, 1)


def test_a_run_rests_longer_and_longer_and_each_void_is_told_before_the_rest(tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE) as run:
        run.machine.now = FakeExecutor(busy=lambda _, attempt: attempt == 1)
        told = [(isinstance(result, MatchVoided), sum(run.machine.waited_ms)) for result in run.open.play()]
    assert told[:4] == [(True, 0), (True, 1_000), (True, 3_000), (True, 7_000)]
    assert [void for void, _ in told] == [True] * 30 + [False] * 30
    assert len(run.machine.waited_ms) == 30


def test_a_machine_that_is_too_busy_for_an_hour_ends_the_run_and_what_was_played_is_kept(tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE) as run:
        with pytest.raises(MachineBusy, match=r"^the machine is too busy: .* rests of 60 minutes in all"):
            run.play(FakeExecutor(busy=lambda fixture, _: "cid@1" in fixture.entries, ahead=4))
        assert league_progress(run.open.results).matches.played == 10
        assert league_progress(run.open.results).matches.remaining == 20
        assert IN_VAIN_MS <= sum(run.machine.waited_ms) <= IN_VAIN_MS + 20 * LONGEST_REST_MS


def test_a_bot_whose_matches_are_always_void_does_not_keep_the_others_from_playing(tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE) as run, pytest.raises(MachineBusy):
        run.play(FakeExecutor(busy=lambda fixture, _: "ann@1" in fixture.entries))
    finished = [at for at, result in enumerate(run.told) if not isinstance(result, MatchVoided)]
    assert len(finished) == 10
    assert finished[-1] < len(plan(LEAGUE))  # in the first pass over the plan
