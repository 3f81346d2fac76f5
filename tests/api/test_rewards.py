"""What the end of a match is worth: by places, by scores, or by a function."""

import pickle
from itertools import cycle
from random import Random
from typing import Any

import pytest

import referee
from referee.api.games import InstalledGame
from referee.api.matches import random_player
from referee.api.rewards import reward_rule
from referee.check.random_play import anyhow, prolonging, walk
from referee.core.game import Over
from referee.core.outcome import Outcome, Side
from referee.wire.json_codec import json_entry
from tests.api.space_tables import TABLES
from tests.auction import Auction
from tests.starter_game import load_rules

STARTER: Any = load_rules().StarterGame()
AVENUE, AGONIA = referee.game("agent-avenue").rules, referee.game("agonia").rules
TWO = (Side("a", (0, 2)), Side("b", (1,)))


def test_scores_are_those_of_the_outcome_and_normalized_from_minus_one_to_one() -> None:
    options = STARTER.options_type()
    outcome = Outcome("all_rounds_played", (1, 2, 3), (), (20, 0, -10))
    assert reward_rule("score", STARTER, options, 3)(outcome) == (20, 0, -10)
    assert reward_rule("normalized score", STARTER, options, 3)(outcome) == pytest.approx((1, -1 / 3, -1))
    assert reward_rule("places", STARTER, options, 3)(outcome) == (1, 0, -1)
    assert reward_rule(lambda it: [place**2 for place in it.places], STARTER, options, 3)(outcome) == [1, 4, 9]


@pytest.mark.parametrize(
    ("rewards", "expected"), [("places", (-1, 1)), ("score", (-10, 0)), ("normalized score", (-1, 0))]
)
def test_a_fault_has_no_scores_and_is_worth_the_lowest(rewards: Any, expected: tuple[float, ...]) -> None:
    fault = Outcome("fault", (2, 1), ())
    assert reward_rule(rewards, STARTER, STARTER.options_type(), 2)(fault) == expected


def test_a_game_without_scores_and_one_without_bounds_say_so() -> None:
    with pytest.raises(referee.WrongUse, match="agent-avenue has no scores; take rewards='places'"):
        referee.play("agent-avenue", [random_player] * 2, seed=1, rewards="score").rewards  # noqa: B018 - read
    with pytest.raises(referee.WrongUse, match="does not say which scores it can have"):
        referee.start("agent-avenue", rewards="normalized score")
    with pytest.raises(referee.WrongUse, match="rewards: 'wins' is not allowed; give 'places', 'score', "):
        referee.start("agent-avenue", rewards="wins")  # type: ignore[arg-type]


@pytest.mark.parametrize("rewards", ["places", "score", "normalized score"])
def test_matches_and_vectors_give_the_same_and_can_be_pickled(rewards: Any) -> None:
    matches = referee.vector("agonia", 4, seed=7, rewards=rewards)
    matches = pickle.loads(pickle.dumps(matches))  # noqa: S301 - it is our own
    finished = matches.step(matches.legal[matches.offsets[:-1]])
    while not len(finished.places):
        finished = matches.step(matches.legal[matches.offsets[:-1]])
    rule = reward_rule(rewards, AGONIA, AGONIA.options_type(), 2)
    assert finished.rewards[0].tolist() == pytest.approx(rule(finished.outcomes[0]))
    match = referee.play("agonia", [random_player] * 2, seed=7, rewards=rewards)
    assert match.rewards == rule(match.outcome)


def ends(rules: Any, options: Any, seats: int, count: int) -> Any:
    """Outcomes of random matches."""
    rng = Random(1)
    for _, choose in zip(range(count), cycle((anyhow, prolonging)), strict=False):
        *_, last = walk(rules, options, seats, choose, rng)
        over = rules.awaiting(last.after)
        assert isinstance(over, Over)
        yield over.outcome


@pytest.mark.slow
def test_by_places_ten_thousand_ends_without_uneven_sides_add_up_to_nothing() -> None:
    """What `referee.pyspiel` calls zero-sum: nobody with anybody, or sides of one size."""
    tables = [(table.rules, table.options, table.seats) for table in TABLES] + [
        (STARTER, options, seats) for options in STARTER.varieties for seats in STARTER.seats(options)
    ]
    tables += [(Auction(), Auction.options_type(rounds=3), seats) for seats in (2, 3, 4)]
    even = []
    for rules, options, seats in tables:
        sizes = {len(side.seats) for side in rules.sides(options, seats)}
        one = len(rules.sides(options, seats)) == 1
        if not one and not rules.deals_sides(options) and len(sizes) < 2:
            even.append((rules, options, seats))
    checked = 0
    for rules, options, seats in even:
        rule = reward_rule("places", rules, options, seats)
        for outcome in ends(rules, options, seats, 10_000 // len(even) + 1):
            assert sum(rule(outcome)) == pytest.approx(0, abs=1e-9)
            checked += 1
    assert checked >= 10_000


@pytest.mark.parametrize("rules", [STARTER, AGONIA])
def test_scores_lie_within_the_bounds_that_the_game_gives(rules: Any) -> None:
    for options in rules.varieties[:2]:
        for seats in rules.seats(options)[:2]:
            low, high = rules.score_range(options, seats)
            for outcome in ends(rules, options, seats, 5):
                assert all(low <= score <= high for score in outcome.scores)


def test_an_installed_game_settles_the_fewest_players_and_never_mixes_up_kinds_of_values() -> None:
    found = InstalledGame(json_entry(Auction()))
    assert found.settle(None, None)[0] == 2
    assert found.settle(None, {"rounds": 3}) == found.settle(2, {"rounds": "3"})
    assert found.settle(None, {"rounds": 1})[1].rounds == 1
    with pytest.raises(referee.WrongUse, match=r"options.rounds: True is not allowed"):
        found.settle(None, {"rounds": True})
