"""Gaussians in two forms: by mean and deviation, for people, and by precision, for multiplying."""

from typing import TypeAlias

import msgspec

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
"""The standard deviation of a single performance around the skill."""


class Rating(msgspec.Struct, frozen=True):
    """What is known about a skill: its mean and standard deviation, on the scale where a newcomer has 25 and 25/3."""

    mu: float
    sigma: float


Gaussian: TypeAlias = tuple[float, float]
"""A Gaussian as precision (1 / variance) and precision times mean: a product of Gaussians is a sum of these."""


def gaussian(rating: Rating) -> Gaussian:
    """The same Gaussian, by precision."""
    pi = rating.sigma**-2
    return (pi, pi * rating.mu)


def rating(known: Gaussian) -> Rating:
    """The same Gaussian, by mean and standard deviation; the precision must be above 0."""
    pi, tau = known
    return Rating(tau / pi, pi**-0.5)


NEWCOMER = Rating(MU, SIGMA)
PRIOR = gaussian(NEWCOMER)
FLAT: Gaussian = (0.0, 0.0)
"""The message that says nothing."""
