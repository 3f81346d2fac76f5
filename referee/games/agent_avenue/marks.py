"""Public knowledge about a hand: the cards that openly went into it or were shown in it (AA-31)."""

from collections.abc import Iterator
from itertools import groupby
from typing import TypeAlias

import msgspec

from referee.games.agent_avenue.pieces import Agent


class Mark(msgspec.Struct, frozen=True, order=True, gc=False):
    """One card of this name was seen in the hand when its owner had made `discards` discards.

    It is still there, or face down on the table, or among the discards made since.
    """

    agent: Agent
    discards: int


Marks: TypeAlias = tuple[Mark, ...]
"""The marks of one hand, sorted by name, then by age, the oldest first."""


def with_mark(marks: Marks, agent: Agent, discards: int) -> Marks:
    """Add a mark: a card of this name openly went into the hand."""
    return tuple(sorted((*marks, Mark(agent, discards))))


def without_mark(marks: Marks, agent: Agent) -> Marks:
    """A card of this name openly left the hand: remove its newest mark, if there is one (AA-31, AA-46)."""
    if not marks:
        return marks
    for mark in reversed(marks):
        if mark.agent == agent:
            return tuple(other for other in marks if other is not mark)
    return marks


def with_twins(marks: Marks, agent: Agent, discards: int) -> Marks:
    """Two cards of this name were shown in the hand: they are its two newest marks now (AA-31, AA-46)."""
    rest = without_mark(without_mark(marks, agent), agent)
    return with_mark(with_mark(rest, agent, discards), agent, discards)


class SeenMark(msgspec.Struct, frozen=True, gc=False):
    """Marks as a view shows them: `count` of this name were seen `discards_since` discards ago."""

    agent: Agent
    count: int
    discards_since: int


def seen_marks(marks: Marks, discards: int) -> tuple[SeenMark, ...]:
    """The marks of a hand whose owner has made `discards` discards by now."""
    return tuple(_counted(marks, discards))


def _counted(marks: Marks, discards: int) -> Iterator[SeenMark]:
    for mark, equal in groupby(marks):
        yield SeenMark(mark.agent, len(list(equal)), discards - mark.discards)
