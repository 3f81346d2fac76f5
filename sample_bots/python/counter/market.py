"""Rates the cards of the black market: how likely a side wins after it takes one.

A card is judged by the position that it leads to, as if the turn then ended. If the card asks for a choice, the best
choice counts. For another player's hand, that is the best of the cards that may be in it.
"""

from typing import NamedTuple

from hands import AGENTS, Counts, HiddenHand
from referee_bot.v1 import agent_avenue_pb2 as aa
from worth import CHANGES, OTHER_CARDS, Side, chance, standing

ONGOING = {change.card for change in CHANGES.values()} | set(OTHER_CARDS)
FROM_HAND = {aa.MARKET_CARD_OUTPOST, aa.MARKET_CARD_DOUBLE_TROUBLE, aa.MARKET_CARD_SECRET_RECRUIT}


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
        """After the side that looks recruited an agent."""
        return self._replace(own=self.own.recruiting(agent))


def worth_of_card(table: Table, card: int, hand: Counts, unseen: Counts) -> float:
    """How likely the side that looks wins by taking a card, if its taker holds `hand`."""
    if card in ONGOING:
        return table._replace(own=table.own.with_card(card)).chance()
    if card == aa.MARKET_CARD_SURVEILLANCE_TRUCK:
        return table._replace(own=table.own.moved(1)).chance()
    if card == aa.MARKET_CARD_CEASEFIRE:
        return table._replace(own=table.own.without_agents(), other=table.other.without_agents()).chance()
    if card == aa.MARKET_CARD_SMOKE_SCREEN:
        total = sum(unseen[agent] * table.recruiting(agent).chance() for agent in AGENTS)
        return total / max(sum(unseen), 1)
    worths = [worth_of_choice(table, card, agent) for agent in targets(table, card, hand)]
    return max(worths, default=table.chance())


def worth_of_card_for(partner: HiddenHand, table: Table, card: int) -> float:
    """How likely the side that looks wins if the partner takes a card."""
    if card not in FROM_HAND:
        return worth_of_card(table, card, partner.unseen, partner.unseen)
    if card == aa.MARKET_CARD_DOUBLE_TROUBLE:
        partner = partner._replace(cards=1)  # as if it held one pair, of any name
    worths = {agent: worth_of_choice(table, card, agent) for agent in targets(table, card, [2] * 9)}
    return partner.worth_of_best(worths, otherwise=table.chance())


def worth_of_choice(table: Table, card: int, agent: int) -> float:
    """How likely the side that looks wins if an instant acts on this agent."""
    if card == aa.MARKET_CARD_MIND_CONTROL:
        return table._replace(other=table.other.with_more(agent, -1)).chance()
    if card == aa.MARKET_CARD_SPYCATION:
        kept = table._replace(own=table.own.with_more(agent, -1))
        return max(kept.chance(), kept.recruiting(agent).chance())
    return table.recruiting(agent).chance()


def targets(table: Table, card: int, hand: Counts) -> list[int]:
    """The agents that an instant may act on."""
    match card:
        case aa.MARKET_CARD_OUTPOST:
            may = [agent == aa.AGENT_SENTINEL and hand[agent] > 0 for agent in range(9)]
        case aa.MARKET_CARD_DOUBLE_TROUBLE:
            may = [count >= 2 for count in hand]
        case aa.MARKET_CARD_SECRET_RECRUIT:
            may = [hand[agent] > 0 and not table.own.have[agent] for agent in range(9)]
        case aa.MARKET_CARD_MIND_CONTROL:
            may = [count > 0 for count in table.other.have]
        case _:  # Spycation
            may = [count > 0 for count in table.own.have]
    return [agent for agent in AGENTS if may[agent]]
