"""What the bot plays."""

import greedy
from referee_bot.v1 import bot_pb2 as pb


class Player:
    """One match. Keep nothing anywhere else: choices may depend on the messages of this match alone."""

    def __init__(self, start: pb.MatchStart, rule: str = "fnv") -> None:
        self.seed = start.seed
        self.greedy = rule == "greedy" and start.game == "agent-avenue"

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        # Your thinking goes here. What stands here now looks at nothing: the seed and the decision's number choose.
        if self.greedy:
            return greedy.choose(decision)
        return fnv1a(self.seed + decision.number.to_bytes(4, "little")) % len(decision.legal)


def fnv1a(data: bytes) -> int:
    """FNV-1a with 32 bits. Of the bytes 0 to 15, followed by the decision's number 1: 822214484."""
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 % 2**32
    return value
