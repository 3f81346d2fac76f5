"""Plays Agent Avenue by the lead that one turn gives, and looks no further.

The rule, in whole numbers throughout, so that any language can have it exactly:

- `step(agent, n)` is how far a pawn moves for an agent when n of that name lie before its side
  already: `STEPS`, whose third entry stands for every n from 2 up. The third Codebreaker (it wins)
  and the third Daredevil (it loses) do not move and count 0: winning and losing so is beyond this bot.
- `own(agent)` and `other(agent)` are `step` for the two sides, with what lies before them now.
- A Play is worth `min(own(up) - other(down), own(down) - other(up))`: the opponent takes what leaves
  us the smaller gain of lead.
- Recruiting the face-up card is worth `38 * own(up) - sum of copies(a) * other(a)`, recruiting the
  other `sum of copies(a) * own(a) - 38 * other(up)`, summed over all eight agents a: the face-down
  card is taken for an average one of the whole deck of 38, and nothing is counted.
- A Discard is worth -1000, so none is ever made.
- The action worth most is chosen; among equals, the one with the lowest index.
"""

from collections.abc import Iterable

from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

COPIES: dict[int, int] = {
    aa.AGENT_DOUBLE_AGENT: 6,
    aa.AGENT_ENFORCER: 6,
    aa.AGENT_CODEBREAKER: 6,
    aa.AGENT_SABOTEUR: 6,
    aa.AGENT_DAREDEVIL: 6,
    aa.AGENT_SENTINEL: 6,
    aa.AGENT_SIDEKICK: 1,
    aa.AGENT_MOLE: 1,
}
STEPS: dict[int, tuple[int, int, int]] = {
    aa.AGENT_DOUBLE_AGENT: (-1, 6, -1),
    aa.AGENT_ENFORCER: (1, 2, 3),
    aa.AGENT_CODEBREAKER: (0, 0, 0),
    aa.AGENT_SABOTEUR: (-1, -1, -2),
    aa.AGENT_DAREDEVIL: (2, 3, 0),
    aa.AGENT_SENTINEL: (0, 2, 6),
    aa.AGENT_SIDEKICK: (4, 4, 4),
    aa.AGENT_MOLE: (-3, -3, -3),
}


class Player:
    """One match. It remembers nothing: the view and the legal actions settle every choice."""

    def __init__(self, start: pb.MatchStart) -> None:
        """The rule needs nothing of `start`: it draws no luck, and the view says where it sits."""

    def choose(self, decision: pb.Decision) -> int:
        """The index of the chosen action in `decision.legal`."""
        view = aa.View.FromString(decision.view)
        worths = [worth(view, aa.Action.FromString(action)) for action in decision.legal]
        return worths.index(max(worths))


def worth(view: aa.View, action: aa.Action) -> int:
    """What the rule above says of one action: in spaces of lead, for a Recruit times 38."""
    own = steps(view.sides[view.seat].recruited)
    other = steps(view.sides[1 - view.seat].recruited)
    body = action.WhichOneof("body")
    if body == "play":
        up, down = action.play.face_up, action.play.face_down
        return min(own[up] - other[down], own[down] - other[up])
    if body == "recruit":
        if action.recruit.slot == aa.SLOT_FACE_UP:
            return 38 * own[view.face_up] - sum(COPIES[a] * other[a] for a in COPIES)
        return sum(COPIES[a] * own[a] for a in COPIES) - 38 * other[view.face_up]
    return -1000


def steps(recruited: Iterable[int]) -> dict[int, int]:
    """How far a side with these agents before it would move for each agent."""
    before = list(recruited)
    return {agent: STEPS[agent][min(before.count(agent), 2)] for agent in STEPS}
