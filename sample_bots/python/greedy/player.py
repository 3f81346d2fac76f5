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
- Taking a card of the market: twice what `MARKET` has for it, and 1 more if we are to be its taker ourselves.
- Choosing an agent for an instant: with Mind Control `other(agent)`, how far the next of that name would take them; with
  Spycation `step` for one fewer of that name before us, how far it takes us again; with any other `own(agent)`.
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
MARKET: dict[int, int] = {
    aa.MARKET_CARD_CEASEFIRE: 0,
    aa.MARKET_CARD_MASTERPLAN: 1,
    aa.MARKET_CARD_LEADER_OF_THE_PACK: 2,
    aa.MARKET_CARD_SECURITY_SYSTEM: 3,
    aa.MARKET_CARD_GETAWAY_CAR: 4,
    aa.MARKET_CARD_OUTPOST: 5,
    aa.MARKET_CARD_SMOKE_SCREEN: 6,
    aa.MARKET_CARD_SURVEILLANCE_TRUCK: 7,
    aa.MARKET_CARD_MIND_CONTROL: 8,
    aa.MARKET_CARD_DOUBLE_TROUBLE: 9,
    aa.MARKET_CARD_DISTRACTION_DEVICE: 10,
    aa.MARKET_CARD_SECRET_RECRUIT: 11,
    aa.MARKET_CARD_SINISTER_TWIN: 12,
    aa.MARKET_CARD_SPYCATION: 13,
    aa.MARKET_CARD_WATCHTOWER_TWO: 14,
    aa.MARKET_CARD_SUPERCOMPUTER: 15,
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
    """What the rule above says of one action: in spaces of lead; for a Recruit and a card laid face up times 38."""
    own, other = steps(view.sides[view.seat % 2]), steps(view.sides[1 - view.seat % 2])
    match action.WhichOneof("body"):
        case "play":
            return worth_of_two(own, other, action.play.face_up, action.play.face_down)
        case "lay" if action.lay.slot == aa.SLOT_FACE_DOWN:
            return worth_of_two(own, other, view.face_up, action.lay.agent)
        case "lay":
            up = action.lay.agent
            return min(38 * own[up] - average(other), average(own) - 38 * other[up])
        case "recruit" if action.recruit.slot == aa.SLOT_FACE_UP:
            return 38 * own[view.face_up] - average(other)
        case "recruit":
            return average(own) - 38 * other[view.face_up]
        case "take":
            ourselves = action.take.HasField("taker") and action.take.taker == view.seat
            return 2 * MARKET[action.take.card] + ourselves
        case "choose":
            return worth_of_choice(view, own, other, action.choose.agent)
        case "recruit_again":
            return own[view.market.returned] if action.recruit_again.again else 0
        case _:
            return -1000


def worth_of_two(own: dict[int, int], other: dict[int, int], up: int, down: int) -> int:
    """The smaller gain of lead that the opponent may leave us of two cards."""
    return min(own[up] - other[down], own[down] - other[up])


def worth_of_choice(view: aa.View, own: dict[int, int], other: dict[int, int], agent: int) -> int:
    """What an agent is worth for the instant that asks for one."""
    if view.market.resolving == aa.MARKET_CARD_MIND_CONTROL:
        return other[agent]
    if view.market.resolving == aa.MARKET_CARD_SPYCATION:
        side = view.sides[view.seat % 2]
        return step(side, agent, list(side.recruited).count(agent) - 1)
    return own[agent]


def average(steps: dict[int, int]) -> int:
    """38 times what an average card of the deck moves a side."""
    return sum(COPIES[agent] * spaces for agent, spaces in steps.items())


def steps(side: aa.SideView) -> dict[int, int]:
    """How far a side would move for each agent."""
    before = list(side.recruited)
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
