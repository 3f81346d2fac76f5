from collections.abc import Sequence

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

from tests.tournaments.rating.leagues import rate
from tournaments.rating.contest import Contest, Member, TeamComparison
from tournaments.rating.information_gain import InformationGain, estimated
from tournaments.rating.numerics import Floats
from tournaments.rating.scale import BETA, SIGMA, draw_margin

DRAWS = 0.1
NAMES = ("ann", "bob", "cid", "dan")


def match(winner: str, loser: str, times: int = 1) -> list[Contest]:
    return [Contest("", ((Member(winner),), (Member(loser),)), (1, 2))] * times


def duel(one: str, other: str) -> TeamComparison:
    return TeamComparison((Member(one),), (Member(other),), drawn=False)


def outlook(
    contests: Sequence[Contest],
    comparisons: Sequence[TeamComparison],
    matches: Sequence[float] = (),
    bots: Sequence[str] = NAMES,
) -> InformationGain:
    rated = rate(contests, bots, DRAWS)
    return InformationGain(rated, comparisons, matches or [1.0] * len(comparisons), set(bots), DRAWS)


def density(deviation: float) -> float:
    """Of the standard normal distribution."""
    return float(np.exp(-(deviation**2) / 2) / np.sqrt(2 * np.pi))


def variance_after_a_match(gap: float, variance: float) -> float:
    """The expected variance of a gap between two bots after one match, by plain integration."""
    margin, noise = draw_margin(DRAWS, 2), np.sqrt(2) * BETA
    likelihoods = (
        lambda true: ndtr((true - margin) / noise),
        lambda true: ndtr((-true - margin) / noise),
        lambda true: ndtr((true + margin) / noise) - ndtr((true - margin) / noise),
    )
    spread = 10 * np.sqrt(variance)
    expected = 0.0
    for likelihood in likelihoods:
        moments = [
            quad(
                lambda true, power=power, told=likelihood: (
                    true**power * told(true) * density((true - gap) / np.sqrt(variance)) / np.sqrt(variance)
                ),
                gap - spread,
                gap + spread,
            )[0]
            for power in range(3)
        ]
        mean = moments[1] / moments[0]
        expected += moments[2] - moments[0] * mean**2
    return expected


def test_a_match_is_expected_to_take_what_integration_says_it_takes() -> None:
    before = 2 * SIGMA**2
    (gain,) = outlook([], [duel("ann", "bob")], bots=("ann", "bob")).gains
    # Around their mean two bots have half of the variance of the gap between them.
    assert gain == pytest.approx((before - variance_after_a_match(0, before)) / 2, rel=1e-6)


def test_a_match_between_unequal_bots_is_expected_to_take_what_integration_says() -> None:
    contests = [*match("ann", "bob", 3), *match("bob", "ann")]
    ratings = rate(contests, ("ann", "bob"), DRAWS).ratings
    gap = round(ratings["ann"].mu, 3) - round(ratings["bob"].mu, 3)
    noise, margin = np.sqrt(2) * BETA, draw_margin(DRAWS, 2)

    def curvature(at: float) -> float:
        told = density(at) / ndtr(at)
        return float(told * (told + at) / noise**2)

    precision = 1 / (2 * SIGMA**2) + 3 * curvature((gap - margin) / noise) + curvature((-gap - margin) / noise)
    # Around their mean each of two bots has a quarter of the variance of the gap between them.
    skills = estimated(25 + np.array([gap, -gap]) / 2, np.full(2, 1 / precision / 4))
    (gain,) = outlook(contests, [duel("bob", "ann")], bots=("ann", "bob")).gains
    expected = variance_after_a_match(skills[0] - skills[1], 1 / precision)
    assert gain == pytest.approx((1 / precision - expected) / 2, rel=1e-6)


def ratings_of(skills: Floats, error: float) -> Floats:
    """Ratings, as their prior makes them of results that are off by this error, in points."""
    results = skills + np.random.default_rng(1).normal(0, error, len(skills))
    return np.asarray(25 + (results - 25) * SIGMA**2 / (SIGMA**2 + error**2))


@pytest.mark.parametrize(("spread", "error", "much"), [(0, 3.0, 0.2), (4, 3.0, 0.95), (17, 5.0, 1.0)])
def test_estimated_skills_are_nearer_to_the_truth_than_ratings(spread: float, error: float, much: float) -> None:
    skills = 25 + spread * ndtri((np.arange(200) + 0.5) / 200)
    ratings = ratings_of(skills, error)
    found = estimated(ratings, np.full(200, 1 / (1 / SIGMA**2 + 1 / error**2)))
    assert np.std(found - skills) < much * np.std(ratings - skills)


