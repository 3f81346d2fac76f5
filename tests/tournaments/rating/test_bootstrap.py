import random
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.rating.leagues import DRAW, SEED, league, solo
from tournaments.rating import Contest, Member, bootstrap, converged
from tournaments.rating.bootstrap import binomial, multinomial
from tournaments.rating.contest import census, total

TRUTH = {"a": 22.0, "b": 25.0, "c": 28.0}


def test_one_seed_gives_one_bootstrap_in_any_order_of_contests_and_another_seed_another() -> None:
    contests = league(TRUTH, 120)
    shuffled = random.Random(2).sample(contests, len(contests))
    first = bootstrap(contests, ["a", "b", "c"], DRAW, SEED, 20)
    assert bootstrap(shuffled, ["c", "a", "b"], DRAW, SEED, 20) == first
    assert bootstrap(contests, ["a", "b", "c"], DRAW, bytes(32), 20) != first


def test_every_resample_of_a_single_block_is_the_league_itself() -> None:
    contests = [solo("a", "b"), solo("b", "a"), solo("a", "b")]
    found = bootstrap(contests, ["a", "b"], DRAW, SEED, 10)
    (mu,) = set(found.mus["a"])
    assert mu == pytest.approx(converged(contests, ["a", "b"], DRAW)["a"].mu, abs=2e-3)
    assert found.interval("a") == (mu, mu)


def test_without_contests_nobody_moves_and_nobody_is_separated() -> None:
    found = bootstrap([], ["a", "b"], DRAW, SEED, 5)
    assert found.interval("a") == (25.0, 25.0)
    assert not found.separated("a", "b")


def test_bots_far_apart_are_separated_and_equal_ones_are_not() -> None:
    found = bootstrap(league({"a": 20.0, "b": 25.0, "twin": 25.0}, 300), ["a", "b", "twin"], DRAW, SEED)
    assert found.separated("a", "b")
    assert found.separated("b", "a")
    assert not found.separated("b", "twin")
    assert not found.separated("a", "a")


def test_a_difference_is_taken_within_each_resample_so_it_is_known_better_than_two_intervals_tell() -> None:
    found = bootstrap(league(TRUTH, 300), ["a", "b", "c"], DRAW, SEED)
    low, high = found.difference("b", "a")
    assert low < 3 < high
    assert high - low < sum(top - bottom for bottom, top in (found.interval("a"), found.interval("b")))
    assert (-high, -low) == pytest.approx(found.difference("a", "b"))


def test_pseudo_players_have_intervals_too() -> None:
    teams = ((Member("a"), Member("~first")), (Member("b"), Member("~second")))
    contests = [Contest(str(at), teams, (1, 2) if at % 6 else (2, 1)) for at in range(30)]
    low, high = bootstrap(contests, ["a", "b"], DRAW, SEED, 50).difference("~first", "~second")
    assert 0 < low < high


def test_a_resample_is_rated_as_from_a_cold_start() -> None:
    """With all matches in one block of two, a resample holds each block 0, 1 or 2 times: three leagues in all."""
    first, second = [solo("a", "b", block="1")] * 5, [solo("b", "a", block="2"), solo("a", "b", block="2")]
    cold = [converged(contests, ["a", "b"], DRAW)["a"].mu for contests in (first * 2, first + second, second * 2)]
    for mu in bootstrap([*first, *second], ["a", "b"], DRAW, SEED, 30).mus["a"]:
        assert min(abs(mu - one) for one in cold) < 5e-3


def test_matches_of_a_block_are_drawn_together() -> None:
    """Each deal is won once from each seat: the luck of the deal cancels, and so it must in every resample."""
    contests = [solo(*pair, block=str(deal)) for deal in range(40) for pair in (("a", "b"), ("b", "a"))]
    low, high = bootstrap(contests, ["a", "b"], DRAW, SEED, 50).interval("a")
    assert high - low < 1e-2
    apart = [Contest(f"{at}", contest.teams, contest.places) for at, contest in enumerate(contests)]
    low, high = bootstrap(apart, ["a", "b"], DRAW, SEED, 50).interval("a")
    assert high - low > 1


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    covered = 0
    for seed in range(40):
        low, high = bootstrap(league(TRUTH, 150, seed=seed), list(TRUTH), DRAW, SEED, 60).difference("c", "a")
        covered += low <= 6.0 <= high
    assert covered >= 32  # 38 of 40 expected; a right one falls below 33 once in 10,000 times


@pytest.mark.parametrize("resamples", [0, -1])
def test_a_bootstrap_without_resamples_is_refused(resamples: int) -> None:
    with pytest.raises(ValueError, match="at least one resample"):
        bootstrap([], ["a"], DRAW, SEED, resamples)


@settings(max_examples=50)
@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(1, 500), min_size=1, max_size=30))
def test_a_multinomial_draw_has_as_many_hits_as_throws(seed: bytes, counts: list[int]) -> None:
    hits = multinomial(seed, counts)
    assert sum(hits) == sum(counts)
    assert min(hits) >= 0


@given(st.integers(0, 30), st.floats(0.001, 1.0))
def test_a_binomial_shares_the_unit_interval_as_probability_says(trials: int, chance: float) -> None:
    points = 2000
    found = [0] * (trials + 1)
    for at in range(points):
        found[binomial((at + 0.5) / points, trials, chance)] += 1
    assert list(accumulate(found))[-1] == points
    mean = sum(successes * hits for successes, hits in enumerate(found)) / points
    assert mean == pytest.approx(trials * chance, abs=0.02 + trials / 500)


def test_a_census_of_resampled_blocks_counts_kinds() -> None:
    one, two = census([solo("a", "b")] * 2), census([solo("b", "a")])
    drawn = total([(tuple(one.items()), 3), (tuple(two.items()), 0)])
    assert list(drawn.values()) == [6]
