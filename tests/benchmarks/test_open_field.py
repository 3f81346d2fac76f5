"""Short forms of the simulation of open leagues."""

import math

import numpy as np
import pytest

from benchmarks.open_field import TARGET, Simulated, Trail, entered, field, need
from tournaments.rating.scale import BETA


def test_a_field_is_spread_as_asked_around_a_new_bot_s_rating() -> None:
    skills = np.array(list(field(16, 2).values()))
    assert (skills.mean(), skills.std()) == (pytest.approx(25), pytest.approx(2 * BETA))


def test_what_is_needed_is_read_off_where_the_error_falls_below_the_target() -> None:
    own = np.arange(2.0, 400, 2)
    trails = [Trail(own, 5 * own, factor * 100 / own, 0 * own) for factor in (0.5, 1.5)]
    found = need(trails, lambda trail: trail.real)
    assert found == pytest.approx((100 / TARGET**2, 500 / TARGET**2), rel=0.02)


def test_the_least_variance_of_two_equal_bots_is_that_of_their_matches() -> None:
    league = Simulated("random", {"a@1": 25.0, "b@1": 25.0}, "two")
    for _ in range(50):
        league.go_on()
    # At equal skills a match tells 2/π of what the difference of the two performances would.
    assert league.least() == pytest.approx([math.pi / 2 * 2 * BETA**2 / 100 / 4] * 2, rel=0.02)
    assert league.errors().sum() == pytest.approx(0)


@pytest.mark.slow
def test_a_chosen_opponent_saves_matches_where_bots_differ() -> None:
    chosen, at_random = (entered(way, 16, 4, 1) for way in ("open", "random"))
    assert np.interp(48, chosen.own, chosen.least) < 0.7 * np.interp(48, at_random.own, at_random.least)
    assert chosen.own[0] > 0
