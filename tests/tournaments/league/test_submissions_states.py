from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.league.submissions import TABLE, UNDER_WAY, Event, NotNow, State, after

STATES: tuple[State, ...] = get_args(State)
EVENTS: tuple[Event, ...] = get_args(Event)


def test_a_bot_that_passes_goes_from_received_to_entered_and_one_that_fails_anywhere_is_rejected() -> None:
    state: State = "received"
    steps: list[tuple[Event, State]] = [("build", "building"), ("check", "checking"), ("enter", "entered")]
    for event, expected in steps:
        assert after(state, "reject") == "rejected"
        state = after(state, event)
        assert state == expected


@given(st.lists(st.sampled_from(EVENTS), max_size=12))
def test_nothing_comes_on_the_roster_but_from_a_check_whatever_happens(events: list[Event]) -> None:
    state: State = "received"
    for event in events:
        before = state
        try:
            state = after(state, event)
        except NotNow:
            continue
        assert state != "entered" or (before, event) == ("checking", "enter")
        assert before != "deleted"


def test_what_is_done_in_each_state_is_all_that_can_be_done_there() -> None:
    assert set(TABLE) == set(STATES)
    possible = {(state, event) for state, events in TABLE.items() for event in events}
    for state in STATES:
        for event in EVENTS:
            if (state, event) not in possible:
                with pytest.raises(NotNow, match=f"this submission is {state}, so there is no {event} now"):
                    after(state, event)


def test_only_what_is_not_under_way_is_deleted_and_that_is_for_good() -> None:
    assert {state for state in STATES if "delete" in TABLE[state]} == set(STATES) - UNDER_WAY - {"deleted"}
    assert TABLE["deleted"] == {}


def test_from_each_state_that_is_under_way_there_is_a_way_to_an_end() -> None:
    for state in UNDER_WAY:
        assert after(state, "reject") not in UNDER_WAY
