"""Public knowledge about a hand: the cards that openly went into it or were shown in it (AA-31)."""

from collections import Counter
from functools import lru_cache

import msgspec

from referee.games.agent_avenue.pieces import Agent
from referee.games.agent_avenue.sightings import Kind, Sightings


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
