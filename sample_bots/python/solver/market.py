"""The black market of the advanced mode: how likely each side wins after a turn, and what the market's cards are worth.

No network has learned this mode. The lead and the cards of each side say how likely it wins, as the bot `counter` has
it; its weights were fitted to its matches against itself. A card of the market is judged by the position that it leads
to, as if the turn then ended. If the card asks for a choice, the best choice counts.

Agents are numbered from 0, as in `hands.py`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from hands import AGENTS, COPIES, Indices, Numbers, counts_of
from numpy.typing import NDArray
from position import CATCH, CODEBREAKER, DAREDEVIL, DECISIVE, STEPS
from referee_bot.v1 import agent_avenue_pb2 as aa

DOUBLE_AGENT, ENFORCER, SABOTEUR, SENTINEL = 0, 1, 3, 5
# Counted from either home.
MARKET_SPACES = (2, 5, 9, 12)
OTHER_HOME = 7
STREET = 14
MASTERPLAN_NAMES = 7
# The promise of no copy, one copy, and two or more copies of an agent for later turns, in log odds of winning.
PROMISE = (
    (0.0, 0.95, -0.12),
    (0.0, 0.14, 0.33),
    (0.0, 0.42, 1.75),
    (0.0, -0.23, -0.32),
    (0.0, -0.35, -1.88),
    (0.0, 0.71, 1.36),
    (0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0),
)
LEAD = 0.42  # what one space of lead is worth, in log odds
TURN = 0.3  # what it is worth to be active next, in log odds
PRIZE = 0.4  # what landing on a market space promises, in log odds


class Change(NamedTuple):
    """How an ongoing card changes an agent for the side that has the card: see `STEPS` and `PROMISE`."""

    card: int
    steps: tuple[int, int, int]
    promise: tuple[float, float, float]


CHANGES = {
    DOUBLE_AGENT: Change(aa.MARKET_CARD_SINISTER_TWIN, (-2, 12, -2), (0.0, 1.5, -0.2)),
    ENFORCER: Change(aa.MARKET_CARD_WATCHTOWER_TWO, (3, 4, 5), (0.4, 0.55, 0.75)),
    CODEBREAKER: Change(aa.MARKET_CARD_SUPERCOMPUTER, (3, 3, 3), (0.8, 1.05, 2.3)),
    SABOTEUR: Change(aa.MARKET_CARD_DISTRACTION_DEVICE, (1, 1, 2), (0.45, 0.2, 0.4)),
    DAREDEVIL: Change(aa.MARKET_CARD_LEADER_OF_THE_PACK, (2, 3, 0), (0.4, 0.75, 1.3)),
}
# The promise of the other ongoing cards, by the number of different agents before their side.
OTHER_CARDS: dict[int, tuple[float, ...]] = {
    aa.MARKET_CARD_GETAWAY_CAR: (0.35,) * 9,
    aa.MARKET_CARD_MASTERPLAN: (0.3, 0.3, 0.3, 0.3, 0.4, 0.6, 1.4, 0.0, 0.0),
    aa.MARKET_CARD_SECURITY_SYSTEM: (0.3,) * 9,
}
ONGOING = {change.card for change in CHANGES.values()} | set(OTHER_CARDS)


class Pawn(NamedTuple):
    """A side: its pawn, and the cards before it.

    Attributes:
        progress: spaces walked.
        recruited: by agent, how many it has.
        ongoing: its ongoing market cards.
        prize: what landing on a market space promises; 0 if no card is on offer.
        landed: whether its pawn has just landed on one.
    """

    progress: int
    recruited: tuple[int, ...]
    ongoing: frozenset[int]
    prize: float
    landed: bool = False

    def having(self, agent: int, more: int) -> "Pawn":
        """With `more` of an agent, and no move."""
        recruited = self.recruited
        return self._replace(recruited=(*recruited[:agent], recruited[agent] + more, *recruited[agent + 1 :]))

    def moved(self, steps: int) -> "Pawn":
        """After a move."""
        progress = self.progress + steps
        if steps and progress % OTHER_HOME == 0 and aa.MARKET_CARD_GETAWAY_CAR in self.ongoing:
            progress += 3
        return self._replace(progress=progress, landed=steps != 0 and progress % STREET in MARKET_SPACES)

    def recruiting(self, agent: int) -> "Pawn":
        """After it recruited an agent and moved."""
        change = self._change(agent)
        steps = change.steps if change else STEPS[agent]
        return self.moved(steps[min(self.recruited[agent], 2)]).having(agent, 1)

    @property
    def standing(self) -> "Standing":
        """How it stands at the end of a turn."""
        has, agents = self.ongoing.__contains__, self.recruited
        names = sum(count > 0 for count in agents)
        promise = self.prize * self.landed
        for agent in AGENTS:
            change = self._change(agent)
            promise += (change.promise if change else PROMISE[agent])[min(agents[agent], 2)]
        promise += sum(by_names[names] for card, by_names in OTHER_CARDS.items() if has(card))
        many, follows = agents[DAREDEVIL] >= DECISIVE, has(aa.MARKET_CARD_LEADER_OF_THE_PACK)
        masters = has(aa.MARKET_CARD_MASTERPLAN) and names >= MASTERPLAN_NAMES
        return Standing(
            self.progress,
            promise,
            wins=agents[CODEBREAKER] >= DECISIVE or (many and follows) or masters,
            loses=many and not follows,
            guarded=has(aa.MARKET_CARD_SECURITY_SYSTEM),
            away=self.progress % STREET == OTHER_HOME,
        )

    def _change(self, agent: int) -> Change | None:
        change = CHANGES.get(agent)
        return change if change and change.card in self.ongoing else None


class Standing(NamedTuple):
    """How a side stands at the end of a turn.

    Attributes:
        progress: spaces walked.
        promise: what it has promises for later turns, in log odds.
        wins: whether it wins by what lies before it.
        loses: whether it loses by that.
        guarded: whether it wins if the other pawn stands on its home.
        away: whether its pawn stands on the other side's home.
    """

    progress: int
    promise: float
    wins: bool
    loses: bool
    guarded: bool
    away: bool


class Table(NamedTuple):
    """Both sides, as one of them looks at them.

    Attributes:
        own: the side that looks.
        other: the other one.
        active: whether it is the turn of the side that looks.
    """

    own: Pawn
    other: Pawn
    active: bool

    def chance(self) -> float:
        """How likely the side that looks wins, if the turn ends now."""
        sides = (self.own, self.other) if self.active else (self.other, self.own)
        found = float(chances([sides[0]], [sides[1]])[0, 0])
        return found if self.active else 1 - found

    def recruiting(self, agent: int) -> "Table":
        """After the side that looks recruited an agent."""
        return self._replace(own=self.own.recruiting(agent))


def chances(active: Sequence[Pawn], other: Sequence[Pawn]) -> Numbers:
    """How likely the active side wins once a turn has ended, by what both sides may be then."""
    one, two = (Standing(*np.array([side.standing for side in sides]).T) for sides in (active, other))
    lead, promise = np.subtract.outer(one.progress, two.progress), np.subtract.outer(one.promise, two.promise)
    either = np.logical_or.outer
    won = either(one.wins, two.loses) | (lead >= CATCH) | np.logical_and.outer(one.guarded, two.away)
    lost = either(one.loses, two.wins) | (lead <= -CATCH) | np.logical_and.outer(one.away, two.guarded)
    # The active side wins if both have a claim (AA-09).
    found: Numbers = np.where(won, 1.0, np.where(lost, 0.0, _logistic(LEAD * lead + promise - TURN)))
    return found


def _logistic(log_odds: Numbers) -> Numbers:
    """The chances that have these odds. No `exp`, which other machines round otherwise: (1 + x / 1024) ** 1024."""
    odds = 1 - log_odds / 1024
    for _ in range(10):
        odds = odds * odds
    return 1 / (1 + odds)


def wins(view: aa.View) -> Numbers:
    """How likely the active side wins, by what it recruits and what the other does."""
    active, other = (_pawn(view, side) for side in (view.active_seat, 1 - view.active_seat))
    return chances(*([side.recruiting(agent) for agent in AGENTS] for side in (active, other)))


def worths(view: aa.View, actions: Sequence[aa.Action]) -> list[float]:
    """How likely the side wins whose view this is, by what it does at the market."""
    table = Table(_pawn(view, view.seat), _pawn(view, 1 - view.seat), view.active_seat == view.seat)
    again = table.recruiting(view.market.returned - 1) if view.market.returned else table

    def worth(action: aa.Action) -> float:
        if action.HasField("take"):
            return _worth_of_card(table, action.take.card, view)
        if action.HasField("choose"):
            return _worth_of_choice(table, view.market.resolving, action.choose.agent - 1)
        return (again if action.recruit_again.again else table).chance()

    return [worth(action) for action in actions]


def _worth_of_card(table: Table, card: int, view: aa.View) -> float:
    """How likely the side that looks wins if it takes a card."""
    own, other = table.own, table.other
    if card in ONGOING:
        return table._replace(own=own._replace(ongoing=own.ongoing | {card})).chance()
    if card == aa.MARKET_CARD_SURVEILLANCE_TRUCK:
        return table._replace(own=own.moved(1)).chance()
    if card == aa.MARKET_CARD_CEASEFIRE:
        none = (0,) * len(COPIES)
        return Table(own._replace(recruited=none), other._replace(recruited=none), table.active).chance()
    hand = counts_of(view.hand)
    if card == aa.MARKET_CARD_SMOKE_SCREEN:
        unseen = COPIES - hand - counts_of([*view.own_discards, *view.market.removed]) - own.recruited - other.recruited
        likely = sum(float(unseen[agent]) * table.recruiting(agent).chance() for agent in AGENTS)
        return likely / max(float(unseen.sum()), 1.0)
    targets = _targets(table, card, hand)
    return max((_worth_of_choice(table, card, agent) for agent in targets), default=table.chance())


def _worth_of_choice(table: Table, card: int, agent: int) -> float:
    """How likely the side that looks wins if an instant acts on this agent."""
    if card == aa.MARKET_CARD_MIND_CONTROL:
        return table._replace(other=table.other.having(agent, -1)).chance()
    if card == aa.MARKET_CARD_SPYCATION:
        kept = table._replace(own=table.own.having(agent, -1))
        return max(kept.chance(), kept.recruiting(agent).chance())
    return table.recruiting(agent).chance()


def _targets(table: Table, card: int, hand: Indices) -> list[int]:
    """The agents that an instant may act on."""
    own, other = np.array(table.own.recruited), np.array(table.other.recruited)
    may: dict[int, NDArray[np.bool_]] = {
        aa.MARKET_CARD_OUTPOST: (hand > 0) & (np.array(AGENTS) == SENTINEL),
        aa.MARKET_CARD_DOUBLE_TROUBLE: hand >= 2,
        aa.MARKET_CARD_SECRET_RECRUIT: (hand > 0) & (own == 0),
        aa.MARKET_CARD_MIND_CONTROL: other > 0,
        aa.MARKET_CARD_SPYCATION: own > 0,
    }
    return [agent for agent in AGENTS if may[card][agent]]


def _pawn(view: aa.View, side: int) -> Pawn:
    """A side as a view shows it."""
    seen = view.sides[side]
    prize = PRIZE if view.market.offer else 0.0
    return Pawn(seen.progress, tuple(counts_of(seen.recruited).tolist()), frozenset(seen.ongoing), prize)
