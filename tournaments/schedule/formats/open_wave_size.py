"""How large a wave of an open league is, and how much of it an entry has.

Waves grow with what was played. So for n matches the ratings are computed O(log n) times, and all these ratings
together cost O(n log n).

A wave has at least as many groups as it takes for every entry to play once, and at most half of those there are. When
that is less than its part of the matches, the groups play several times the deals. They do so only while no entry
plays more than a quarter of its matches so far in one group. So next to a new entry waves are short again, until it
has caught up after O(log n) waves.
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
"""In so many groups a new entry may be in a wave."""


class WaveSize(NamedTuple):
    """The size of a wave.

    Attributes:
        groups: how many groups it should have.
        limit: how many it may have, if it takes more to serve all who are due.
        times: how many times the deals of the league they play.
        matches: how many matches each of them plays on these.
        each: in how many groups an entry is on average.
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
        shape: of its groups.
        entries: the entries that may play, enough for a group.
        attended: what was issued before.
        unit: how many matches a group plays on the deals of the league.
        growth: the part of the matches so far that the wave should have.
        left: how many matches the league may still have; None: they are not limited.
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
