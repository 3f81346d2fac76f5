"""Blocks: groups of numbers, chosen so that every two numbers meet in equally many of them.

Designs of this kind exist for some sizes only, and no simple rule finds them all. So they are searched for:

- *Exchange.* Two blocks exchange a member if the sum of the squares of all meetings does not grow by it. For a given
  number of blocks that sum is smallest if all meetings differ by 1 at most. Now and then it may grow by the least step,
  so that the search leaves dead ends: one time in as many as there are pairs.
- *Symmetry.* The numbers are put into rings of equal length, perhaps with one left over, and every block is taken in
  all its turns: each ring is turned by 0, 1, 2... places. Then pairs come in orbits that meet equally often, and a few
  blocks stand for all. Most known designs can be built like this, the cyclic ones with a single ring.

Searches begin with the longest rings that the number of blocks allows, and end without symmetry. The first result whose
meetings are as even as their mean allows is taken, else the most even one. The luck is drawn from a fixed seed, so a
choice depends on the three numbers asked for and on nothing else.

How often a number is in a block differs by 1 at most in every choice. This can always be reached: if one number is in
two more blocks than another, it can be replaced by the other in a block in such a way that the new block is not there
yet, since it is in more blocks without the other than the other in blocks without it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, count, islice
from math import comb
from typing import NamedTuple, TypeAlias

from referee.core import seeds

Block: TypeAlias = tuple[int, ...]

_STEPS = 200_000
"""How many exchanges one search tries; it takes about a second."""

_LOOK = 64
"""After so many exchanges a search looks whether it has become better."""

_SYMMETRIES = 3
"""How many symmetries are tried."""

_TRIES = 1000


class MeetingCounts(NamedTuple):
    """How often two numbers meet.

    Attributes:
        fewest: for the pair that meets least often.
        most: for the pair that meets most often.
    """

    fewest: int
    most: int

    @property
    def spread(self) -> int:
        """By how much pairs differ."""
        return self.most - self.fewest


def meetings(points: int, chosen: Iterable[Block]) -> MeetingCounts:
    """How often two of the numbers below `points`, at least 2, meet in these blocks."""
    met = Counter(pair for block in chosen for pair in combinations(sorted(block), 2))
    counts = [met[pair] for pair in combinations(range(points), 2)]
    return MeetingCounts(min(counts), max(counts))


@lru_cache(64)
def blocks(points: int, size: int, number: int) -> tuple[Block, ...]:
    """Different groups of `size` of the numbers below `points`, as even as a search of some seconds finds them.

    `number` is at most how many there are.

    Returns:
        The groups in alphabetical order, each with its members in order.
    """
    every = comb(points, size)
    if 2 * number > every:  # those that are left out are as even as those that are left
        out = frozenset(blocks(points, size, every - number))
        return tuple(block for block in combinations(range(points), size) if block not in out)
    if not number:
        return ()
    found = _searched(points, size, number)
    best = next(found)
    while best.squares > _fewest_squares(points, size, number) and (other := next(found, None)):
        best = min(best, other)
    return tuple(sorted(best.blocks))


class _SearchResult(NamedTuple):
    """The result of a search. A smaller one is better.

    Attributes:
        spread: of the meetings.
        squares: the sum of their squares.
        blocks: the blocks.
    """

    spread: int
    squares: int
    blocks: tuple[Block, ...]


def _fewest_squares(points: int, size: int, number: int) -> int:
    """The smallest sum of squares: all meetings are their mean, rounded down or up."""
    pairs = comb(points, 2)
    least, more = divmod(number * comb(size, 2), max(1, pairs))
    return (pairs - more) * least**2 + more * (least + 1) ** 2


def _searched(points: int, size: int, number: int) -> Iterator[_SearchResult]:
    """The results of searches with much symmetry, with less, and with none."""
    for order in islice(_orders(points, number), _SYMMETRIES):
        search = _Search(_Rings(points, order), size, number // order)
        if search.grow() and search.level:
            yield search.improve()
    yield _without_symmetry(points, size, number)


def _orders(points: int, number: int) -> Iterator[int]:
    """The possible lengths of rings above 1, the longest first: their turns divide the number of blocks."""
    lengths = (order for order in range(min(points, number), 1, -1) if number % order == 0)
    return (order for order in lengths if points % order in {0, 1})


def _without_symmetry(points: int, size: int, number: int) -> _SearchResult:
    """A search for any number of blocks. It begins with as many cyclic ones as it can."""
    search = _Search(_Rings(points, 1), size, number)
    if number >= points:
        cyclic = _Search(_Rings(points, points), size, number // points)
        if cyclic.grow():
            search.take(cyclic.improve().blocks)
    search.grow()
    search.even_out()
    return search.improve()


class _Rings:
    """Points in rings of one length, and perhaps a last point on its own. All rings are turned together.

    Attributes:
        order: the length of the rings, and the number of turns.
        turns: by turn, where each point goes.
        rings: by point, all points of its ring.
        orbit: by two points, the number of their orbit: of the pairs that they are turned into.
        sizes: by orbit, how many pairs it has.
    """

    def __init__(self, points: int, order: int) -> None:
        """`order` divides `points` or is above 1 and leaves 1."""
        self.order = order
        self.points = points
        moved = points - points % order
        starts = [point - point % order if point < moved else point for point in range(points)]
        self.rings = [range(start, start + order if start < moved else start + 1) for start in starts]
        self.turns = [
            [ring[(point - ring.start + turn) % len(ring)] for point, ring in enumerate(self.rings)]
            for turn in range(order)
        ]
        self.orbit = [[-1] * points for _ in range(points)]
        self.sizes: list[int] = []
        for one, other in combinations(range(points), 2):
            if self.orbit[one][other] < 0:
                self._add_orbit(one, other)

    def _add_orbit(self, one: int, other: int) -> None:
        pairs = {frozenset((turn[one], turn[other])) for turn in self.turns}
        for first, second in pairs:
            self.orbit[first][second] = self.orbit[second][first] = len(self.sizes)
        self.sizes.append(len(pairs))

    def turned(self, chosen: Iterable[Block]) -> Iterator[Block]:
        """These blocks in all their turns."""
        return (tuple(sorted(turn[point] for point in block)) for block in chosen for turn in self.turns)

    def leader(self, block: Sequence[int]) -> Block | None:
        """The first of the blocks that this one is turned into; None if two turns give the same."""
        if self.order == 1:
            return tuple(sorted(block))
        turned = {tuple(sorted([turn[point] for point in block])) for turn in self.turns}
        return min(turned) if len(turned) == self.order else None


class _Search:
    """Blocks that stand for all their turns, and become more and more even."""

    def __init__(self, rings: _Rings, size: int, number: int) -> None:
        """Begin without any block; `number` of them are wanted."""
        self._rings = rings
        self._size = size
        self._number = number
        self._luck = _luck(seeds.from_text(f"{size} of {rings.points} by {rings.order} in {number}"))
        self._blocks: list[list[int]] = []
        self._leaders: list[Block] = []
        self._taken: set[Block] = set()
        self._plays = [0] * rings.points
        self._met = [0] * len(rings.sizes)
        self._weights = [rings.order // size for size in rings.sizes]

    @property
    def level(self) -> bool:
        """Whether how often points are in a block differs by 1 at most."""
        return max(self._plays) - min(self._plays) <= 1

    def take(self, chosen: Iterable[Block]) -> None:
        """Add these blocks, each once."""
        for block in chosen:
            self._add(list(block), block)

    def grow(self) -> bool:
        """Add blocks until there are as many as wanted. Returns whether there are that many with different turns."""
        while len(self._blocks) < self._number:
            block = self._next_block()
            if block is None:
                return False
            self._add(*block)
        return True

    def even_out(self) -> None:
        """Make the search level. It must be without symmetry, and have half of all blocks at most."""
        while not self.level:
            much, little = self._plays.index(max(self._plays)), self._plays.index(min(self._plays))
            self._replace_once(much, little)

    def improve(self) -> _SearchResult:
        """Exchange members until the meetings are even, or for some time. How often a point is in a block stays.

        Returns the best of what it passes: the smallest sum of squares need not have the smallest spread.
        """
        goal = _fewest_squares(self._rings.points, self._size, self._number * self._rings.order)
        squares = sum(size * met * met for size, met in zip(self._rings.sizes, self._met, strict=True))
        best = self._now(squares)
        for step in range(1, _STEPS + 1):
            if best.squares == goal:
                break
            squares += self._step()
            if step % _LOOK == 0 or squares == goal:
                best = best if best[:2] <= (self._spread(), squares) else self._now(squares)
        return best._replace(blocks=tuple(self._rings.turned(best.blocks)))

    def _now(self, squares: int) -> _SearchResult:
        """The blocks as they are, without their turns."""
        return _SearchResult(self._spread(), squares, tuple(map(tuple, self._blocks)))

    def _spread(self) -> int:
        return max(self._met, default=0) - min(self._met, default=0)

    def _next_block(self) -> tuple[list[int], Block] | None:
        """A new block with its leader: of points that were in few blocks and met little, else by luck, or None."""
        block: list[int] = []
        for _ in range(self._size):
            others = [point for point in range(self._rings.points) if point not in block]
            block.append(min(others, key=lambda point: (*self._cost(point, block), next(self._luck))))
        for _ in range(_TRIES):
            leader = self._rings.leader(block)
            if leader is not None and leader not in self._taken:
                return block, leader
            block = self._any_like(block)
        return None

    def _any_like(self, block: list[int]) -> list[int]:
        """Any block of points of the same rings; any block at all if there is no symmetry."""
        if self._rings.order == 1:
            return sorted(range(self._rings.points), key=lambda _: next(self._luck))[: self._size]
        rings = [self._rings.rings[point] for point in block]
        while len(set(block := [ring[next(self._luck) % len(ring)] for ring in rings])) < self._size:
            pass
        return block

    def _cost(self, point: int, block: Sequence[int]) -> tuple[int, int]:
        """In how many blocks a point is, if it is taken into this one, and how often it met its members."""
        ring, orbits = self._rings.rings[point], self._rings.orbit[point]
        plays = self._plays[point] + sum(other in ring for other in block)
        return plays, sum(self._met[orbits[other]] for other in block)

    def _add(self, block: list[int], leader: Block) -> None:
        for at, point in enumerate(block):
            self._meet(point, block[:at], 1)
            self._play(point, 1)
        self._blocks.append(block)
        self._leaders.append(leader)
        self._taken.add(leader)

    def _play(self, point: int, by: int) -> None:
        """Count a member of one more block, or one fewer, in all its turns."""
        ring = self._rings.rings[point]
        for each in ring:
            self._plays[each] += by * self._rings.order // len(ring)

    def _replace_once(self, much: int, little: int) -> None:
        """Put one point in the place of another in the first block where this makes a new one."""
        for at, block in enumerate(self._blocks):
            if much in block and little not in block:
                slot = block.index(much)
                self._change(block, slot, little)
                if self._renamed([at]):
                    self._play(much, -1)
                    self._play(little, 1)
                    return
                self._change(block, slot, much)

    def _step(self) -> int:
        """Try to exchange two members, or to turn one. Returns by how much the sum of the squares grew."""
        at, slot = self._any_place()
        block = self._blocks[at]
        point = block[slot]
        ring = self._rings.rings[point]
        if len(ring) > 1 and next(self._luck) & 1:
            other = ring[next(self._luck) % len(ring)]
            return 0 if other in block else self._try([(at, slot, other)])
        second, place = self._any_place()
        other = self._blocks[second][place]
        if other in block or point in self._blocks[second]:
            return 0
        return self._try([(at, slot, other), (second, place, point)])

    def _any_place(self) -> tuple[int, int]:
        return divmod(next(self._luck) % (self._number * self._size), self._size)

    def _try(self, changes: Sequence[tuple[int, int, int]]) -> int:
        """Put points in places, each given as block, place, point; undo it if it is to the worse, or not allowed."""
        before = [self._blocks[at][slot] for at, slot, _ in changes]
        growth = sum(self._change(self._blocks[at], slot, point) for at, slot, point in changes)
        if self._accepted(growth) and self._renamed([at for at, _, _ in changes]):
            return growth
        for (at, slot, _), point in zip(changes, before, strict=True):
            self._change(self._blocks[at], slot, point)
        return 0

    def _accepted(self, growth: int) -> bool:
        return growth <= 0 or (growth <= 2 * self._rings.order and not next(self._luck) % len(self._met))

    def _change(self, block: list[int], slot: int, point: int) -> int:
        """Put a point in a place of a block. Returns by how much the sum of the squares grew."""
        rest = block[:slot] + block[slot + 1 :]
        growth = self._meet(block[slot], rest, -1) + self._meet(point, rest, 1)
        block[slot] = point
        return growth

    def _meet(self, point: int, others: Iterable[int], by: int) -> int:
        """Count that a point meets others once more, or once less. Returns by how much the sum of the squares grew."""
        growth = 0
        orbits = self._rings.orbit[point]
        for other in others:
            orbit = orbits[other]
            step, before = by * self._weights[orbit], self._met[orbit]
            self._met[orbit] = before + step
            growth += self._rings.sizes[orbit] * step * (2 * before + step)
        return growth

    def _renamed(self, changed: Sequence[int]) -> bool:
        """Note the new leaders of some blocks; False if a block's turns are not all different, or are there already."""
        old = [self._leaders[at] for at in changed]
        new = [leader for at in changed if (leader := self._rings.leader(self._blocks[at])) is not None]
        if len(set(new)) < len(changed) or any(leader in self._taken and leader not in old for leader in new):
            return False
        self._taken.difference_update(old)
        self._taken.update(new)
        for at, leader in zip(changed, new, strict=True):
            self._leaders[at] = leader
        return True


def _luck(seed: bytes) -> Iterator[int]:
    """Numbers below 2 to the 30th, without end."""
    return chain.from_iterable(seeds.rolls(seeds.child(seed, f"luck-{part}"), 1 << 30, 1024) for part in count())
