"""What the cards of the black market are worth: how likely a side wins after taking one.

A card is judged by the position that it leads to, as if the turn then ended. Where a card asks for a choice, the best
choice counts; of a hand that is not known, the cards in it are guessed from those not yet seen.
"""

from typing import NamedTuple

from referee_bot.v1 import agent_avenue_pb2 as aa
from worth import AGENTS, CHANGES, Counts, Side, best_of_unknown, chance, standing

SIDE_CARDS = frozenset(
    [change.card for change in CHANGES.values()]
    + [aa.MARKET_CARD_GETAWAY_CAR, aa.MARKET_CARD_MASTERPLAN, aa.MARKET_CARD_SECURITY_SYSTEM]
)
FROM_HAND = (aa.MARKET_CARD_OUTPOST, aa.MARKET_CARD_DOUBLE_TROUBLE, aa.MARKET_CARD_SECRET_RECRUIT)


class Table(NamedTuple):
    """Both sides, as one of them looks at them.

    Attributes:
        own: the side that looks.
        other: the other one.
        active: whether it is the turn of the side that looks.
    """

    own: Side
    other: Side
    active: bool

    def chance(self) -> float:
        """How likely the side that looks wins, if the turn ends now."""
        own, other = standing(self.own), standing(self.other)
        return chance(own, other) if self.active else 1 - chance(other, own)

    def recruiting(self, agent: int) -> "Table":
        """After its side recruited an agent."""
        return self._replace(own=self.own.recruiting(agent))


def after_choice(table: Table, card: int, agent: int) -> Table:
    """The best that comes of an instant that acts on this agent."""
    if card == aa.MARKET_CARD_MIND_CONTROL:
        return table._replace(other=table.other.changed(agent, -1))
    if card == aa.MARKET_CARD_SPYCATION:
        kept = table._replace(own=table.own.changed(agent, -1))
        return max(kept, kept.recruiting(agent), key=Table.chance)
    return table.recruiting(agent)


def worth_of_card(table: Table, card: int, hand: Counts, unseen: Counts) -> float:
    """How likely the side wins after taking a card, if `hand` is what the taker holds."""
    if card in SIDE_CARDS:
        return table._replace(own=table.own._replace(ongoing=table.own.ongoing | {card})).chance()
    if card == aa.MARKET_CARD_SURVEILLANCE_TRUCK:
        return table._replace(own=table.own.moved(1)).chance()
    if card == aa.MARKET_CARD_CEASEFIRE:
        return table._replace(own=table.own.without_agents(), other=table.other.without_agents()).chance()
    if card == aa.MARKET_CARD_SMOKE_SCREEN:
        worths = ((unseen[agent], table.recruiting(agent).chance()) for agent in AGENTS if unseen[agent])
        return sum(copies * worth for copies, worth in worths) / max(sum(unseen), 1)
    return max((after_choice(table, card, agent).chance() for agent in targets(table, card, hand)), default=table.chance())


def worth_with_unknown_hand(table: Table, card: int, unseen: Counts, cards: int) -> float:
    """How likely the side wins after somebody who holds so many unseen cards took this one."""
    if card not in FROM_HAND:
        return worth_of_card(table, card, unseen, unseen)
    worths = {agent: table.recruiting(agent).chance() for agent in targets(table, card, [2] * 9)}
    twins = card == aa.MARKET_CARD_DOUBLE_TROUBLE
    return best_of_unknown(worths, unseen, 1 if twins else cards, otherwise=table.chance())


def targets(table: Table, card: int, hand: Counts) -> list[int]:
    """The agents that an instant may act on."""
    match card:
        case aa.MARKET_CARD_OUTPOST:
            return [aa.AGENT_SENTINEL] if hand[aa.AGENT_SENTINEL] else []
        case aa.MARKET_CARD_DOUBLE_TROUBLE:
            return [agent for agent in AGENTS if hand[agent] >= 2]
        case aa.MARKET_CARD_SECRET_RECRUIT:
            return [agent for agent in AGENTS if hand[agent] and not table.own.have[agent]]
        case aa.MARKET_CARD_MIND_CONTROL:
            return [agent for agent in AGENTS if table.other.have[agent]]
        case _:
            return [agent for agent in AGENTS if table.own.have[agent]]
