"""Ratings of bots from the places they took, with intervals. The order of the matches does not matter.

Everything here is a pure function of the contests, the players' names, the game's draw probability and a seed.
"""

from typing import TypeAlias

METHOD = 7
"""The version of the method. Raise it whenever the same results get another table, since tables are kept."""

DECIMALS = 3
"""Ratings are rounded to so many decimals before a format decides by them, so that no rounding error decides."""

TAIL = 0.025
"""The share of cases beyond each end."""

Interval: TypeAlias = tuple[float, float]
"""Low and high, in points of rating."""

FEWEST_BLOCKS = 6
"""A player with fewer blocks has no interval. If two equal players meet in n blocks, a given one of them wins all of
them by chance in one league of 2^n. That must be rarer than the 2.5 % at each end of an interval; otherwise even the
most one-sided results would prove nothing. 2^-5 is 3.1 %, 2^-6 is 1.6 %."""
