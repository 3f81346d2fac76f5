"""What is in the box besides missions and roles, as data: cards, tokens, and what the number of players settles."""

from enum import IntEnum
from typing import TypeAlias

import msgspec


class Suit(IntEnum):
    """A colour of cards (IJ-01), numbered as in inside_job.proto."""

    YELLOW = 1
    GREEN = 2
    BLUE = 3
    RED = 4


Card: TypeAlias = int
"""A card of the deck: 100 times its suit, and its value. 213 is the green 13."""

Cards: TypeAlias = tuple[Card, ...]
"""Cards. Where their order means nothing they are kept sorted, so that it cannot tell anything."""

DECK: Cards = tuple(100 * suit + value for suit in Suit for value in range(1, 14))
"""The 52 cards (IJ-01), sorted."""

SUIT: dict[Card, Suit] = {card: Suit(card // 100) for card in DECK}
VALUE: dict[Card, int] = {card: card % 100 for card in DECK}

TOKENS = 14  # IJ-01


class Setup(msgspec.Struct, frozen=True):
    """What the number of players settles.

    Attributes:
        hand: cards dealt to each (IJ-02).
        tricks: how many there are at most (IJ-02).
        missions: completed ones with which the agents win (IJ-03).
        tokens: held ones with which the Insider wins (IJ-03).
    """

    hand: int
    tricks: int
    missions: int
    tokens: int


SETUPS = {
    3: Setup(hand=13, tricks=11, missions=9, tokens=6),
    4: Setup(hand=12, tricks=10, missions=7, tokens=5),
    5: Setup(hand=10, tricks=9, missions=6, tokens=4),
}
"""By number of players (IJ-02, IJ-03)."""
