"""Formats numbers and lengths of time for readers."""

import math

from tournaments.rating.scale import BETA, MU

NOTHING = "\N{EN DASH}"
"""Replaces a number that is not known yet."""

_MINUS = "\N{MINUS SIGN}"


def percent(share: float | None) -> str:
    """A share, with one digit after the point."""
    return NOTHING if share is None else f"{share:.1%}"


def chance(share: float | None) -> str:
    """A share of the resamples. There are too few to show chances below 1 in 100."""
    if share is None:
        return NOTHING
    return "<1%" if share < 0.01 else ">99%" if share > 0.99 else f"{share:.0%}"


def decimal(number: float | None) -> str:
    """A rating, or points."""
    return NOTHING if number is None else f"{number:.2f}".replace("-", _MINUS)


def elo(rating: float) -> str:
    """A rating on a scale that people know: 400 more are ten wins for one loss against a bot of the mean rating, 1500.

    Numbers of different leagues cannot be compared.
    """
    ahead = (rating - MU) / (2 * BETA)
    return f"{1500 + 400 * math.log10(math.erfc(-ahead) / math.erfc(ahead)):.0f}"


def signed(number: float | None) -> str:
    """A difference."""
    return NOTHING if number is None else f"{number:+.2f}".replace("-", _MINUS)


def interval(ends: tuple[float, float] | None) -> str:
    """An interval of ratings."""
    return NOTHING if ends is None else "{:.2f} to {:.2f}".format(*ends).replace("-", _MINUS)


def count(number: int | None) -> str:
    """A number of things."""
    return NOTHING if number is None else f"{number:,}"


def milliseconds(ms: float | None) -> str:
    """A time of thinking."""
    if ms is None:
        return NOTHING
    return f"{ms:.2f} ms" if ms < 100 else f"{ms / 1000:.2f} s"


def tenths(number: float | None) -> str:
    """A number in a column whose heading has the unit, so that points stand under each other."""
    return NOTHING if number is None else f"{number:,.1f}"


def limit(ms: int) -> str:
    """A limit of time, as short as it can be written exactly."""
    return f"{ms:,} ms" if ms % 100 else f"{ms / 1000:,g} s"


def span(seconds: float | None) -> str:
    """A time that something will take, in its two largest units."""
    if seconds is None:
        return NOTHING
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes < 48 * 60 else f"{round(minutes / 60 / 24)} days"
