"""Intervals, and the least that must be known for one."""

from typing import TypeAlias

TAIL = 0.025
"""The share of cases beyond each end."""

Interval: TypeAlias = tuple[float, float]
"""Low and high, in points of rating."""

FEWEST_BLOCKS = 6
"""A player with fewer blocks has no interval. If two equal players meet in n blocks, a given one of them wins all of
them by chance in one league of 2^n. That must be rarer than the 2.5 % at each end of an interval; otherwise even the
most one-sided results would prove nothing. 2^-5 is 3.1 %, 2^-6 is 1.6 %."""
