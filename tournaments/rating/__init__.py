"""Ratings of bots from the places they took, with intervals. The order of the matches does not matter.

Everything here is a pure function of the contests, the players' names, the game's draw probability and a seed.
"""
