"""Plans its team's turns: plays the match on after every action, and chooses the action after which the team holds out.

`table.py` draws several futures: which enemies will appear, and where. `plans.py` says what follows an action,
`outlook.py` plays the match on in each future, in a simplified form without dice. The rest of the team may be anybody.
"""

from collections.abc import Sequence
from random import Random

from board import ROW, board_of
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
        actions, view = [ag.Action.FromString(action) for action in decision.legal], ag.View.FromString(decision.view)
        return start(view, actions) if view.HasField("start") else best(Table(view, luck), actions)


def start(view: ag.View, actions: Sequence[ag.Action]) -> int:
    """The index of the cell nearest our place if the team stands in the middle of the row, in turn order."""
    column = (board_of(view.board).width - len(view.order)) // 2 + list(view.order).index(view.seat)
    away = [abs(action.go.cell % ROW - column) for action in actions]
    return away.index(min(away))


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
