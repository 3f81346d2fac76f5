"""What `misfit.py` and `overall.py` find, without numpy."""

import msgspec

from referee.core.text import several
from tournaments.rating import Interval

LARGEST_CHANCE, LEAST_DIFFERENCE = 0.01, 0.05
"""One number does not describe the bots where both say so."""


class Fit(msgspec.Struct, frozen=True):
    """Whether one number for each bot describes who beats whom.

    Attributes:
        chance: how often chance alone makes the results differ from the ratings as much.
        difference: how far the share of a usual pair is from what the ratings expect, without what chance adds.
    """

    chance: float
    difference: float

    @property
    def is_bad(self) -> bool:
        """Whether one number does not describe the bots."""
        return self.chance <= LARGEST_CHANCE and self.difference >= LEAST_DIFFERENCE

    @property
    def words(self) -> str:
        """What a reader must know; empty if nothing speaks against the ratings."""
        if self.chance > LARGEST_CHANCE or round(100 * self.difference) == 0:
            return ""
        points = several(round(100 * self.difference), "point", "points")
        if not self.is_bad:
            return f"The ratings describe the results to about {points} of 100."
        return (
            "One number does not describe these bots: a result differs from what the ratings say by"
            f" {points} of 100 in a usual pair. See two by two."
        )


class AgainstMix(msgspec.Struct, frozen=True):
    """How a bot fares however many copies of others there are.

    Attributes:
        share: of the points against the best mix of the bots, which loses to no bot: at most 0.5.
        interval: of this share, from resamples.
        worst: the lowest share against any one bot.
    """

    share: float
    interval: Interval
    worst: float


class OverallShare(msgspec.Struct, frozen=True):
    """What a bot may expect over all tables.

    Attributes:
        tables: at how many tables it has an interval.
        of: how many there are.
        share: of the points against the other bots that have one at all tables, as the ratings say, the mean over the
            tables: 0.5 is the mean of the field. None if it lacks a table.
        interval: the 95 % interval of this share.
    """

    tables: int
    of: int
    share: float | None = None
    interval: Interval | None = None
