"""Joins choices of groups that fall apart into parts which never meet, where that is possible.

An even choice can fall apart: six numbers in six pairs, each in two of them, may be two triangles. Nothing would
compare the bots of one part with those of the other.

Take a part as a graph: its points, its blocks, and an edge from each block to each of its members. If the graph has a
cycle, one edge can be spared: a block b has a member x that is connected with the rest of b in another way, too. In any
other part there is a block c of the same table, with a member y. If x and y change places, the two parts are one: x
still connects with its old part, and c with x; y connects with b. Both points are in as many blocks as before. The new
blocks were not there before, since no block had points of both parts. And the choice is as even as before, or more: the
pairs that met most do not meet more often, and pairs that never met meet now, instead of some that did.

A part without cycles has one edge fewer than points and blocks. So all parts together have a cycle if, added up over
the blocks, their sizes less one are at least the number of points less one, and there is more than one part. If the sum
is less, no choice of as many blocks is one part.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tournaments.schedule.formats.balanced_blocks import Block


def parts(points: int, choices: Sequence[Sequence[Block]]) -> int:
    """In how many parts that never meet the numbers below `points` fall, with the blocks of all tables."""
    return _Parts(points, choices).count


def can_be_one(points: int, choices: Sequence[Sequence[Block]]) -> bool:
    """Whether there are enough blocks of these sizes to connect all numbers below `points`."""
    return sum(len(block) - 1 for chosen in choices for block in chosen) >= points - 1


def joined(points: int, choices: Sequence[tuple[Block, ...]]) -> list[tuple[Block, ...]]:
    """The same choices, changed as little as it takes to connect all numbers; unchanged if they are, or cannot be.

    Args:
        points: how many numbers there are.
        choices: by table, its blocks, in order. Every number is in a block of each table.
    """
    found = [list(map(list, chosen)) for chosen in choices]
    state = _Parts(points, choices)
    if state.count == 1 or not can_be_one(points, choices):
        return list(choices)
    while state.count > 1:
        spared = state.spared[0]
        block = found[spared.table][spared.block]
        other = next(other for other in found[spared.table] if not state.together(other[0], block[0]))
        _exchange(block, spared.point, other, other[0])
        state = _Parts(points, found)
    return [tuple(sorted(tuple(sorted(block)) for block in chosen)) for chosen in found]


def _exchange(block: list[int], point: int, other: list[int], its: int) -> None:
    block[block.index(point)] = its
    other[other.index(its)] = point


class _Edge(NamedTuple):
    """A point as a member of a block.

    Attributes:
        table: the number of the table.
        block: the number of the block at this table.
        point: the point.
    """

    table: int
    block: int
    point: int


class _Parts:
    """The parts in which points fall.

    Attributes:
        count: how many there are.
        spared: edges without which the parts would be the same, if only one of them is taken away.
    """

    def __init__(self, points: int, choices: Sequence[Sequence[Sequence[int]]]) -> None:
        self._next = list(range(points))
        self.count = points
        self.spared: list[_Edge] = []
        for edge, first in _edges(choices):
            if not self._join(first, edge.point):
                self.spared.append(edge)

    def together(self, one: int, other: int) -> bool:
        """Whether two points are in the same part."""
        return self._end(one) == self._end(other)

    def _join(self, one: int, other: int) -> bool:
        """Make one part of those of two points; False if it is one already."""
        if self.together(one, other):
            return False
        self._next[self._end(one)] = self._end(other)
        self.count -= 1
        return True

    def _end(self, point: int) -> int:
        """The point that stands for a part."""
        while self._next[point] != point:
            self._next[point] = point = self._next[self._next[point]]
        return point


def _edges(choices: Sequence[Sequence[Sequence[int]]]) -> Iterator[tuple[_Edge, int]]:
    """All edges but the first of each block, with the point of that one."""
    for table, chosen in enumerate(choices):
        for number, (first, *others) in enumerate(chosen):
            yield from ((_Edge(table, number, point), first) for point in others)
