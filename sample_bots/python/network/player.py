"""Plays Agent Avenue, simple and advanced, by a small network that has played against itself.

`rows.py` turns each action of a decision into a row of numbers, `network.py` gives each row a score, and the player
chooses the action with the highest one. It decides for many matches at once as well as for one, and makes the same
choices.
"""

from collections.abc import Sequence

from network import Network, read
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb
from rows import rows


class Player:
    """It keeps nothing of any match."""

    def __init__(self, network: Network | None = None) -> None:
        """Play by `network`; None: by that in weights.txt."""
        self.network = network or read()

    def choose(self, decisions: Sequence[pb.Decision]) -> list[int]:
        """The indices of the chosen actions in their `legal`, decision by decision."""
        return self.network.best([rows_of(decision) for decision in decisions])


def rows_of(decision: pb.Decision) -> list[bytes]:
    """A row for each action of a decision."""
    return rows(aa.View.FromString(decision.view), [aa.Action.FromString(action) for action in decision.legal])
