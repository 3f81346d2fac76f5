"""The interval of a mean of a fixed number of values."""

from random import Random

import pytest

from tournaments.rating.mean_interval import mean_interval


def test_it_is_students_interval() -> None:
    values = [0.0] * 10 + [1.0] * 10
    assert mean_interval(values) == pytest.approx((0.5 - 0.24008, 0.5 + 0.24008), abs=1e-4)


def test_too_few_values_and_those_of_which_nearly_all_are_the_same_have_none() -> None:
    assert mean_interval([0.0, 1.0] * 9 + [0.5]) is None
    assert mean_interval([0.0] * 500 + [1.0] * 9) is None
    assert mean_interval([0.0] * 500 + [1.0] * 10) is not None


def test_it_covers_the_mean_lead_of_so_many_deals() -> None:
    covered = 0
    for number in range(400):
        luck = Random(number)
        low, high = mean_interval([(luck.random() < 0.6) + (luck.random() < 0.6) - 1 for _ in range(60)]) or (1, 1)
        covered += low <= 0.2 <= high
    assert covered >= 370
