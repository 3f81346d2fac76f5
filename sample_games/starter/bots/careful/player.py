"""What the bot plays: it stays with a card of the upper half. Put your own thinking here."""

import json

from referee_bot.v1 import bot_pb2 as pb


class Player:
    """One match. Keep nothing anywhere else: a choice may depend only on the messages of this match."""

    def __init__(self, start: pb.MatchStart, rule: str = "fnv") -> None:
        self.options = json.loads(start.options)
        self.bold = rule == "greedy"  # the league also enters the bot with `--rule greedy`

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`. All values are JSON."""
        view = json.loads(decision.view)
        types = [json.loads(action)["type"] for action in decision.legal]
        least = self.options["cards"] * (0.3 if self.bold else 0.6)
        return types.index("Stay" if view["card"] > least else "Out")
