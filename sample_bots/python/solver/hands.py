"""Kinds of hands, how many ways there are to deal them, and what is left of them after a play or a discard.

Cards of one name are alike, so a hand is a count of each name. Agents are numbered from 0 here: one less than in the
messages. All arrays have the hands as their last axis. Sums go over the axes before it, one after the other, and so
they round alike on every machine.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Indices = NDArray[np.intp]

COPIES = (6, 6, 6, 6, 6, 6, 1, 1)
AGENTS = range(len(COPIES))
HAND_SIZE = 4
WAYS = np.array([[comb(copies, taken) for taken in range(7)] for copies in range(7)], np.float64)


class Hands:
    """All hands of so many cards.

    Attributes:
        size: how many cards.
        counts: by agent and hand, how many there are.
        downs: by place, face-up agent and hand: what lies face down. A play has a place, numbered from 0: a hand has
            several plays with one face-up agent.
        legal: the same way, 1 if there is such a play, otherwise 0.
        uniform: the same way, all plays of a hand with equal chances.
        kept: the same way, what is left after the play: a hand of two cards less.
        one_less: by agent and hand: the hand of one card less. It is the number of these hands if there is none.
        one_more: by agent and hand of one card less: the hand of this size. It is the number of hands if there is none.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._all = list(_all_counts(size))
        self._index = {counts: index for index, counts in enumerate(self._all)}
        self.counts: Indices = np.array(self._all, np.intp).T
        if size >= 1:
            fewer = hands(size - 1)
            self.one_less = np.array([[fewer._changed(hand, agent, -1) for hand in self._all] for agent in AGENTS])
            self.one_more = np.array([[self._changed(hand, agent, 1) for hand in fewer._all] for agent in AGENTS])
        if size >= 2:
            self._list_plays()

    def _list_plays(self) -> None:
        shape = (self.size - 1, len(AGENTS), len(self))  # a hand has at most so many names besides one
        self.downs, self.kept = np.zeros(shape, np.intp), np.zeros(shape, np.intp)
        self.legal: Numbers = np.zeros(shape)
        fewer = hands(self.size - 2)
        for number, hand in enumerate(self._all):
            for up in AGENTS:
                for place, down in enumerate(_downs(hand, up)):
                    left = [count - (agent == up) - (agent == down) for agent, count in enumerate(hand)]
                    self.legal[place, up, number] = 1
                    self.downs[place, up, number] = down
                    self.kept[place, up, number] = fewer._index[tuple(left)]
        self.uniform: Numbers = self.legal / self.legal.sum(axis=(0, 1))

    def __len__(self) -> int:
        return len(self._all)

    def index(self, counts: Indices) -> int:
        """The number of a hand."""
        return self._index[tuple(counts.tolist())]

    def by_play(self, chances: Numbers, hand: int) -> dict[tuple[int, int], float]:
        """By face-up and face-down agent, the chances of a hand's plays in an array shaped as `legal`."""
        return {
            (up, int(self.downs[place, up, hand])): float(chances[place, up, hand])
            for place in range(self.size - 1)
            for up in AGENTS
            if self.legal[place, up, hand]
        }

    def ways(self, pools: Indices) -> Numbers:
        """By pool and hand, how many ways there are to deal the hand from the pool. `pools` is by pool and agent."""
        ways: Numbers = np.ones((len(pools), len(self)))
        for agent in AGENTS:
            ways *= WAYS[pools[:, agent]].take(self.counts[agent], axis=1)
        return ways

    def _changed(self, hand: tuple[int, ...], agent: int, by: int) -> int:
        """The number of the hand that has `by` more of an agent. It is `len(self)` if there is none."""
        return self._index.get((*hand[:agent], hand[agent] + by, *hand[agent + 1 :]), len(self))


def _downs(hand: tuple[int, ...], up: int) -> list[int]:
    """What may lie face down beside `up`: another name, or the same if the hand has no other (AA-05)."""
    if not hand[up]:
        return []
    return [down for down in AGENTS if hand[down] and down != up] or [up]


def drawn(chances: Numbers, luck: float) -> int:
    """Which of the chances is drawn by `luck`, a number from 0 to 1."""
    cumulated = chances.cumsum()
    return int(np.searchsorted(cumulated, luck * cumulated[-1], side="right"))


def counts_of(agents: Sequence[int]) -> Indices:
    """How many there are of each agent, numbered as in the messages."""
    return np.bincount(np.array(agents, np.intp), minlength=len(COPIES) + 1)[1:]


def _all_counts(size: int) -> Iterator[tuple[int, ...]]:
    """All hands of so many cards."""
    for cards in combinations_with_replacement(AGENTS, size):
        counts = tuple(cards.count(agent) for agent in AGENTS)
        if all(count <= copies for count, copies in zip(counts, COPIES, strict=True)):
            yield counts


@cache
def hands(size: int) -> Hands:
    """The hands of so many cards."""
    return Hands(size)
