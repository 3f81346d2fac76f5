"""The pairing of a round of a Swiss: groups of near scores, and the best pairs with two bots a table.

**Groups.** Good groups have near scores and few rematches, and one is at the expense of the other: soon almost any four
bots of near scores have met. So both have a price. A pair in a group costs the square of its difference of score, and
for each time that the two met before `REMATCH` times as much as two bots of the round cost on average. So the exchange
is the same in every round, whatever the scores have come to.

The best groups cannot be found in reasonable time. The search begins with groups of neighbours in the order of scores.
It makes the exchange of two bots that saves most, until none saves anything. Then it makes some exchanges at random, by
the league's seed, and improves that again; it does so `SHAKES` times, and keeps the cheapest groups of all. It
computes with integers only, so it finds the same groups on every machine.

**Pairs.** The best pairing has the fewest rematches: if two bots that are paired met three times before, these are
three. Among such pairings it has the least sum of squared differences of score. Squared, because one pair of very
unequal bots is then worse than several pairs of slightly unequal ones, and because few pairings have the same sum. Of
those that do, luck chooses.

The standing of a bot is its score times 2^128, plus its luck. Pairings are compared by their rematches, then by the sum
of their squared differences of standing. Luck is so small that the sum of squared differences of score comes first. No
two bots have the same standing, and hardly ever do two pairings have the same sum. So the best pairing is a function of
scores, luck and meetings alone: neither the order of the bots nor the algorithm matters.

**Few pairs can be part of it.** Let bots a and b be paired, a lower than b, and let a bot x stand between them. x is
paired with some y. Of the three ways to pair four bots w < x < y < z, (w, x) and (y, z) has the least sum of squares,
then comes (w, y) and (x, z), then (w, z) and (x, y). So a way with a lower sum must have more rematches, or it would be
better:

- If y is above b, then x met a, or y met b.
- If y is below a, then y met a, or x met b.
- If y is between a and b, too, there are two ways with a lower sum. For the one, the lower of x and y met a, or the
  higher met b; for the other, the higher met a, or the lower met b.

So each bot between a and b has a meeting of its own, of a with a bot below b or of b with a bot above a: between them
stand at most as many bots as there are such meetings. A matching among the pairs that satisfy this is the best
pairing of all bots. Of the 124,750 pairs of 500 bots these are 499 in the first round, and some 5,600 in the eleventh.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import networkx
import numpy as np
from numpy.typing import NDArray

from referee.core import seeds


class SwissPlayer(NamedTuple):
    """A bot that may play in a round.

    Attributes:
        name: unique in the round.
        score: its points so far, in thousandths.
        luck: at least 0 and below 2^64, drawn from the league's seed. Between equal scores the lower luck stands lower.
        met: by name, how often it met each bot before; bots that it never met may be missing.
    """

    name: str
    score: int
    luck: int
    met: Mapping[str, int]


def ranked(contenders: Iterable[SwissPlayer]) -> list[SwissPlayer]:
    """The contenders from the highest score to the lowest, between equals by their luck."""
    return sorted(contenders, key=lambda each: (each.score, each.luck), reverse=True)


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


_SCORE = 128
"""A unit of score is worth 2^128 of luck: more than all luck can come to, however many bots there are."""


def pairs(contenders: Sequence[SwissPlayer]) -> list[tuple[str, str]]:
    """The best pairing of two bots or more, an even number in any order; the pair with the highest standing first."""
    order = ranked(contenders)[::-1]
    standings = [(each.score << _SCORE) + each.luck for each in order]
    met = _met(order)
    rematch = len(order) * (standings[-1] - standings[0]) ** 2 + 1
    costs = {
        (low, high): rematch * met[low].get(high, 0) + (standings[high] - standings[low]) ** 2
        for low, high in _candidates(met)
    }
    found = sorted((sorted(pair, reverse=True) for pair in _cheapest(costs)), reverse=True)
    return [(order[high].name, order[low].name) for high, low in found]


def _met(order: Sequence[SwissPlayer]) -> list[dict[int, int]]:
    """For each bot, how often it met each other, with their places in this order as names."""
    places = {each.name: place for place, each in enumerate(order)}
    return [{places[name]: times for name, times in each.met.items() if times and name in places} for each in order]


def _candidates(met: Sequence[Mapping[int, int]]) -> Iterator[tuple[int, int]]:
    """The pairs that can be part of the best pairing, by their places from the lowest standing up, the lower first."""
    opponents = [sorted(each) for each in met]
    most = max(map(len, opponents))
    for low, met_low in enumerate(opponents):
        for high in range(low + 1, min(low + 2 + len(met_low) + most, len(met))):
            met_high = opponents[high]
            meetings = bisect_left(met_low, high) + len(met_high) - bisect_right(met_high, low)
            if high - low - 1 <= meetings:
                yield low, high


def _cheapest(costs: Mapping[tuple[int, int], int]) -> set[tuple[int, int]]:
    """The pairs of the cheapest perfect matching."""
    dearest = max(costs.values())
    graph = networkx.Graph()
    graph.add_weighted_edges_from((low, high, dearest + 1 - cost) for (low, high), cost in costs.items())
    found: set[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return found
