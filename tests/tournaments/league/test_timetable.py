"""Which leagues are due, what a runner does about the others, and a clock that jumps."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.league.timetable import (
    JUMP_MS,
    TRUST_MS,
    Rest,
    RunnerState,
    Situation,
    SteadyClock,
    must_give_way,
    timetable,
)

LADDER = Situation("ladder", is_open=True)
WEEK = Situation("week", is_open=False)


@pytest.mark.parametrize(
    ("situation", "state"),
    [
        (WEEK, RunnerState("due")),
        (Situation("week", False, is_closed=True, pause="ill"), RunnerState("closed")),
        (Situation("week", False, pause="ill", starts_ms=2_000), RunnerState("paused", reason="ill")),
        (Situation("week", False, starts_ms=2_000, checks=3), RunnerState("waits for its time", 2_000)),
        (Situation("week", False, starts_ms=1_000, checks=3, lacks=2), RunnerState("waits for checks", number=3)),
        (Situation("week", False, is_begun=True, checks=3), RunnerState("due")),
        (Situation("week", False, lacks=2), RunnerState("waits for bots", number=2)),
        (Situation("week", False, rest=Rest(1_500, "away")), RunnerState("rests", 1_500, reason="away")),
        (Situation("week", False, rest=Rest(1_000, "away")), RunnerState("due")),
        (Situation("week", False, is_done=True), RunnerState("idle")),
    ],
)
def test_what_a_runner_does_about_a_league(situation: Situation, state: RunnerState) -> None:
    plan = timetable([situation], 1_000)
    assert plan.states == {"week": state}
    assert plan.due == (("week",) if state.kind == "due" else ())


def test_leagues_that_end_come_before_open_ones_in_their_order() -> None:
    other = Situation("other", is_open=False)
    assert timetable([LADDER, WEEK, other], 0).due == ("week", "other", "ladder")


def test_an_open_league_gives_way_to_one_that_becomes_due() -> None:
    late = Situation("week", is_open=False, starts_ms=1_000)
    assert not must_give_way("ladder", timetable([LADDER, late], 999))
    assert must_give_way("ladder", timetable([LADDER, late], 1_000))


def test_a_league_that_is_played_is_not_given_up_for_one_that_comes_after_it() -> None:
    assert not must_give_way("week", timetable([LADDER, WEEK], 0))


@pytest.mark.parametrize("now", [Situation("week", False, pause=""), Situation("week", False, is_closed=True)])
def test_a_league_that_is_paused_or_closed_is_played_no_further(now: Situation) -> None:
    assert must_give_way("week", timetable([now], 0))


def test_the_next_look_is_when_the_first_wait_is_over() -> None:
    waits = [Situation("a", False, starts_ms=50), Situation("b", False, rest=Rest(40, "")), LADDER]
    assert timetable(waits, 0).look_ms == 40
    assert timetable([LADDER], 0).look_ms is None


situations = st.builds(
    Situation,
    league=st.uuids().map(str),
    is_open=st.booleans(),
    starts_ms=st.none() | st.integers(0, 20),
    is_begun=st.booleans(),
    is_closed=st.booleans(),
    pause=st.none() | st.just(""),
    checks=st.integers(0, 2),
    lacks=st.integers(0, 2),
    is_done=st.booleans(),
    rest=st.none() | st.builds(Rest, st.integers(0, 20), st.just("")),
)


@given(st.lists(situations, max_size=6), st.integers(0, 20))
def test_while_nothing_else_changes_nothing_becomes_due_before_the_next_look(now: list[Situation], at_ms: int) -> None:
    plan = timetable(now, at_ms)
    assert plan.states.keys() == {each.league for each in now}
    if plan.look_ms is not None:
        assert plan.look_ms > at_ms
    for later_ms in range(at_ms, 21 if plan.look_ms is None else plan.look_ms):
        assert timetable(now, later_ms).due == plan.due


SENTENCES = [
    (RunnerState("waits for checks", number=1), "waits for 1 bot that is still checked"),
    (RunnerState("waits for checks", number=2), "waits for 2 bots that are still checked"),
    (RunnerState("waits for checks"), "waits for checks"),
    (RunnerState("waits for bots", number=3), "waits for 3 bots"),
    (RunnerState("rests", 5, reason="no disk"), "rests: no disk"),
    (RunnerState("paused"), "paused"),
    (RunnerState("plays"), "plays"),
]


@pytest.mark.parametrize(("state", "sentence"), SENTENCES)
def test_the_state_of_a_runner_in_words(state: RunnerState, sentence: str) -> None:
    assert state.sentence == sentence


def test_a_clock_that_jumps_and_comes_back_changes_nothing() -> None:
    clock = SteadyClock(1_000_000, 0)
    hour = 3_600_000
    told = [
        clock.now_ms(1_000_000 + ran + (hour if 10_000 <= ran < 60_000 else 0), ran) for ran in range(0, 90_000, 1_000)
    ]
    assert told == [1_000_000 + ran for ran in range(0, 90_000, 1_000)]


@pytest.mark.parametrize("jump_ms", [7_200_000, -7_200_000])
def test_a_clock_that_stays_where_it_jumped_is_believed_after_ten_minutes(jump_ms: int) -> None:
    clock = SteadyClock(1_000_000, 0)
    clock.now_ms(1_000_000 + jump_ms + 1_000, 1_000)
    assert clock.now_ms(1_000_000 + jump_ms + TRUST_MS, TRUST_MS) == 1_000_000 + TRUST_MS
    assert clock.now_ms(1_001_000 + jump_ms + TRUST_MS, 1_000 + TRUST_MS) == 1_001_000 + jump_ms + TRUST_MS


def test_each_new_jump_begins_the_ten_minutes_anew() -> None:
    clock = SteadyClock(0, 0)
    jumps = [3_600_000, 7_200_000, 3_600_000, 7_200_000]
    for turn, jump_ms in enumerate(jumps):
        ran = turn * TRUST_MS // 2
        assert clock.now_ms(ran + jump_ms, ran) == ran


def test_a_clock_that_drifts_is_followed() -> None:
    clock, drift_ms = SteadyClock(0, 0), 0
    for ran in range(0, 100 * JUMP_MS, JUMP_MS):
        drift_ms += JUMP_MS // 2
        assert clock.now_ms(ran + drift_ms, ran) == ran + drift_ms


def test_the_time_never_goes_back_while_the_clock_jumps_to_and_fro() -> None:
    clock = SteadyClock(0, 0)
    told = [clock.now_ms(ran + 3_600_000 * (ran // 7_000 % 2), ran) for ran in range(0, 100_000, 500)]
    assert all(one <= other for one, other in pairwise(told))
