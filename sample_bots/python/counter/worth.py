"""What a position is worth: what lies before the sides, and how likely the active one wins from there.

Where a turn ends the match, that is certain. Elsewhere it is judged from the lead and from what each side has, by
weights fitted to matches of this bot against itself.
"""

from collections.abc import Iterable
from math import comb, exp, log
from typing import NamedTuple

from referee_bot.v1 import agent_avenue_pb2 as aa

Counts = list[int]
"""How many there are of each agent, by its number (1 to 8; 0 is no agent)."""

AGENTS = range(1, 9)
COPIES = [0, 6, 6, 6, 6, 6, 6, 1, 1]
MARKET_SPACES = (2, 5, 9, 12)  # counted from either home
# How far the first, the second and every later one of an agent moves.
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
# What none, one, two or more of an agent promise for later turns, in log odds of winning.
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
    """What an ongoing card makes of an agent for the side that has it."""

    card: int
    steps: tuple[int, int, int]
    promise: tuple[float, float, float]


CHANGES = {
    aa.AGENT_DOUBLE_AGENT: Change(aa.MARKET_CARD_SINISTER_TWIN, (-2, 12, -2), (0.2, 1.5, 0.0)),
    aa.AGENT_ENFORCER: Change(aa.MARKET_CARD_WATCHTOWER_TWO, (3, 4, 5), (0.6, 0.9, 1.2)),
    aa.AGENT_CODEBREAKER: Change(aa.MARKET_CARD_SUPERCOMPUTER, (3, 3, 3), (0.6, 1.0, 2.2)),
    aa.AGENT_SABOTEUR: Change(aa.MARKET_CARD_DISTRACTION_DEVICE, (1, 1, 2), (0.4, 0.4, 0.5)),
    aa.AGENT_DAREDEVIL: Change(aa.MARKET_CARD_LEADER_OF_THE_PACK, (2, 3, 0), (0.4, 0.8, 2.0)),
}
# What the other ongoing cards promise; a Masterplan by how many different agents lie before the side.
GETAWAY = 0.2
SECURITY = 0.2
MASTERPLAN = (0.0, 0.0, 0.0, 0.0, 0.1, 0.4, 1.2, 0.0, 0.0)
PRIZE = 0.5  # what a card of the market is worth
LEAD = 0.42  # what one space of lead is worth, in log odds
TURN = 0.3  # what it is worth to be active next, in log odds


class Side(NamedTuple):
    """What lies open of a side.

    Attributes:
        progress: spaces walked.
        have: by agent, how many lie before it.
        ongoing: its ongoing market cards.
        prize: what a card of the market promises; nothing where none is on offer.
        landed: whether its pawn has just moved onto a market space.
    """

    progress: int
    have: tuple[int, ...]
    ongoing: frozenset[int] = frozenset()
    prize: float = 0.0
    landed: bool = False

    def moved(self, steps: int) -> "Side":
        """The side after its pawn moved so far."""
        progress = self.progress + steps
        if steps and progress % 7 == 0 and aa.MARKET_CARD_GETAWAY_CAR in self.ongoing:
            progress += 3
        return self._replace(progress=progress, landed=bool(steps) and progress % 14 in MARKET_SPACES)

    def changed(self, agent: int, by: int) -> "Side":
        """The side with so many more of an agent before it."""
        have = list(self.have)
        have[agent] += by
        return self._replace(have=tuple(have))

    def recruiting(self, agent: int) -> "Side":
        """The side after it recruited an agent."""
        change = CHANGES.get(agent)
        steps = change.steps if change and change.card in self.ongoing else STEPS[agent]
        return self.moved(steps[min(self.have[agent], 2)]).changed(agent, +1)

    def without_agents(self) -> "Side":
        """The side after all its agents left the game."""
        return self._replace(have=(0,) * 9)

    def promise(self) -> float:
        """What it has promises for later turns, in log odds."""
        total = 0.0
        for agent in AGENTS:
            change = CHANGES.get(agent)
            promise = change.promise if change and change.card in self.ongoing else PROMISE[agent]
            total += promise[min(self.have[agent], 2)]
        if aa.MARKET_CARD_GETAWAY_CAR in self.ongoing:
            total += GETAWAY
        if aa.MARKET_CARD_SECURITY_SYSTEM in self.ongoing:
            total += SECURITY
        if aa.MARKET_CARD_MASTERPLAN in self.ongoing:
            total += MASTERPLAN[self.names()]
        return total + self.prize * self.landed

    def names(self) -> int:
        """How many different agents lie before it."""
        return sum(count > 0 for count in self.have)

    def wins(self) -> bool:
        """Whether it wins by what lies before it."""
        leads_the_pack = aa.MARKET_CARD_LEADER_OF_THE_PACK in self.ongoing
        return (
            self.have[aa.AGENT_CODEBREAKER] >= 3
            or (leads_the_pack and self.have[aa.AGENT_DAREDEVIL] >= 3)
            or (aa.MARKET_CARD_MASTERPLAN in self.ongoing and self.names() >= 7)
        )

    def loses(self) -> bool:
        """Whether it loses by what lies before it."""
        leads_the_pack = aa.MARKET_CARD_LEADER_OF_THE_PACK in self.ongoing
        return not leads_the_pack and self.have[aa.AGENT_DAREDEVIL] >= 3


class Standing(NamedTuple):
    """A side at the end of a turn, as far as `chance` looks at it.

    Attributes:
        progress: spaces walked.
        promise: in log odds.
        wins: whether it wins by what lies before it.
        loses: whether it loses by that.
        away: whether its pawn stands on the other side's home.
        guarded: whether it wins if the other side's pawn stands on its home.
    """

    progress: int
    promise: float
    wins: bool
    loses: bool
    away: bool
    guarded: bool


def standing(side: Side, extra: float = 0.0) -> Standing:
    """How a side stands, with `extra` to what it promises."""
    return Standing(
        side.progress,
        side.promise() + extra,
        side.wins(),
        side.loses(),
        side.progress % 14 == 7,
        aa.MARKET_CARD_SECURITY_SYSTEM in side.ongoing,
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


def log_odds(chance: float) -> float:
    """The odds of a chance; those of a certain one are bounded."""
    held = min(max(chance, 0.002), 0.998)
    return log(held / (1 - held))


def best_of_unknown(worths: dict[int, float], unseen: Counts, cards: int, otherwise: float = 0.0) -> float:
    """What the best agent is worth in a hand of so many unseen cards; `otherwise` if none of them is in it."""
    ranked = sorted(worths, key=lambda agent: -worths[agent])
    chances = chances_of_best(ranked, unseen, cards)
    return sum(chance * worths[agent] for agent, chance in chances) + (1 - sum(c for _, c in chances)) * otherwise


def chances_of_best(ranked: list[int], unseen: Counts, cards: int) -> list[tuple[int, float]]:
    """How likely each of the ranked agents is the first of them in a hand of so many unseen cards."""
    rest = total = sum(unseen)
    none, found = 1.0, []
    for agent in ranked:
        rest -= unseen[agent]
        fewer = comb(rest, cards) / comb(total, cards) if cards <= total else 0.0
        found.append((agent, none - fewer))
        none = fewer
    return found


def all_but(*piles: Iterable[int]) -> Counts:
    """All cards of the game without those in the piles."""
    rest = COPIES.copy()
    for pile in piles:
        for agent in pile:
            rest[agent] -= 1
    return rest


def counts(agents: Iterable[int]) -> Counts:
    """How many there are of each agent."""
    found = [0] * 9
    for agent in agents:
        found[agent] += 1
    return found
