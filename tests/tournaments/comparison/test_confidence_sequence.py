from itertools import accumulate
from math import prod
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.comparisons import EQUALS
from tournaments.comparison.confidence_sequence import (
    FOLLOWING,
    STAKES,
    STEPS,
    ConfidenceSequence,
    LowerBound,
)

LEADS = st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 1 / 3, 0.5, 1.0]), max_size=40)


def bounds(values: list[float], error: float = 0.2) -> list[float]:
    """The lower bound before the first value, and after each."""
    bound = LowerBound(error)
    found = [bound.bound]
    for value in values:
        bound.take(value)
        found.append(bound.bound)
    return found


def refutes(values: list[float], steps: int, error: float) -> bool:
    """The definition: bets on all values, made one after the other."""
    mean = steps / STEPS
    bets = {fraction: prod(1 + fraction * (value - mean) / (1 + mean) for value in values) for fraction in STAKES}
    return sum(stake * bets[fraction] for fraction, stake in STAKES.items()) / sum(STAKES.values()) >= 1 / error


@settings(max_examples=settings().max_examples * 3 // 2)
@given(LEADS)
def test_a_bound_is_the_highest_mean_that_was_refuted_so_far(values: list[float]) -> None:
    def highest(part: list[float]) -> float:
        return max((steps for steps in range(-STEPS + 1, STEPS, 40) if refutes(part, steps, 0.2)), default=-STEPS)

    expected = list(accumulate((highest(values[:end]) for end in range(len(values) + 1)), max))
    for bound, steps in zip(bounds(values), expected, strict=True):
        assert steps / STEPS - 1e-9 <= bound < (steps + 40) / STEPS + 1e-9


@given(LEADS)
def test_an_interval_never_grows_and_stays_within_the_possible_leads(values: list[float]) -> None:
    sequence = ConfidenceSequence(0.2)
    low, high = sequence.interval
    assert (low, high) == (-1, 1)
    for value in values:
        sequence.take(value)
        assert low <= sequence.interval[0] < 1
        assert -1 < sequence.interval[1] <= high
        low, high = sequence.interval


@given(LEADS)
def test_of_turned_values_the_interval_is_turned(values: list[float]) -> None:
    one, other = ConfidenceSequence(0.2), ConfidenceSequence(0.2)
    for value in values:
        one.take(value)
        other.take(-value)
    assert one.interval == tuple(-end for end in reversed(other.interval))


def follows(values: list[float], mean: float, margin: float) -> float:
    """The definition: the capital after bets on all values, each a fraction that follows from the values before."""
    capitals = [stake / sum(FOLLOWING.values()) for stake in FOLLOWING.values()]
    for number, value in enumerate(values):
        before = values[:number]
        about_mean = sum((each - fmean(before)) ** 2 for each in before)
        variance = (5 + about_mean) / (10 + number)
        for bettor, times in enumerate(FOLLOWING):
            fraction = min(0.9, times * margin * (1 + mean) / (variance + margin**2))
            capitals[bettor] *= 1 + fraction * (value - mean) / (1 + mean)
    return sum(capitals)


@given(LEADS, st.sampled_from([0.05, 0.1, 0.6]))
def test_bets_that_follow_the_variance_refute_the_means_against_which_they_won_enough(
    values: list[float], margin: float
) -> None:
    bound, refuted = LowerBound(0.2, margin), -STEPS
    for number, value in enumerate(values, 1):
        bound.take(value)
        means = range(-STEPS + 1, STEPS, 40)
        won = [steps for steps in means if follows(values[:number], steps / STEPS, margin) >= 5]
        refuted = max([refuted, *won])
    assert refuted / STEPS - 1e-9 <= bound.bound < (refuted + 40) / STEPS + 1e-9


@pytest.mark.parametrize("value", [1.001, -1.001, float("nan")])
def test_a_value_that_is_not_possible_is_refused(value: float) -> None:
    for bound in (LowerBound(0.05), LowerBound(0.05, 0.1)):
        with pytest.raises(ValueError, match="is not in"):
            bound.take(value)


def test_a_single_value_refutes_only_what_is_far_away() -> None:
    # The capital must become forty times what it was, of which this part was bet.
    bet = sum(fraction * stake for fraction, stake in STAKES.items()) / sum(STAKES.values())
    assert bounds([1.0], 0.025) == [-1, pytest.approx((bet - 39) / (bet + 39), abs=1 / STEPS)]


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize("name", EQUALS)
def test_the_true_mean_is_seldom_ever_outside_however_skewed_the_values(name: str, margin: float) -> None:
    missed = 0
    for number in range(25):
        rng, sequence = Random(f"{name} {number}"), ConfidenceSequence(0.1, margin)
        for _ in range(200):
            sequence.take(EQUALS[name](rng))
        low, high = sequence.interval
        missed += not low < 0 < high
    assert missed <= 2.5 + 2 * 1.5


def test_the_interval_closes_in_on_the_true_mean() -> None:
    rng, sequence = Random(3), ConfidenceSequence(0.05)
    for _ in range(5_000):
        sequence.take((rng.random() < 0.6) + (rng.random() < 0.6) - 1)
    low, high = sequence.interval
    assert 0.12 < low < 0.2 < high < 0.28
