"""The content of the box besides missions and roles, as data: cards, tokens, and setups by number of players."""

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
"""A card of the deck: 100 times its suit, plus its value. 213 is the green 13."""

Cards: TypeAlias = tuple[Card, ...]
"""Cards. If their order has no meaning they are kept sorted, so that the order cannot reveal anything."""

DECK: Cards = tuple(100 * suit + value for suit in Suit for value in range(1, 14))
"""The 52 cards (IJ-01), sorted."""

SUIT: dict[Card, Suit] = {card: Suit(card // 100) for card in DECK}
VALUE: dict[Card, int] = {card: card % 100 for card in DECK}

TOKENS = 14  # IJ-01


class Setup(msgspec.Struct, frozen=True):
    """The setup for a number of players.

    Attributes:
        hand: how many cards each player is dealt (IJ-02).
        tricks: the most tricks that are played (IJ-02).
        missions: how many completed missions the agents need to win (IJ-03).
        tokens: how many tokens the Insider needs to win (IJ-03).
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
