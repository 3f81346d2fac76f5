"""Plays Agent Avenue by the lead that one turn gives, and looks no further.

The rule, in whole numbers throughout, so that any language can have it exactly. The action worth most is chosen; among
equals, the one with the lowest index. Our side is `seat % 2`.

Moves:

- `step(side, agent, n)` is how far the pawn of a side moves for an agent when n of that name lie before it already:
  `STEPS`, whose third entry stands for every n from 2 up, or, if the side has the ongoing card that `CHANGED` names for
  this agent, the steps given there. The third Codebreaker (it wins) and the third Daredevil (it loses) do not move and
  count 0: winning and losing by what lies before a side is beyond this bot.
- With a Getaway Car, 3 is added if the step is not 0 and progress + step is a multiple of 7: the pawn ends on a home.
- `own(agent)` and `other(agent)` are that for the two sides, with what lies before them now.
- An unknown card is taken for an average one of the whole deck of 38, and nothing is counted: `average(own)` is the sum
  of copies(a) * own(a) over all eight agents a, which is 38 times what such a card moves us; `average(other)` likewise.

What an action is worth:

- Play, or laying face down (up is then the card that lies face up already):
  `min(own(up) - other(down), own(down) - other(up))`: the opponent takes what leaves us the smaller gain of lead.
- Laying face up, with the partner's card unknown:
  `min(38 * own(up) - average(other), average(own) - 38 * other(up))`.
- Recruiting the face-up card: `38 * own(up) - average(other)`; the other: `average(own) - 38 * other(up)`.
- A Discard and handing over: -1000, so neither is ever made.
- Taking a card of the market: twice its place in `MARKET`, from 0, and 1 more if it names us as its taker.
- Choosing an agent for an instant: with Mind Control `other(agent)`, how far the next of that name would take them;
  with Spycation what `own(agent)` is with one fewer of that name before us; with any other instant `own(agent)`.
- Recruiting again what Spycation brought back: `own(agent)`; keeping it: 0.
"""

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
CHANGED: dict[int, tuple[int, tuple[int, int, int]]] = {
    aa.AGENT_DOUBLE_AGENT: (aa.MARKET_CARD_SINISTER_TWIN, (-2, 12, -2)),
    aa.AGENT_ENFORCER: (aa.MARKET_CARD_WATCHTOWER_TWO, (3, 4, 5)),
    aa.AGENT_CODEBREAKER: (aa.MARKET_CARD_SUPERCOMPUTER, (3, 3, 3)),
    aa.AGENT_SABOTEUR: (aa.MARKET_CARD_DISTRACTION_DEVICE, (1, 1, 2)),
}
# From the worst to the best, as its own matches with cards taken at random went.
MARKET: list[int] = [
    aa.MARKET_CARD_SINISTER_TWIN,
    aa.MARKET_CARD_MASTERPLAN,
    aa.MARKET_CARD_CEASEFIRE,
    aa.MARKET_CARD_WATCHTOWER_TWO,
    aa.MARKET_CARD_DOUBLE_TROUBLE,
    aa.MARKET_CARD_MIND_CONTROL,
    aa.MARKET_CARD_OUTPOST,
    aa.MARKET_CARD_SMOKE_SCREEN,
    aa.MARKET_CARD_SURVEILLANCE_TRUCK,
    aa.MARKET_CARD_SUPERCOMPUTER,
    aa.MARKET_CARD_SECRET_RECRUIT,
    aa.MARKET_CARD_DISTRACTION_DEVICE,
    aa.MARKET_CARD_GETAWAY_CAR,
    aa.MARKET_CARD_SECURITY_SYSTEM,
    aa.MARKET_CARD_SPYCATION,
    aa.MARKET_CARD_LEADER_OF_THE_PACK,
]

Steps = dict[int, int]
"""By agent, how far the next of that name moves a side."""


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
    """What the rule above says of one action."""
    own, other = steps(view.sides[view.seat % 2]), steps(view.sides[1 - view.seat % 2])
    match action.WhichOneof("body"):
        case "play":
            return worth_of_two(own, other, action.play.face_up, action.play.face_down)
        case "lay":
            return worth_of_lay(view, own, other, action.lay)
        case "recruit":
            return worth_of_recruit(view, own, other, action.recruit)
        case "take" | "choose" | "recruit_again":
            return worth_in_the_market(view, own, other, action)
        case _:
            return -1000


def worth_of_two(own: Steps, other: Steps, up: int, down: int) -> int:
    """The smaller gain of lead that the opponent may leave us of two cards."""
    return min(own[up] - other[down], own[down] - other[up])


def worth_of_lay(view: aa.View, own: Steps, other: Steps, lay: aa.Lay) -> int:
    """In spaces of lead; times 38 for a card laid face up."""
    if lay.slot == aa.SLOT_FACE_DOWN:
        return worth_of_two(own, other, view.face_up, lay.agent)
    return min(38 * own[lay.agent] - average(other), average(own) - 38 * other[lay.agent])


def worth_of_recruit(view: aa.View, own: Steps, other: Steps, recruit: aa.Recruit) -> int:
    """In spaces of lead, times 38."""
    if recruit.slot == aa.SLOT_FACE_UP:
        return 38 * own[view.face_up] - average(other)
    return average(own) - 38 * other[view.face_up]


def worth_in_the_market(view: aa.View, own: Steps, other: Steps, action: aa.Action) -> int:
    """A place in the order for a Take, spaces for the others."""
    if action.HasField("take"):
        ourselves = action.take.HasField("taker") and action.take.taker == view.seat
        return 2 * MARKET.index(action.take.card) + ourselves
    if action.HasField("recruit_again"):
        return own[view.market.returned] if action.recruit_again.again else 0
    if view.market.resolving == aa.MARKET_CARD_MIND_CONTROL:
        return other[action.choose.agent]
    if view.market.resolving == aa.MARKET_CARD_SPYCATION:
        side, agent = view.sides[view.seat % 2], action.choose.agent
        return step(side, agent, list(side.recruited).count(agent) - 1)
    return own[action.choose.agent]


def average(steps: Steps) -> int:
    """38 times how far an average card of the deck moves a side."""
    return sum(COPIES[agent] * spaces for agent, spaces in steps.items())


def steps(side: aa.SideView) -> Steps:
    """How far a side would move for each agent."""
    before: list[int] = list(side.recruited)
    return {agent: step(side, agent, before.count(agent)) for agent in STEPS}


def step(side: aa.SideView, agent: int, before: int) -> int:
    """How far a side would move for an agent if so many of that name lay before it."""
    three = STEPS[agent]
    if agent in CHANGED and CHANGED[agent][0] in side.ongoing:
        three = CHANGED[agent][1]
    spaces = three[min(before, 2)]
    if spaces and (side.progress + spaces) % 7 == 0 and aa.MARKET_CARD_GETAWAY_CAR in side.ongoing:
        spaces += 3
    return spaces
