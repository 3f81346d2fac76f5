"""What the bot plays: the policy that `solve.py` computed, hand after hand."""

import json
from pathlib import Path
from random import Random

from referee_bot.v1 import bot_pb2 as pb

POLICY = json.loads((Path(__file__).parent / "build" / "policy.json").read_text())
"""By information state, the actions with their probabilities."""


class Player:
    """One match. Its random numbers come from the seed of the match, so the match can be played again."""

    def __init__(self, start: pb.MatchStart) -> None:
        self.random = Random(start.seed)  # noqa: S311 - it plays

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`. All values are JSON."""
        ids = [json.loads(action)["id"] for action in decision.legal]
        # The first line of the text is the number of the hand; the rest is the information state of Leduc poker.
        _, _, state = json.loads(decision.view)["text"].partition("\n")
        actions = POLICY.get(state)
        if actions is None:  # between two hands there is one thing to do: continue
            return 0
        numbers, shares = zip(*actions, strict=True)
        return ids.index(self.random.choices(numbers, shares)[0])
