"""Ratings drawn on one common scale, and numbers as colours in the cells of a crosstable.

Each bot has a line for its interval, with a dot at the rating. Each cell also has its number, so no reader needs the
colours.
"""

from collections.abc import Iterable, Sequence
from math import ceil, floor
from typing import NamedTuple

_EDGE = 5.0
"""Free space at both ends, for half of a label. All positions are in per cent of the width, so text is never scaled."""

_MOST_TICKS = 7
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)


class Tick(NamedTuple):
    """A line of the scale: its position and its label."""

    x: float
    label: str


class DrawnRating(NamedTuple):
    """A rating on the scale: the position of the dot, and both ends of the interval; None without an interval."""

    x: float
    ends: tuple[float, float] | None


class Scale:
    """A scale that has room for these ratings and intervals.

    Attributes:
        ticks: its lines, from left to right.
    """

    def __init__(self, rated: Iterable[tuple[float, tuple[float, float] | None]]) -> None:
        numbers: list[float] = [number for rating, ends in rated for number in (rating, *(ends or ()))] or [25.0]
        step = _step(max(numbers) - min(numbers))
        self._low = floor(min(numbers) / step) * step
        self._high = max(ceil(max(numbers) / step) * step, self._low + step)
        whole = round((self._high - self._low) / step)
        digits = 0 if step >= 1 else 1
        self.ticks: Sequence[Tick] = [
            Tick(self.at(self._low + at * step), f"{self._low + at * step:.{digits}f}") for at in range(whole + 1)
        ]

    def drawn(self, rating: float, ends: tuple[float, float] | None) -> DrawnRating:
        """The position of a rating and its interval on the scale."""
        return DrawnRating(self.at(rating), None if ends is None else (self.at(ends[0]), self.at(ends[1])))

    def at(self, number: float) -> float:
        """The position of a number, in per cent."""
        share: float = (number - self._low) / (self._high - self._low)
        return round(_EDGE + share * (100 - 2 * _EDGE), 2)


def _step(spread: float) -> float:
    """The distance of the lines, so that there are few."""
    return next((step for step in _STEPS if spread / step <= _MOST_TICKS - 2), _STEPS[-1])


TREND = (80, 20)
"""The size of a trend, in units."""


def trend(known: Iterable[float | None]) -> str | None:
    """A line through successive ratings, as the `d` of a path; None if fewer than two are known."""
    ratings = [rating for rating in known if rating is not None]
    if len(ratings) < 2:
        return None
    width, height = TREND
    low, high = min(ratings), max(ratings)
    across, up = (width - 8) / (len(ratings) - 1), (height - 4) / max(high - low, 0.5)
    points = (f"{at * across:.1f} {height - 2 - (rating - low) * up:.1f}" for at, rating in enumerate(ratings))
    return f"M{'L'.join(points)}"


class Curve(NamedTuple):
    """The ratings of a bot over time: its entry, the last rating, and its line, as the `d` of a path in 100 by 100."""

    bot: str
    rating: float
    path: str


def curves(rated: Iterable[tuple[str, Sequence[float | None]]]) -> tuple[Sequence[Tick], Sequence[Curve]]:
    """Ratings over time on one scale: its lines, from the top in per cent, and the bots with at least two ratings."""
    every = {bot: [*enumerate(ratings)] for bot, ratings in rated}
    known = {bot: [(at, it) for at, it in points if it is not None] for bot, points in every.items()}
    known = {bot: points for bot, points in known.items() if len(points) > 1}
    scale = Scale((rating, None) for points in known.values() for _, rating in points)
    return [Tick(100 - each.x, each.label) for each in scale.ticks], [
        Curve(
            bot,
            points[-1][1],
            "M" + "L".join(f"{100 * at / (len(every[bot]) - 1):.1f} {100 - scale.at(it):.1f}" for at, it in points),
        )
        for bot, points in known.items()
    ]


_COLOUR_STEPS = 4
_EVEN = 0.02
"""A score this close to a half counts as even."""


def shade(score: float | None) -> str:
    """The class of a cell with this score, from 0 to 1: `w1` to `w4` above a half, `l1` to `l4` below, `e0` at it."""
    if score is None:
        return "none"
    lead = score - 0.5
    if abs(lead) < _EVEN:
        return "e0"
    return f"{'w' if lead > 0 else 'l'}{min(_COLOUR_STEPS, 1 + int(abs(lead) * 2 * _COLOUR_STEPS))}"


KEY = (
    ("l4", "below 13%"),
    ("l3", "below 25%"),
    ("l2", "below 38%"),
    ("l1", "below 48%"),
    ("e0", "even"),
    ("w1", "above 52%"),
    ("w2", "from 63%"),
    ("w3", "from 75%"),
    ("w4", "from 88%"),
)
"""The meaning of the shades, for the line below a table."""
