from collections import Counter

from tests.tournaments.leagues import league
from tournaments.schedule import plan
from tournaments.season import Season

PLAN = plan(league(("ann", "bob"), deals=20))
"""40 fixtures, each of the same two bots."""


def season(offenders: dict[str, set[str]] | None = None, reinstated: frozenset[str] = frozenset()) -> Season:
    return Season(PLAN, offenders or {}, Counter(), reinstated)


def faults(start: int, stop: int) -> dict[str, set[str]]:
    return {fixture.id: {"bob@1"} for fixture in PLAN[start:stop]}


def test_a_season_takes_up_where_the_store_stands() -> None:
    taken_up = season(faults(0, 5))
    assert taken_up.verdict().counted == PLAN[:5]
    assert not taken_up.wanted(PLAN[5])


def test_the_fault_that_suspends_stops_what_was_to_come_at_once() -> None:
    running = season()
    for fixture in PLAN[:5]:
        assert running.wanted(PLAN[20])
        running.settle(fixture.id, {"bob@1"})
    assert not running.wanted(PLAN[20])
    assert running.wanted(PLAN[4])


def test_a_suspension_that_clean_results_lifted_is_lifted_at_the_next_verdict() -> None:
    running = season(faults(20, 25))
    for fixture in PLAN[:20]:
        running.settle(fixture.id, set())
    assert running.verdict().remaining == PLAN[25:]
    assert all(map(running.wanted, PLAN[25:]))


def test_a_reinstated_bot_is_wanted_whatever_it_did() -> None:
    assert season(faults(0, 10), frozenset({"bob@1"})).wanted(PLAN[30])


def test_the_third_void_gives_a_fixture_up() -> None:
    running = season()
    for expected in (PLAN, PLAN, PLAN[1:]):
        running.void(PLAN[0].id)
        assert running.verdict().remaining == expected
    assert running.verdict().abandoned == PLAN[:1]
