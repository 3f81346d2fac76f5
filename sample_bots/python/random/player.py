"""Plays any game. It draws one of the legal actions, all equally likely, and does not look at them."""

from random import Random

from referee_bot.v1 import bot_pb2 as pb


class Player:
    """One match. Its random numbers come from the seed of the match, so the match can be played again."""

    def __init__(self, start: pb.MatchStart) -> None:
        # Random(bytes) is the same on every machine and in every Python since 3.2.
        self.random = Random(start.seed)

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        return self.random.randrange(len(decision.legal))
