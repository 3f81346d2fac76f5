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
"""

import math
from collections import Counter
from collections.abc import Iterable

STAKES = {0.8: 1, 0.4: 2, 0.2: 3, 0.1: 2, 0.05: 1}
"""By fraction, how much of the capital it begins with.

The large fractions find large differences soon. The smallest serves to show that a difference is below 0.02. Most is
staked on those that are best for a bot that wins 55 or 60 % of its matches.
"""

STEPS = 1_000
"""Bounds are multiples of 1 / STEPS. Rounding makes the sequence wider, never narrower, so it stays valid."""


_HUGE = 700.0
"""The logarithm of a capital that refutes anything, and that still is a float."""


class LowerBound:
    """A lower bound for the mean of values in [-1, 1]. It never falls.

    The chance that it is ever as high as the mean is at most `error`.
    """

    def __init__(self, error: float) -> None:
        self._needed = sum(STAKES.values()) / error
        self._values: Counter[float] = Counter()
        self._refuted = -STEPS
        self._capitals = self._against(self._refuted + 1)

    @property
    def bound(self) -> float:
        """Every mean up to this one is refuted, this one included; -1 if none is."""
        return self._refuted / STEPS

    def take(self, value: float) -> None:
        """Bet on the next value.

        Raises:
            ValueError: it is not in [-1, 1].
        """
        if not -1 <= value <= 1:
            raise ValueError(f"{value} is not in [-1, 1]")
        self._values[value] += 1
        gain = _gain(value, self._refuted + 1)
        self._capitals = [
            capital * (1 + fraction * gain) for fraction, capital in zip(STAKES, self._capitals, strict=True)
        ]
        if sum(self._capitals) >= self._needed:
            self._raise_bound()

    def _raise_bound(self) -> None:
        """Look for the highest mean that is refuted. Below it all are: the capital falls as the mean rises.

        It is hardly ever far from the last one, so the search goes on from there in steps that double.
        """
        refuted, step = self._refuted + 1, 1
        while refuted + step < STEPS and self._refutes(refuted + step):
            refuted, step = refuted + step, 2 * step
        open_ = min(refuted + step, STEPS)
        while open_ - refuted > 1:
            middle = (refuted + open_) // 2
            if self._refutes(middle):
                refuted = middle
            else:
                open_ = middle
        self._refuted = refuted
        self._capitals = self._against(refuted + 1)

    def _refutes(self, steps: int) -> bool:
        return sum(self._against(steps)) >= self._needed

    def _against(self, steps: int) -> list[float]:
        """For each fraction, the capital after all values, bet against a mean of at most `steps` / STEPS."""
        gains = [(_gain(value, steps), count) for value, count in self._values.items()]
        logs = (sum(count * math.log1p(fraction * gain) for gain, count in gains) for fraction in STAKES)
        return grown(STAKES.values(), logs)


def grown(stakes: Iterable[float], logs: Iterable[float]) -> list[float]:
    """What each stake has become, by the logarithm of its factor."""
    return [stake * math.exp(min(log, _HUGE)) for stake, log in zip(stakes, logs, strict=True)]


def _gain(value: float, steps: int) -> float:
    """The payoff of a bet on `value`, -1 at worst, if the mean is `steps` / STEPS."""
    mean = steps / STEPS
    return (value - mean) / (1 + mean)


class ConfidenceSequence:
    """An interval for the mean of values in [-1, 1], after every value. It never grows.

    The chance that the mean is ever outside is at most `error`, half of it on either side.
    """

    def __init__(self, error: float) -> None:
        self._below = LowerBound(error / 2)
        self._above = LowerBound(error / 2)

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
