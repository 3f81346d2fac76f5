"""The scale of ratings, which is that of the library `trueskill`, and what an interval on it needs at least."""

from functools import lru_cache
from statistics import NormalDist
from typing import Any, TypeAlias

import msgspec
import trueskill

TAIL = 0.025
"""The share of cases beyond each end."""

Interval: TypeAlias = tuple[float, float]
"""Low and high, in points of rating."""

FEWEST_BLOCKS = 6
"""A player with fewer blocks has no interval. If two equal players meet in n blocks, a given one of them wins all of
them by chance in one league of 2^n. That must be rarer than the 2.5 % at each end of an interval; otherwise even the
most one-sided results would prove nothing. 2^-5 is 3.1 %, 2^-6 is 1.6 %."""


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