def test_a_bot_of_which_little_is_known_is_taken_for_one_in_the_middle() -> None:
    found = estimated(np.array([20.0, 24.0, 28.0, 32.0, 25.0]), np.array([1.0, 1.0, 1.0, 1.0, SIGMA**2 - 1e-6]))
    assert found[4] == pytest.approx(26, abs=0.1)
    assert found[:4] == pytest.approx([20, 24, 28, 32], abs=0.5)


def test_a_bot_alone_is_what_it_is_rated() -> None:
    assert estimated(np.array([25.0]), np.array([0.0])) == pytest.approx([25])
    alone = TeamComparison((Member("ann"),), (Member("~game"),), drawn=False)
    assert outlook([], [alone], bots=("ann",)).gains == pytest.approx([0])


LEAGUE = [*match("ann", "bob", 5), *match("bob", "cid", 3), *match("cid", "ann"), *match("cid", "dan", 2)]
EVERY = [duel(NAMES[one], NAMES[other]) for one in range(4) for other in range(one)]
THREE = (
    *EVERY,
    TeamComparison((Member("ann", 0.5), Member("bob", 0.5)), (Member("cid", 0.5), Member("dan", 0.5)), drawn=False),
    TeamComparison((Member("ann"),), (Member("~side"),), drawn=False, teams=3),
)


def after(*taken: int, matches: Sequence[float] = ()) -> Floats:
    found = outlook(LEAGUE, THREE, matches)
    for comparison in taken:
        found.take(comparison)
    return found.gains


def test_the_order_in_which_comparisons_are_taken_does_not_matter() -> None:
    assert after(0, 6, 3, 7) == pytest.approx(after(7, 3, 6, 0), rel=1e-9)
    assert after(0, 6, 3, 7) != pytest.approx(after(0, 6, 3), rel=1e-3)


def test_two_matches_are_one_match_taken_twice() -> None:
    twice = outlook(LEAGUE, [THREE[6], THREE[6], *EVERY])
    twice.take(0)
    twice.take(1)
    once = outlook(LEAGUE, [THREE[6], *EVERY], [2.0] + [1.0] * len(EVERY))
    once.take(0)
    assert twice.gains[2:] == pytest.approx(once.gains[1:], rel=1e-9)


def test_what_was_taken_tells_less() -> None:
    before, now = after(), after(2)
    assert now[2] < 0.9 * before[2]
    assert (now > 0).all()


def test_another_opponent_tells_more_than_the_same_again() -> None:
    contests = [each for one in NAMES[:3] for other in NAMES[:3] if one != other for each in match(one, other, 5)]
    found = outlook(contests, [duel("dan", "ann"), duel("dan", "bob")])
    assert found.gains[0] == pytest.approx(found.gains[1])
    found.take(0)
    assert found.gains[0] < 0.99 * found.gains[1]


def test_a_match_between_bots_that_never_met_tells_most() -> None:
    apart = [*match("ann", "bob", 4), *match("bob", "ann", 4), *match("cid", "dan", 4), *match("dan", "cid", 4)]
    told = dict(zip([kind.members for kind in EVERY], outlook(apart, EVERY).gains.tolist(), strict=True))
    within = [told[duel("bob", "ann").members], told[duel("dan", "cid").members]]
    assert min(gain for members, gain in told.items() if gain not in within) > 3 * max(within)


def test_the_nearer_an_opponent_is_the_more_it_tells() -> None:
    ladder = [
        *match("ann", "bob", 30),
        *match("bob", "ann", 6),
        *match("bob", "cid", 30),
        *match("cid", "bob", 6),
        *match("ann", "cid", 36),
    ]
    gains = outlook(ladder, [duel("dan", name) for name in NAMES[:3]]).gains
    assert gains[1] > 1.1 * max(gains[0], gains[2])


def test_nobody_plays_for_the_sake_of_a_pseudo_player() -> None:
    side = TeamComparison((Member("~side"),), (Member("~other side"),), drawn=False)
    assert outlook(LEAGUE, [side]).gains == pytest.approx([0])


def test_a_match_of_three_teams_weighs_each_of_its_comparisons_two_thirds() -> None:
    light = TeamComparison((Member("ann"),), (Member("bob"),), drawn=False, teams=3)
    weighed = outlook(LEAGUE, [duel("ann", "bob")], [2 / 3])
    assert outlook(LEAGUE, [light]).gains == pytest.approx(weighed.gains)
    assert outlook(LEAGUE, [light]).gains < 0.9 * outlook(LEAGUE, [duel("ann", "bob")]).gains


def test_whoever_does_not_learn_from_a_result_is_known_no_better_after_it() -> None:
    game = Member("~game")
    fault = Contest("", ((Member("ann"),), (Member("~game", updated=False),)), (2, 1))
    played = Contest("", ((Member("ann"),), (game,)), (2, 1))
    asked = [TeamComparison((Member("bob"),), (game,), drawn=False)]
    told = [outlook([each] * 4, asked).gains[0] for each in (fault, played)]
    assert told[0] < told[1]  # the better the game is known, the more a match against it tells about bob
