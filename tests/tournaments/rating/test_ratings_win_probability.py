import random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rating.contest import Member, Team
from tournaments.rating.ratings import beats, expected_score
from tournaments.rating.scale import BETA, Rating, draw_margin

RATINGS = {"a": Rating(29.0, 1.0), "b": Rating(25.0, 1.0), "c": Rating(21.0, 1.0), "~side": Rating(27.0, 1.0)}
DRAWS = 0.2

names = st.sampled_from(sorted(RATINGS))
teams = st.lists(names, min_size=1, max_size=3, unique=True).map(
    lambda found: tuple(Member(name, 1 / len(found)) for name in found)
)


def test_the_chances_are_those_in_the_docs() -> None:
    table = {0: 0.50, 1: 0.57, 2: 0.63, 4: 0.75, 8: 0.91}
    assert {gap: round(beats(Rating(25.0 + gap, 1.0), Rating(25.0, 1.0)), 2) for gap in table} == table


def test_the_expected_score_is_the_chance_to_win_and_half_the_chance_to_draw() -> None:
    deviation = BETA * 2**0.5
    margin = draw_margin(DRAWS, 2)
    gap = NormalDist(4.0, deviation)
    wins, losses = 1 - gap.cdf(margin), gap.cdf(-margin)
    expected = expected_score((Member("a"),), (Member("b"),), RATINGS, DRAWS)
    assert expected == pytest.approx(wins + (1 - wins - losses) / 2)


def test_a_team_is_as_good_as_its_members_and_its_side_together() -> None:
    pair = (Member("a", 0.5), Member("c", 0.5), Member("~side"))
    rng = random.Random(1)
    weights = {"a": 0.5, "c": 0.5, "~side": 1.0, "b": -1.0}
    won = sum(
        sum(weight * rng.gauss(RATINGS[name].mu, BETA) for name, weight in weights.items()) > 0 for _ in range(20_000)
    )
    assert expected_score(pair, (Member("b"),), RATINGS, 0.001) == pytest.approx(won / 20_000, abs=0.01)


def test_what_two_teams_have_in_common_cancels_out() -> None:
    mixed, alone = (Member("a", 0.5), Member("b", 0.5)), (Member("b"),)
    half = ((Member("a", 0.5),), (Member("b", 0.5),))
    assert expected_score(mixed, alone, RATINGS, DRAWS) == expected_score(*half, RATINGS, DRAWS)
    assert expected_score(alone, alone, RATINGS, DRAWS) == 0.5


@given(teams, teams)
def test_the_expected_scores_of_two_teams_add_up_to_1(one: Team, other: Team) -> None:
    there, back = (expected_score(*sides, RATINGS, DRAWS) for sides in ((one, other), (other, one)))
    assert there + back == pytest.approx(1)


@given(names, names)
def test_one_of_two_players_wins_if_draws_are_left_out(a: str, b: str) -> None:
    assert beats(RATINGS[a], RATINGS[b]) + beats(RATINGS[b], RATINGS[a]) == pytest.approx(1)
