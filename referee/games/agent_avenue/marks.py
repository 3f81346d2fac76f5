"""Public knowledge about a hand: what everybody has seen of its cards, and the marks that follow from it (AA-31).

As long as nothing was seen of a hand, it could be any cards, and nothing is kept.
"""

from collections import Counter
from enum import IntEnum, auto
from functools import lru_cache
from typing import TypeAlias

import msgspec

from referee.games.agent_avenue.pieces import Agent, Cards


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


class SeenMark(msgspec.Struct, frozen=True, gc=False):
    """Marks as a view shows them: `count` of this name were seen `discards_since` discards ago.

    These cards are still in the hand, or face down on the table, or among the discards made since.
    """

    agent: Agent
    count: int
    discards_since: int


_REMOVE = {Kind.LEFT, Kind.YIELDED, Kind.REVEALED, Kind.OPENED}
_ADD = {Kind.CAME, Kind.REVEALED}


@lru_cache(4096)
def seen_marks(sightings: Sightings) -> tuple[SeenMark, ...]:
    """The marks of a hand, sorted by name, then by age, the oldest first.

    A card that openly goes into the hand adds a mark. One that openly leaves it removes the newest mark of its name,
    and one that is shown makes it new (AA-31, AA-46).
    """
    marks, discards = list[tuple[Agent, int]](), 0
    for sighting in sightings:
        kind, agents = sighting.kind, sighting.agents
        if kind is Kind.DISCARDED:
            discards += 1
        elif marks and kind in _REMOVE and (alike := [mark for mark in marks if mark[0] in agents]):
            marks.remove(max(alike))
        if kind in _ADD:
            marks.append((agents[0], discards))
    return (
        tuple([SeenMark(agent, it, discards - at) for (agent, at), it in sorted(Counter(marks).items())])
        if marks
        else ()
    )
