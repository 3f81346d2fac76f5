"""Ratings of bots from the places they took, with intervals. The order of the matches does not matter.

Everything here is a pure function of the contests, the players' names, the game's draw probability and a seed.
"""

METHOD = 4
"""The version of the method. Raise it whenever the same results get another table, since tables are kept."""

DECIMALS = 3
"""Ratings are rounded to so many decimals before a format decides by them, so that no rounding error decides."""
