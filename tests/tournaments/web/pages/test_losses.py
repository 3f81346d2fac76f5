"""The decisions of lost matches, and at which step of the replay they are."""

import pytest

from referee.drawing.registry import drawer
from referee.drawing.steps import drawn_steps, last_steps
from referee.match.turning_points import swings
from tests.drawing.matches import random_match, watched
from tests.golden.tables import TABLES
from tournaments.web.pages.bots import DecisionCache, ReplayedDecision, decisions_of


@pytest.mark.parametrize("game", TABLES)
def test_each_decision_that_lowered_an_outlook_has_its_step_of_the_replay_and_what_was_chosen_there(game: str) -> None:
    played = watched(random_match(game, TABLES[game][0], 7))
    found = decisions_of(played)
    steps_of = last_steps(played)
    steps = list(drawn_steps(played, drawer(played.game), None))
    told = [
        (number, each.ask.number, played.game.describe_action(each.ask.legal[each.chosen]))
        for number, step in enumerate(steps)
        for each in step.decisions
        if each.chosen is not None
    ]
    assert found
    assert {(each.step, each.number, each.chose) for each in found} <= {*told}
    falls = {}
    for swing in swings(played.game, played.transcript):
        for seat in swing.move.cause if isinstance(swing.move.cause, dict) else ():
            if swing.change(seat) < 0:
                falls[steps_of[swing.number - 1]] = swing.before[seat], swing.after[seat]
    assert {each.step: (each.before, each.after) for each in found} == falls


def test_a_decision_is_told_with_what_its_seat_heard_just_before_and_no_more() -> None:
    found = decisions_of(watched(random_match("agent-avenue", TABLES["agent-avenue"][0], 7)))
    heard = [each.events for each in found if each.chose.startswith("recruit")]
    assert heard
    assert all(" face up and a card face down" in each for each in heard)


def test_decisions_are_computed_once_for_a_digest() -> None:
    cache, computed = DecisionCache(), []

    def compute() -> tuple[ReplayedDecision, ...]:
        computed.append(1)
        return ()

    assert [cache.get("ab", compute) for _ in range(3)] == [(), (), ()]
    assert computed == [1]
