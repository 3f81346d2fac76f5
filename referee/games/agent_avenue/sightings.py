"""What everybody has seen of the cards of a hand, and how large the hand was then.

As long as nothing was seen of a hand, it could be any cards, and nothing is kept.
"""

from enum import IntEnum, auto
from typing import TypeAlias

import msgspec

from referee.games.agent_avenue.pieces import Cards


class Kind(IntEnum):
    """What was seen: a card that went into the hand, one that left it and may have been any of its cards, and so on."""

    CAME = auto()
    LEFT = auto()
    YIELDED = auto()  # the hand had this name, so a card of this name had to leave it
    REVEALED = auto()  # it was shown and stayed in the hand
    LACKED = auto()  # the hand had none of these names
    DIFFERED = auto()  # the hand had no name twice
    DISCARDED = auto()
    LAID = auto()  # face down, beside a card of this name
    OPENED = auto()  # the card that was laid face down


class Sighting(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """One thing that everybody saw of a hand: the names, and how many cards the hand had before."""

    kind: Kind
    agents: Cards
    hand_size: int = 0


Sightings: TypeAlias = tuple[Sighting, ...]
"""What was seen of one hand, oldest first."""
