"""Plays any game: chooses uniformly among the legal actions, without looking at them."""

from random import Random

from referee_bot.v1 import bot_pb2 as pb


class Player:
    """One match. It draws from the seed the match came with, so the match can be played again."""

    def __init__(self, start: pb.MatchStart) -> None:
        # Random(bytes) is the same on every machine and in every Python since 3.2.
        self.random = Random(start.seed)

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        return self.random.randrange(len(decision.legal))
