"""A short form of the simulation of open leagues."""

import numpy as np
import pytest

from benchmarks.open_field import entered


@pytest.mark.slow
def test_a_chosen_opponent_saves_matches_where_bots_differ() -> None:
    chosen, at_random = (entered(way, 16, 4, 1) for way in ("open", "random"))
    assert np.interp(48, chosen.own, chosen.least) < 0.7 * np.interp(48, at_random.own, at_random.least)
    assert chosen.own[0] > 0
