"""Puts bots into groups of near scores for a round of a Swiss with more than two bots a table.

Good groups have near scores and few rematches, and one is at the expense of the other: soon almost any four bots of
near scores have met. So both have a price. A pair in a group costs the square of its difference of score, and for each
time that the two met before `REMATCH` times as much as two bots of the round cost on average. So the exchange is the
same in every round, whatever the scores have come to.

The best groups cannot be found in reasonable time. The search begins with groups of neighbours in the order of scores.
It makes the exchange of two bots that saves most, until none saves anything. Then it makes some exchanges at random, by
the league's seed, and improves that again; it does so `SHAKES` times, and keeps the cheapest groups of all. It
computes with integers only, so it finds the same groups on every machine.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from referee.core import seeds
from tournaments.schedule.formats.swiss_player import SwissPlayer, ranked

REMATCH = 2
"""What a rematch costs, in mean squared differences of score between two bots. Among 32 bots with 3, 4 or 5 at a table
there are less than half as many rematches in seven rounds as with random groups. With 3 there are fewer, but at tables
of 4 or 5 the scores in a group are hardly nearer than at random after six rounds."""

SHAKES = 20
"""How often the groups are shaken. The cost falls by a tenth; with 100 it would fall by a hundredth more."""

_EXCHANGES = 8
"""How many exchanges a shake makes. After 3 the groups are too often as they were; 16 are no better."""

_Ints = NDArray[np.int64]


def groups(contenders: Sequence[SwissPlayer], size: int, seed: bytes) -> list[tuple[str, ...]]:
    """Groups of near scores and few rematches, the group of the highest scores first.

    There are enough contenders for a group; their order does not matter. `seed` is that of the search, 32 bytes.
    """
    order = ranked(contenders)
    costs = _costs(order)
    best = _improved(costs, np.arange(len(order)) // size)
    for shake in _shakes(seed, len(order)):
        other = best.copy()
        for one, two in shake:
            other[[one, two]] = other[[two, one]]
        other = _improved(costs, other)
        if _total(costs, other) < _total(costs, best):
            best = other
    return _named(order, best)


def _costs(order: Sequence[SwissPlayer]) -> _Ints:
    """The cost of each pair in a group: bots x bots, symmetric, 0 for a bot with itself."""
    places = {each.name: place for place, each in enumerate(order)}
    scores = np.array([each.score for each in order], np.int64)
    costs = (scores[:, None] - scores[None, :]) ** 2
    rematch = max(1, REMATCH * int(costs.sum()) // costs.size)
    for place, each in enumerate(order):
        for name, times in each.met.items():
            if name in places:
                costs[place, places[name]] += rematch * times
    return costs


def _improved(costs: _Ints, group: _Ints) -> _Ints:
    """The groups after all exchanges that save something, the best one first. `group` is that of each bot."""
    group = group.copy()
    while True:
        one, two, saved = _best_exchange(costs, group)
        if saved <= 0:
            return group
        group[[one, two]] = group[[two, one]]


def _best_exchange(costs: _Ints, group: _Ints) -> tuple[int, int, int]:
    """The two bots whose exchange saves most, and how much it saves."""
    by_group = costs[:, group.argsort(kind="stable")].reshape(len(group), group.max() + 1, -1).sum(axis=2)
    among = by_group[:, group]  # what each bot would cost beside the group of each other
    own = among.diagonal()
    # Where the other one was, it is no longer: its cost is not paid, on neither side.
    saved = own[:, None] + own[None, :] - (among + among.T - 2 * costs)
    saved[group[:, None] == group[None, :]] = 0
    one, two = divmod(int(saved.argmax()), len(group))
    return one, two, int(saved[one, two])


def _total(costs: _Ints, group: _Ints) -> int:
    return int(costs[group[:, None] == group[None, :]].sum())


def _shakes(seed: bytes, bots: int) -> NDArray[np.intp]:
    """The exchanges of each shake: shakes x exchanges x 2."""
    rolls = seeds.rolls(seed, bots, SHAKES * _EXCHANGES * 2)
    return np.array(rolls, np.intp).reshape(SHAKES, _EXCHANGES, 2)


def _named(order: Sequence[SwissPlayer], group: _Ints) -> list[tuple[str, ...]]:
    """The names in each group, in the order of standing; the groups in the order of their highest bots."""
    found: dict[int, list[str]] = {}
    for each, number in zip(order, group.tolist(), strict=True):
        found.setdefault(number, []).append(each.name)
    return [tuple(names) for names in found.values()]
