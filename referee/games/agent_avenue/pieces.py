"""The content of the box, as data: the agents, the board, and the cards of the black market (AA-20).

The effects of instants are in `instants`; the cards that count in the end step are in `ending`.
"""

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


class MarketCard(IntEnum):
    """A card of the market, one copy each (AA-20), numbered as in agent_avenue.proto."""

    DISTRACTION_DEVICE = 1
    WATCHTOWER_TWO = 2
    SINISTER_TWIN = 3
    SUPERCOMPUTER = 4
    GETAWAY_CAR = 5
    LEADER_OF_THE_PACK = 6
    MASTERPLAN = 7
    SECURITY_SYSTEM = 8
    OUTPOST = 9
    SMOKE_SCREEN = 10
    MIND_CONTROL = 11
    DOUBLE_TROUBLE = 12
    SURVEILLANCE_TRUCK = 13
    SECRET_RECRUIT = 14
    SPYCATION = 15
    CEASEFIRE = 16


MarketCards: TypeAlias = tuple[MarketCard, ...]
"""Market cards. If their order has no meaning they are kept sorted."""

OFFERED = 3  # AA-20: this many are face up


class Ongoing(msgspec.Struct, frozen=True):
    """The lasting effect of a card on the side that has taken it (AA-25).

    Attributes:
        symbols: by agent, how many spaces the 1st, 2nd and 3rd card move, instead of the printed numbers.
        from_home: how far a pawn moves on after it has moved exactly onto a home (AA-28).
    """

    symbols: dict[Agent, tuple[int, int, int]] = {}
    from_home: int = 0


IN_THE_END_STEP = Ongoing()  # moves no pawn; `ending` has its effect

ONGOING = {  # AA-20
    MarketCard.DISTRACTION_DEVICE: Ongoing({Agent.SABOTEUR: (+1, +1, +2)}),
    MarketCard.WATCHTOWER_TWO: Ongoing({Agent.ENFORCER: (+3, +4, +5)}),
    MarketCard.SINISTER_TWIN: Ongoing({Agent.DOUBLE_AGENT: (-2, +12, -2)}),
    MarketCard.SUPERCOMPUTER: Ongoing({Agent.CODEBREAKER: (+3, +3, +3)}),
    MarketCard.GETAWAY_CAR: Ongoing(from_home=+3),
    MarketCard.LEADER_OF_THE_PACK: IN_THE_END_STEP,
    MarketCard.MASTERPLAN: IN_THE_END_STEP,
    MarketCard.SECURITY_SYSTEM: IN_THE_END_STEP,
}


def deck(*, ceasefire: bool) -> MarketCards:
    """The market's cards before they are shuffled: 15, or 16 with the option (AA-20)."""
    return tuple(card for card in MarketCard if ceasefire or card is not MarketCard.CEASEFIRE)


class Gait(msgspec.Struct, frozen=True):
    """How the pawn of a side moves, with its ongoing cards taken into account.

    Attributes:
        spaces: by agent, how many spaces the 1st, 2nd, 3rd, ... 6th card of that name move (AA-01).
        from_home: how far the pawn moves on after it has moved exactly onto a home (AA-28).
    """

    spaces: dict[Agent, tuple[int, ...]]
    from_home: int


class _Gaits(dict[MarketCards, Gait]):
    """How pawns move, by the ongoing cards of their side. Each entry is made when it is first asked for."""

    def __missing__(self, ongoing: MarketCards) -> Gait:
        self[ongoing] = _gait(ongoing)
        return self[ongoing]


GAITS = _Gaits()
"""How the pawn of a side moves, by its ongoing cards, sorted."""


def _gait(ongoing: MarketCards) -> Gait:
    symbols = {agent: print_.symbols for agent, print_ in PRINTS.items()}
    for card in ongoing:
        symbols |= ONGOING[card].symbols
    return Gait(
        spaces={agent: (*three, *three[-1:] * 3) for agent, three in symbols.items()},
        from_home=sum(ONGOING[card].from_home for card in ongoing),
    )
