"""The interval of a mean whose number of values was fixed before, such as the mean lead over so many deals."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, stdev

from tournaments.rating import TAIL, Interval

FEWEST_VALUES = 20
"""Fewer values have no interval, nor those of which fewer than half as many differ from the commonest one."""


def mean_interval(values: Sequence[float]) -> Interval | None:
    """The 95 % interval of their mean, by Student's t; None if they are too few, or nearly all the same.

    Where one deal of a hundred decides, 20 deals would cover the true mean in 18 of 100 cases. After a stop that the
    values decided, the mean is too large, and this interval does not hold (`comparison.confidence_sequence`).
    """
    if len(values) < FEWEST_VALUES or len(values) - max(Counter(values).values()) < FEWEST_VALUES / 2:
        return None
    from scipy.special import stdtrit  # noqa: PLC0415 - it takes long to import

    half = float(stdtrit(len(values) - 1, 1 - TAIL)) * stdev(values) / len(values) ** 0.5
    return fmean(values) - half, fmean(values) + half
