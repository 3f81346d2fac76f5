"""What the bot plays."""

import greedy
import json_game
from referee_bot.v1 import bot_pb2 as pb


class Player:
    """One match. Keep nothing anywhere else: a choice may depend only on the messages of this match."""

    def __init__(self, start: pb.MatchStart, rule: str = "fnv") -> None:
        self.seed = start.seed
        self.greedy = rule == "greedy" and start.game == "agent-avenue"
        self.json = rule == "greedy" and start.options.startswith(b"{")  # the game has no proto

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        # Your thinking goes here. For now the seed and the decision's number choose, whatever the view shows.
        if self.greedy:
            return greedy.choose(decision)
        if self.json:
            return json_game.choose(decision)
        return fnv1a(self.seed + decision.number.to_bytes(4, "little")) % len(decision.legal)


def fnv1a(data: bytes) -> int:
    """The 32-bit FNV-1a hash. For the seed of bytes 0 to 15 and the decision number 1 it is 822214484."""
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 % 2**32
    return value
