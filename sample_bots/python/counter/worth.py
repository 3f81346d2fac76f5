"""Rates a position: the cards before the sides, and how likely the active side wins from there.

If the turn ends the match, the result is certain. Otherwise the lead and the cards of each side decide, by weights
fitted to matches of this bot against itself.
"""

from math import exp
from typing import NamedTuple

from hands import AGENTS, counts
from referee_bot.v1 import agent_avenue_pb2 as aa

# Counted from either home.
MARKET_SPACES = (2, 5, 9, 12)
OTHER_HOME = 7
# How far the first, the second and every later copy of an agent moves.
STEPS = [
    (0, 0, 0),
    (-1, 6, -1),  # Double Agent
    (1, 2, 3),  # Enforcer
    (0, 0, 0),  # Codebreaker
    (-1, -1, -2),  # Saboteur
    (2, 3, 0),  # Daredevil
    (0, 2, 6),  # Sentinel
    (4, 4, 4),  # Sidekick
    (-3, -3, -3),  # Mole
]
# The promise of no copy, one copy, and two or more copies of an agent for later turns, in log odds of winning.
PROMISE = [
    (0.0, 0.0, 0.0),
    (0.0, 0.95, -0.12),  # Double Agent
    (0.0, 0.14, 0.33),  # Enforcer
    (0.0, 0.42, 1.75),  # Codebreaker
    (0.0, -0.23, -0.32),  # Saboteur
    (0.0, -0.35, -1.88),  # Daredevil
    (0.0, 0.71, 1.36),  # Sentinel
    (0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0),
]


class Change(NamedTuple):
    """How an ongoing card changes an agent for the side that has the card."""

    card: int
    steps: tuple[int, int, int]
    promise: tuple[float, float, float]


CHANGES: dict[int, Change] = {
    aa.AGENT_DOUBLE_AGENT: Change(aa.MARKET_CARD_SINISTER_TWIN, (-2, 12, -2), (0.0, 1.5, -0.2)),
    aa.AGENT_ENFORCER: Change(aa.MARKET_CARD_WATCHTOWER_TWO, (3, 4, 5), (0.4, 0.55, 0.75)),
    aa.AGENT_CODEBREAKER: Change(aa.MARKET_CARD_SUPERCOMPUTER, (3, 3, 3), (0.8, 1.05, 2.3)),
    aa.AGENT_SABOTEUR: Change(aa.MARKET_CARD_DISTRACTION_DEVICE, (1, 1, 2), (0.45, 0.2, 0.4)),
    aa.AGENT_DAREDEVIL: Change(aa.MARKET_CARD_LEADER_OF_THE_PACK, (2, 3, 0), (0.4, 0.75, 1.3)),
}
# The promise of the other ongoing cards, by the number of different agents before their side.
OTHER_CARDS: dict[int, tuple[float, ...]] = {
    aa.MARKET_CARD_GETAWAY_CAR: (0.35,) * 9,
    aa.MARKET_CARD_MASTERPLAN: (0.3, 0.3, 0.3, 0.3, 0.4, 0.6, 1.4, 0.0, 0.0),
    aa.MARKET_CARD_SECURITY_SYSTEM: (0.3,) * 9,
}
PRIZE = 0.4  # what a card of the market promises, in log odds
LEAD = 0.42  # what one space of lead is worth, in log odds
TURN = 0.3  # what it is worth to be active next, in log odds


