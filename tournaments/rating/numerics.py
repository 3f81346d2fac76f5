"""Exact and repeatable sums for ratings, in one thread: a normal distribution within bounds, and intervals of means.

Several threads could add up in another order. The bounds are a margin that the value lies above, or within on both
sides of 0. For a standard normal around x: `shift` is how far its mean moves (v in the literature), and `loss` is the
share of its variance that it loses (w). Both are computed without ever taking a small probability itself, so extreme
gaps are as exact as others.

Source: R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006.
"""

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache
from statistics import fmean, stdev
from typing import TypeAlias

import numpy as np
import scipy.linalg  # noqa: F401 - it loads the libraries, so that they are found
from numpy.typing import NDArray
from scipy.special import erfcx, stdtrit
from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[object]:
    """While the context lasts, numpy and scipy use no threads of their own."""
    limit: AbstractContextManager[object] = _libraries().limit(limits=1)
    return limit


@cache
def _libraries() -> ThreadpoolController:
    """Their libraries that have threads. To look for them takes milliseconds, and they stay."""
    return ThreadpoolController()


Floats: TypeAlias = NDArray[np.float64]

FEWEST, FEWEST_DIFFERENT = 20, 10
"""How many values an interval needs, and how many of them must not be the commonest one.

Where one value of a hundred decides, 20 values would cover the true mean in 18 of 100 cases.
"""


def interval_of_mean(values: Sequence[float], error: float) -> tuple[float, float] | None:
    """Student's interval, which misses the mean with a chance of `error`; None if the values do not allow one."""
    count = len(values)
    if count < FEWEST or count - max(Counter(values).values()) < FEWEST_DIFFERENT:
        return None
    mean, half = fmean(values), float(stdtrit(count - 1, 1 - error / 2)) * stdev(values) / math.sqrt(count)
    return mean - half, mean + half


_ROOT_2 = math.sqrt(2)
_MILLS = math.sqrt(math.pi / 2)


def above(x: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Shift and loss of a standard normal around `x` that is known to be above `margin`."""
    at = x - margin
    shift = 1 / (_MILLS * erfcx(-at / _ROOT_2))  # density over distribution function
    return shift, shift * (shift + at)


def within(x: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Shift and loss of a standard normal around `x` that is known to be at most `margin`, above 0, away from 0."""
    inner, outer = np.abs(x) - margin, np.abs(x) + margin
    fade = np.exp(-2 * np.abs(x) * margin)  # density at `outer` over density at `inner`
    mass = _MILLS * (erfcx(inner / _ROOT_2) - fade * erfcx(outer / _ROOT_2))  # over the density at `inner`
    back = (1 - fade) / mass
    return np.copysign(back, -x), back * back + (outer * fade - inner) / mass
