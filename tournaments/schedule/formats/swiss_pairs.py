"""Pairs bots for a round of a Swiss with two bots a table, in the best way there is.

The best pairing has the fewest rematches: if two bots that are paired met three times before, these are three. Among
such pairings it has the least sum of squared differences of score. Squared, because one pair of very unequal bots is
then worse than several pairs of slightly unequal ones, and because few pairings have the same sum. Of those that do,
luck chooses.

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
from collections.abc import Iterator, Mapping, Sequence

import networkx

from tournaments.schedule.formats.swiss_player import SwissPlayer, ranked

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
