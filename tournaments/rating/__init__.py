"""Ratings of bots from the places they took, with intervals. The order of the matches does not matter.

Everything here is a pure function of the contests, the players' names, the game's draw probability and a seed.
"""

from tournaments.rating.bootstrap import FEWEST_BLOCKS, RESAMPLES, Bootstrap, Interval, bootstrap
from tournaments.rating.contest import Contest, Member
from tournaments.rating.gaussian import Rating
from tournaments.rating.propagation import converged

__all__ = [
    "FEWEST_BLOCKS",
    "RESAMPLES",
    "Bootstrap",
    "Contest",
    "Interval",
    "Member",
    "Rating",
    "bootstrap",
    "converged",
]