class Side(NamedTuple):
    """The open cards and the pawn of a side.

    Attributes:
        progress: spaces walked.
        have: by agent, how many lie before it.
        ongoing: its ongoing market cards.
        prize: what landing on a market space promises; 0 if no card is on offer.
        landed: whether its pawn has just landed on one.
    """

    progress: int
    have: tuple[int, ...]
    ongoing: frozenset[int]
    prize: float
    landed: bool = False

    def with_card(self, card: int) -> "Side":
        """The side with one more ongoing card."""
        return self._replace(ongoing=self.ongoing | {card})

    def without_agents(self) -> "Side":
        """The side after all its agents left the game."""
        return self._replace(have=(0,) * 9)

    def with_more(self, agent: int, by: int) -> "Side":
        """The side with `by` more copies of an agent before it."""
        have = list(self.have)
        have[agent] += by
        return self._replace(have=tuple(have))

    def moved(self, steps: int) -> "Side":
        """The side after its pawn moved this far."""
        progress = self.progress + steps
        at_a_home = progress % OTHER_HOME == 0
        if steps and at_a_home and aa.MARKET_CARD_GETAWAY_CAR in self.ongoing:
            progress += 3
        return self._replace(progress=progress, landed=steps != 0 and progress % 14 in MARKET_SPACES)

    def recruiting(self, agent: int) -> "Side":
        """The side after it recruited an agent."""
        change = self.change(agent)
        steps = change.steps if change else STEPS[agent]
        return self.moved(steps[min(self.have[agent], 2)]).with_more(agent, 1)

    def change(self, agent: int) -> Change | None:
        """What its ongoing cards make of an agent, if anything."""
        change = CHANGES.get(agent)
        return change if change and change.card in self.ongoing else None

    def names(self) -> int:
        """How many different agents lie before it."""
        return sum(self.have[agent] > 0 for agent in AGENTS)

    def promise(self) -> float:
        """What it has promises for later turns, in log odds."""
        total = 0.0
        for agent in AGENTS:
            change = self.change(agent)
            promise = change.promise if change else PROMISE[agent]
            total += promise[min(self.have[agent], 2)]
        for card, by_names in OTHER_CARDS.items():
            if card in self.ongoing:
                total += by_names[self.names()]
        return total + self.prize * self.landed

    def wins(self) -> bool:
        """Whether it wins by what lies before it."""
        return (
            self.have[aa.AGENT_CODEBREAKER] >= 3
            or (aa.MARKET_CARD_LEADER_OF_THE_PACK in self.ongoing and self.have[aa.AGENT_DAREDEVIL] >= 3)
            or (aa.MARKET_CARD_MASTERPLAN in self.ongoing and self.names() >= 7)
        )

    def loses(self) -> bool:
        """Whether it loses by what lies before it."""
        return self.have[aa.AGENT_DAREDEVIL] >= 3 and aa.MARKET_CARD_LEADER_OF_THE_PACK not in self.ongoing


class Standing(NamedTuple):
    """A side at the end of a turn, as far as `chance` looks at it.

    Attributes:
        progress: spaces walked.
        promise: in log odds.
        wins: whether it wins by what lies before it.
        loses: whether it loses by that.
        guarded: whether it wins if the other side's pawn stands on its home.
        away: whether its own pawn stands on the other side's home.
    """

    progress: int
    promise: float
    wins: bool
    loses: bool
    guarded: bool
    away: bool


def standing(side: Side) -> Standing:
    """How a side stands."""
    return Standing(
        side.progress,
        side.promise(),
        side.wins(),
        side.loses(),
        guarded=aa.MARKET_CARD_SECURITY_SYSTEM in side.ongoing,
        away=side.progress % 14 == OTHER_HOME,
    )


def chance(active: Standing, other: Standing) -> float:
    """How likely the active side wins once the turn has ended so."""
    lead = active.progress - other.progress
    # The active side comes first: it wins if both sides have a claim.
    if active.wins or other.loses or lead >= 7 or (active.guarded and other.away):
        return 1.0
    if other.wins or active.loses or lead <= -7 or (other.guarded and active.away):
        return 0.0
    return logistic(LEAD * lead + active.promise - other.promise - TURN)


def side_of(view: aa.View, number: int) -> Side:
    """A side as a view shows it."""
    seen = view.sides[number]
    prize = PRIZE if view.market.offer else 0.0
    return Side(seen.progress, tuple(counts(seen.recruited)), frozenset(seen.ongoing), prize)


def logistic(log_odds: float) -> float:
    """The chance that has these odds."""
    return 1 / (1 + exp(-log_odds))
