"""How large a wave of an open league is, and in how many of its groups an entry plays.

Waves grow with the number of played matches. So for n matches the league computes its ratings O(log n) times, which
costs O(n log n) in all.

A wave has enough groups for every entry to play once, and at most half of all groups. If these groups are too few for
the wanted number of matches, they play the deals of the league several times. But in one group no entry may play more
than a quarter as many matches as it has played so far. So after a new entry the waves are short again, until it has
caught up after O(log n) waves.
"""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from tournaments.schedule.formats.open_candidates import GroupShape
from tournaments.schedule.formats.open_play_counts import PlayCounts

_MOST = 2048
"""The largest number of groups in a wave, unless it takes more for every entry to play once."""

_QUARTER = 4

_AT_FIRST = 2
"""How many groups of a wave a new entry may play in."""


class WaveSize(NamedTuple):
    """The size of a wave.

    Attributes:
        groups: how many groups the wave should have.
        limit: how many groups it may have, if more are needed for all entries that are due.
        times: how many times a group plays the deals of the league.
        matches: how many matches a group plays in the wave.
        each: in how many groups an entry plays on average.
    """

    groups: int
    limit: int
    times: int
    matches: int
    each: float


def wave_size(
    shape: GroupShape, entries: Sequence[str], attended: PlayCounts, unit: int, growth: float, left: int | None
) -> WaveSize:
    """The size of the next wave.

    Args:
        shape: the shape of its groups.
        entries: the entries that may play; at least as many as a group has.
        attended: what the entries play in the waves so far.
        unit: how many matches a group plays on the deals of the league.
        growth: how many matches the wave should have, as a part of all matches so far.
        left: how many more matches the league may play; None: any number.
    """
    possible = shape.count(len(entries))
    fewest = min(possible, ceil(len(entries) / max(2, shape.size)))
    most = max(fewest, min(_MOST, possible // 2))
    wanted = max(fewest, int(growth * attended.matches / unit))
    if left is not None:
        wanted = min(wanted, max(0, left // unit))
    newest = min(attended.played[entry] for entry in entries)
    times = max(1, min(ceil(wanted / most), newest // (_QUARTER * unit)))
    limit = possible if left is None else min(possible, max(0, left) // (unit * times))
    groups = min(most, max(fewest, wanted // times), limit)
    return WaveSize(groups, limit, times, unit * times, groups * shape.size / len(entries))


def most(entry: str, attended: PlayCounts, size: WaveSize) -> int:
    """In how many groups of the wave an entry should be at most: its results show which opponents it needs next."""
    return max(_AT_FIRST, attended.played[entry] // (_QUARTER * size.matches))


def due(entry: str, attended: PlayCounts, size: WaveSize, least: float) -> int:
    """In how many groups of the wave an entry has to be: it is new, or has played less than `least` of even shares."""
    if attended.new(entry):
        return 1
    return min(int(attended.debts[entry] * size.each), ceil(least * size.each))
