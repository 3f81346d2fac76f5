"""A normal distribution that is known to lie above a margin, or within a margin on both sides of 0.

For a standard normal around x: `shift` is how far its mean moves (v in the literature), and `loss` is the share of its
variance that it loses (w). Both are computed without ever taking a small probability itself, so extreme gaps are as
exact as others.

Source: R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006.
"""

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx

Floats: TypeAlias = NDArray[np.float64]

_ROOT_2 = math.sqrt(2)
_MILLS = math.sqrt(math.pi / 2)


def above(x: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Shift and loss of a standard normal around `x` that is known to be above `margin`."""
    at = x - margin
    shift = 1 / (_MILLS * erfcx(-at / _ROOT_2))  # density over distribution function
    return shift, shift * (shift + at)


def within(x: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Shift and loss of a standard normal around `x` that is known to be at most `margin`, above 0, away from 0."""
    near, far = np.abs(x) - margin, np.abs(x) + margin
    fade = np.exp(-2 * np.abs(x) * margin)  # density at `far` over density at `near`
    mass = _MILLS * (erfcx(near / _ROOT_2) - fade * erfcx(far / _ROOT_2))  # over the density at `near`
    back = (1 - fade) / mass
    return np.copysign(back, -x), back * back + (far * fade - near) / mass
