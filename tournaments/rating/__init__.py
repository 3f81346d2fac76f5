"""Ratings of bots from the places they took: order-free, with intervals.

Pure: a function of the contests, of who the players are, of the game's draw probability and of a seed.
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
