"""The content of the box: the agents and the board, as data."""

from enum import IntEnum
from typing import TypeAlias

import msgspec


class Agent(IntEnum):
    """A name on a card (AA-01), numbered as in agent_avenue.proto."""

    DOUBLE_AGENT = 1
    ENFORCER = 2
    CODEBREAKER = 3
    SABOTEUR = 4
    DAREDEVIL = 5
    SENTINEL = 6
    SIDEKICK = 7
    MOLE = 8


class Print(msgspec.Struct, frozen=True):
    """The cards of one name: how many there are, and how many spaces the 1st, 2nd and 3rd of them move."""

    copies: int
    symbols: tuple[int, int, int]


PRINTS = {  # AA-01
    Agent.DOUBLE_AGENT: Print(6, (-1, +6, -1)),
    Agent.ENFORCER: Print(6, (+1, +2, +3)),
    Agent.CODEBREAKER: Print(6, (0, 0, 0)),
    Agent.SABOTEUR: Print(6, (-1, -1, -2)),
    Agent.DAREDEVIL: Print(6, (+2, +3, 0)),
    Agent.SENTINEL: Print(6, (0, +2, +6)),
    Agent.SIDEKICK: Print(1, (+4, +4, +4)),
    Agent.MOLE: Print(1, (-3, -3, -3)),
}

Cards: TypeAlias = tuple[Agent, ...]
"""Cards. If their order has no meaning they are kept sorted, so that the order cannot reveal anything."""

DECK: Cards = tuple(agent for agent, print_ in PRINTS.items() for _ in range(print_.copies))
"""The 38 agents (AA-01), sorted."""

HAND_SIZE = 4  # AA-03, AA-05
DISCARDS_ALONE = 4  # AA-04: the discards of a player alone, for the whole game
DISCARDS_IN_A_TEAM = 2  # AA-42: the discards of each of two teammates

SPACES = 14  # AA-02
HOMES = (0, 7)  # AA-02, by side
MARKET_SPACES = frozenset({2, 5, 9, 12})  # AA-02, in advanced mode
CATCHING_LEAD = 7  # AA-08: the way from one home to the other
DECISIVE_COUNT = 3  # AA-08: this many Codebreakers win, this many Daredevils lose


def with_card(cards: Cards, card: Agent) -> Cards:
    """Sorted `cards` and one more, sorted."""
    together = [*cards, card]
    together.sort()
    return tuple(together)


def without_card(cards: Cards, card: Agent) -> Cards:
    """Sorted `cards` without one `card`. Raises ValueError if there is no such card."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
