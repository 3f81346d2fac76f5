"""Defends the building: shoots the nearest threat, blocks lanes, shares cards with players who can use them better.

It weighs every action by the danger that it removes (`threat.py`) and chooses the best. It works with any partners: it
looks only at their cards and their cells, and they need to know nothing about it.
"""

from referee_bot.v1 import agonia_pb2 as ag
from referee_bot.v1 import bot_pb2 as pb
from situation import Situation
from worth import worth


class Player:
    """One match. It remembers nothing, since a view holds all that it weighs."""

    def __init__(self, start: pb.MatchStart) -> None:
        """The player needs nothing from `start`: it uses no random numbers, and a view names its seat."""

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        here = Situation(ag.View.FromString(decision.view))
        # Rounded, because the last bits of `**` differ between machines. They must decide nothing.
        worths = [round(worth(here, ag.Action.FromString(action)), 9) for action in decision.legal]
        return worths.index(max(worths))
