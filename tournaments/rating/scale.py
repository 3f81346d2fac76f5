"""The scale of ratings, which is that of the library `trueskill`."""

from functools import lru_cache
from statistics import NormalDist
from typing import Any

import msgspec
import trueskill

MU = float(trueskill.MU)
SIGMA = float(trueskill.SIGMA)
BETA = float(trueskill.BETA)
"""The standard deviation of a single performance around the skill."""


class Rating(msgspec.Struct, frozen=True):
    """The estimate of a skill: its mean and standard deviation, on the scale where a newcomer has 25 and 25/3."""

    mu: float
    sigma: float


def draw_margin(draw_probability: float, players: int) -> float:
    """The difference of performances, in points, within which two teams of so many players together draw."""
    return float(trueskill.calc_draw_margin(draw_probability, players, _environment()))


@lru_cache
def _environment() -> Any:
    """The library's usual environment. Its own quantiles have fewer digits than those of the standard library."""
    return trueskill.TrueSkill(backend=(None, None, NormalDist().inv_cdf))
