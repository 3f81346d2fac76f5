"""Plans its team's turns: plays the match on after every action, and chooses the action after which the team holds out.

`table.py` draws several futures: which enemies will appear, and where. `plans.py` says what follows an action,
`outlook.py` plays the match on in each future, in a simplified form without dice. The rest of the team may be anybody.
"""

from collections.abc import Sequence
from random import Random

from candidates import candidates
from plans import plans_of
from referee_bot.v1 import agonia_pb2 as ag
from referee_bot.v1 import bot_pb2 as pb
from table import Table


class Player:
    """One match. Of the match it keeps only the seed: the view holds all that it weighs."""

    def __init__(self, start: pb.MatchStart) -> None:
        self._seed = start.seed

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        if len(decision.legal) == 1:
            return 0
        luck = Random(self._seed + decision.number.to_bytes(4, "little"))
        actions = [ag.Action.FromString(action) for action in decision.legal]
        return best(Table(ag.View.FromString(decision.view), luck), actions)


def best(table: Table, actions: Sequence[ag.Action]) -> int:
    """The index of the action after which the team most likely holds out."""
    indices = candidates(table, actions)
    plans = [plans_of(table, actions[index]) for index in indices]
    holding = table.forecast.chances(table.layouts, [plan for some in plans for plan in some]).tolist()
    worths, at = [], 0
    for some in plans:
        worths.append(sum(holding[at : at + len(some)]) / len(some))
        at += len(some)
    most = max(worths)
    # Rounded, because the last bits may differ between machines. They must decide nothing.
    relative = [round(worth / most, 12) if most > 0 else 0.0 for worth in worths]
    return indices[relative.index(max(relative))]
