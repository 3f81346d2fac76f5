"""The cards of the black market, as data (AA-20).

The effects of instants are in `instants`; the cards that count in the end step are in `ending`.
"""

from enum import IntEnum
from typing import TypeAlias

import msgspec

from referee.games.agent_avenue.pieces import PRINTS, Agent


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
