"""The decisions of lost matches: at which step of the replay they are, and where a bot differs from the winners."""

import pytest

from referee.drawing.registry import drawer
from referee.drawing.steps import drawn_steps
from tests.drawing.matches import QUICK, golden_match, watched
from tests.tournaments.web.pages.every import decided
from tournaments.web.pages.decisions import DecisionCache, ReplayedDecision, compared, decisions_of

ONE_OF_EACH = {match.game: match for match in sorted(QUICK, key=str)}


@pytest.mark.parametrize("game", ONE_OF_EACH)
def test_each_decision_has_its_step_of_the_replay_and_what_was_chosen_there(game: str) -> None:
    played = watched(golden_match(ONE_OF_EACH[game]))
    found = decisions_of(played)
    steps = list(drawn_steps(played, drawer(played.game), None))
    told = [
        (number, each.ask.number, played.game.describe_action(each.ask.legal[each.chosen]))
        for number, step in enumerate(steps)
        for each in step.asked
        if each.chosen is not None
    ]
    assert told
    assert [(each.step, each.number, each.chose) for each in found] == told
    assert all(0 <= outlook <= 1 for each in found for outlook in (each.before, each.after))


def test_the_choices_in_which_a_bot_differs_most_from_the_winners_come_first() -> None:
    every = [each for match in decided() for each in match.decisions]
    never, always, *_ = compared("bob@1", every)
    assert never == ("discard Mole", 0, 6, 6, 6, None)
    assert always == ("play Sentinel face up, Enforcer face down", 6, 6, 0, 6, -0.5)
    assert compared("bob@1", every[:2]) == []  # too few to compare


def test_decisions_are_computed_once_for_a_digest() -> None:
    cache, computed = DecisionCache(), []

    def compute() -> tuple[ReplayedDecision, ...]:
        computed.append(1)
        return ()

    assert [cache.get("ab", compute) for _ in range(3)] == [(), (), ()]
    assert computed == [1]
