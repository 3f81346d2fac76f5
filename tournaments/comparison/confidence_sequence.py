"""A confidence sequence for the mean of values in [-1, 1]: an interval that is valid however often one looks.

The method is that of Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of the
Royal Statistical Society B, 2023. To test whether the mean is at most m, a gambler begins with a capital of 1 and bets
on every value that it is above m. The bet is a fraction of the capital. It pays in proportion to how far the value is
from m, and at worst the whole fraction is lost. If the mean is indeed at most m, no way of betting gains on average.
Ville's inequality then says: the chance that the capital *ever* reaches 1/e is at most e. So once it has, m is refuted,
and it does not matter when and how often anybody looked.

Nobody knows the best fraction beforehand. So the capital is divided among several fractions, each of which bets for
itself. As no fraction is everything, no value ruins them, however rare and large. And nothing is assumed about
the values except that they lie in [-1, 1] and that their mean does not depend on the values before.

A gambler who only asks whether the mean is above m, or below m plus a margin, knows more: the best fraction follows
from the margin and the variance. So there the fractions follow the variance of the values before. As they depend on
earlier values alone, the inequality holds as before.
"""

import math

import numpy as np

from tournaments.rating.numerics import Floats

STAKES = {0.8: 1, 0.4: 2, 0.2: 3, 0.1: 2, 0.05: 1}
"""By fraction, how much of the capital it begins with.

The large fractions find large differences soon. The smallest serves to show that a difference is below 0.02. Most is
staked on those that are best for a bot that wins 55 or 60 % of its matches.
"""

FOLLOWING = {1.0: 4, 3.0: 1}
"""By multiple of the fraction that is best at the margin, how much of the capital it begins with. The larger one is for
means that are further away."""

_MOST = 0.9
"""No bet that follows the variance is a larger fraction: no value takes everything."""

_USUAL_VARIANCE, _USUAL_VALUES = 0.5, 10
"""The variance before the first value, two matches of equal bots, and as how many values it counts."""

STEPS = 1_000
"""Bounds are multiples of 1 / STEPS. Rounding makes the sequence wider, never narrower, so it stays valid."""


class LowerBound:
    """A lower bound for the mean of values in [-1, 1]. It never falls.

    The chance that it is ever as high as the mean is at most the error. With a margin the bets follow the variance:
    they are the best ones if the true mean is the margin above another.

    Attributes:
        bound: every mean up to this one is refuted, this one included; -1 if none is.
    """

    def __init__(self, error: float, margin: float = 0.0) -> None:
        self.bound = -1.0
        self._needed, self._margin = -math.log(error), margin
        self._count, self._sum, self._squares = 0, 0.0, 0.0
        # The means that are not refuted, and of each the logarithms of the capitals that are bet against it.
        self._means = np.arange(1 - STEPS, STEPS) / STEPS
        stakes = [*(FOLLOWING if margin else STAKES).values()]
        self._logs = np.log(stakes)[:, None] - math.log(sum(stakes)) + np.zeros_like(self._means)

    def take(self, value: float) -> None:
        """Bet on the next value.

        Raises:
            ValueError: it is not in [-1, 1].
        """
        if not -1 <= value <= 1:
            raise ValueError(f"{value} is not in [-1, 1]")
        self._logs += np.log1p(self._bets() * (value - self._means))
        self._count, self._sum, self._squares = self._count + 1, self._sum + value, self._squares + value**2
        # The capital falls as the mean rises, so those that are refuted come first.
        refuted = np.count_nonzero(np.logaddexp.reduce(self._logs) >= self._needed)
        if refuted:
            self.bound = float(self._means[refuted - 1])
            self._means, self._logs = self._means[refuted:], self._logs[:, refuted:]

    def _bets(self) -> Floats:
        """By bettor and mean, the fraction of the capital over the most that can be lost."""
        if not self._margin:
            return np.array([*STAKES])[:, None] / (1 + self._means)
        about_mean = self._squares - self._sum**2 / max(self._count, 1)
        variance = (_USUAL_VALUES * _USUAL_VARIANCE + about_mean) / (_USUAL_VALUES + self._count)
        best = self._margin / (variance + self._margin**2)
        return np.minimum(np.array([*FOLLOWING])[:, None] * best, _MOST / (1 + self._means))


class ConfidenceSequence:
    """An interval for the mean of values in [-1, 1], after every value. It never grows.

    The chance that the mean is ever outside is at most `error`, half of it on either side. With a margin it is made to
    tell soonest on which side of a mean the true one is, if it is that far away.
    """

    def __init__(self, error: float, margin: float = 0.0) -> None:
        self._below, self._above = LowerBound(error / 2, margin), LowerBound(error / 2, margin)

    @property
    def interval(self) -> tuple[float, float]:
        """Two ends. They are refuted themselves, unless they are -1 and 1."""
        return self._below.bound, 0 - self._above.bound  # a zero without a sign

    def take(self, value: float) -> None:
        """Narrow the interval by the next value.

        Raises:
            ValueError: it is not in [-1, 1].
        """
        self._below.take(value)
        self._above.take(-value)
