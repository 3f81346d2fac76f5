"""Plays Agent Avenue for the best gain of one turn. It is an example of how to read a view and its actions.

It chooses the action that is worth most, and the first of equals. It counts spaces of lead: how far our pawn goes minus
how far theirs goes. An unknown card goes as far as the 38 cards of the deck do on average. Such worths are counted 38
times, so that all numbers are whole.

- To play two cards: the other side will leave us the smaller gain. The first card of a team lies beside a card that is
  not known yet. We never discard, and never leave the first card to the partner.
- To recruit: we get one of the two cards, and they get the other.
- To take a market card: by its place in an order. If either teammate may take it, we take it.
- To choose an agent for an instant: how far it moves us. For Mind Control, how far its next copy would move them.
- To recruit an agent again: yes, unless it moves us back.
"""

from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

Steps = dict[int, int]
"""By agent, how far the next one of that name moves a side."""

# By agent, how far the first, the second and every later one moves. The third Codebreaker and the third Daredevil end
# the game. This rule does not see that.
WAYS: dict[int, tuple[int, int, int]] = {
    aa.AGENT_DOUBLE_AGENT: (-1, 6, -1),
    aa.AGENT_ENFORCER: (1, 2, 3),
    aa.AGENT_CODEBREAKER: (0, 0, 0),
    aa.AGENT_SABOTEUR: (-1, -1, -2),
    aa.AGENT_DAREDEVIL: (2, 3, 0),
    aa.AGENT_SENTINEL: (0, 2, 6),
    aa.AGENT_SIDEKICK: (4, 4, 4),
    aa.AGENT_MOLE: (-3, -3, -3),
}
# The same for a side with this market card.
CHANGED_WAYS: dict[int, tuple[int, tuple[int, int, int]]] = {
    aa.AGENT_DOUBLE_AGENT: (aa.MARKET_CARD_SINISTER_TWIN, (-2, 12, -2)),
    aa.AGENT_ENFORCER: (aa.MARKET_CARD_WATCHTOWER_TWO, (3, 4, 5)),
    aa.AGENT_CODEBREAKER: (aa.MARKET_CARD_SUPERCOMPUTER, (3, 3, 3)),
    aa.AGENT_SABOTEUR: (aa.MARKET_CARD_DISTRACTION_DEVICE, (1, 1, 2)),
}
DECK_COUNT = 38
SINGLE_COPIES = (aa.AGENT_SIDEKICK, aa.AGENT_MOLE)  # of every other agent there are 6
WORST_TO_BEST = (
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
)
NEVER = -1000


def choose(decision: pb.Decision) -> int:
    """The index of the action that is worth most, the lowest of equals."""
    turn = Turn(aa.View.FromString(decision.view))
    worths = [turn.worth(aa.Action.FromString(action)) for action in decision.legal]
    return worths.index(max(worths))


class Turn:
    """One position, and what the actions in it are worth."""

    def __init__(self, view: aa.View) -> None:
        self.view = view
        self.our_side, their_side = view.sides[view.seat % 2], view.sides[1 - view.seat % 2]
        self.ours, self.theirs = steps(self.our_side), steps(their_side)

    def worth(self, action: aa.Action) -> int:
        """The worth of one action. Compare it only with worths of the same decision."""
        match action.WhichOneof("body"):
            case "play":
                return self.of_two(action.play.face_up, action.play.face_down)
            case "lay":
                return self.laid(action.lay)
            case "recruit":
                up = self.view.face_up
                return self.taken(up) if action.recruit.slot == aa.SLOT_FACE_UP else self.left(up)
            case "take" | "choose" | "recruit_again":
                return self.in_the_market(action)
            case _:  # a discard, or handing over
                return NEVER

    def of_two(self, up: int, down: int) -> int:
        """Spaces of lead, if the other side takes the card that leaves us the smaller gain."""
        return min(self.ours[up] - self.theirs[down], self.ours[down] - self.theirs[up])

    def laid(self, lay: aa.Lay) -> int:
        """The second card of a team lies beside a known card. The first lies beside an unknown one."""
        if lay.slot == aa.SLOT_FACE_DOWN:
            return self.of_two(self.view.face_up, lay.agent)
        return min(self.taken(lay.agent), self.left(lay.agent))

    def taken(self, agent: int) -> int:
        """Spaces of lead, times 38, if we get this agent and they get an unknown one."""
        return DECK_COUNT * self.ours[agent] - of_all_cards(self.theirs)

    def left(self, agent: int) -> int:
        """Spaces of lead, times 38, if they get this agent and we get an unknown one."""
        return of_all_cards(self.ours) - DECK_COUNT * self.theirs[agent]

    def in_the_market(self, action: aa.Action) -> int:
        """For taking a card, its place in the order. For the other actions, spaces."""
        if action.HasField("take"):
            to_us = action.take.HasField("taker") and action.take.taker == self.view.seat
            return 2 * WORST_TO_BEST.index(action.take.card) + to_us
        if action.HasField("recruit_again"):
            return self.ours[self.view.market.returned] if action.recruit_again.again else 0
        agent = action.choose.agent
        if self.view.market.resolving == aa.MARKET_CARD_MIND_CONTROL:
            return self.theirs[agent]
        if self.view.market.resolving == aa.MARKET_CARD_SPYCATION:  # then one fewer lies before us
            return step(self.our_side, agent, count(self.our_side, agent) - 1)
        return self.ours[agent]


def of_all_cards(steps: Steps) -> int:
    """How far all 38 cards of the deck move a side, each as if it came next."""
    return sum(spaces if agent in SINGLE_COPIES else 6 * spaces for agent, spaces in steps.items())


def steps(side: aa.SideView) -> Steps:
    """How far every agent would move a side."""
    return {agent: step(side, agent, count(side, agent)) for agent in WAYS}


def count(side: aa.SideView, agent: int) -> int:
    """How many agents of this name lie before a side."""
    return list[int](side.recruited).count(agent)


def step(side: aa.SideView, agent: int, before: int) -> int:
    """How far an agent moves a side that has `before` agents of that name."""
    way = WAYS[agent]
    if agent in CHANGED_WAYS and CHANGED_WAYS[agent][0] in side.ongoing:
        way = CHANGED_WAYS[agent][1]
    spaces = way[min(before, 2)]
    # Homes are 7 spaces apart.
    ends_on_a_home = spaces != 0 and (side.progress + spaces) % 7 == 0
    return spaces + 3 if ends_on_a_home and aa.MARKET_CARD_GETAWAY_CAR in side.ongoing else spaces
