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
paired with some y. Pairing the two lowest of these four, and the two highest, would bring nearer bots together: for
w < x < y < z the sum (x - w)² + (z - y)² is less than that of the other two ways. It is not better only if it has more
rematches, so the two lowest met before, or the two highest did. That is one of

- y is between a and b, too: the lower of x and y met a, or the higher of them met b;
- y is above b: x met a, or y met b;
- y is below a: y met a, or x met b.

So one of x and y met a or b. A bot that met a or b and stands between them explains two such bots, itself and the bot
that it is paired with. One that met a and stands below, or met b and stands above, explains one. Others explain none.
Therefore between a and b stand at most

    2 * (bots between them that met a) + 2 * (bots between them that met b)
      + (bots below a that met a) + (bots above b that met b)

bots. A matching among the pairs that satisfy this is the best pairing of all bots. With 500 bots these are 500 pairs in
the first round, and some 7,000 of 124,750 in the eleventh.
"""

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence

import networkx

from tournaments.formats.contender import Contender, ranked

_SCORE = 128
"""A unit of score is worth 2^128 of luck: more than all luck can come to, however many bots there are."""


def pairs(contenders: Sequence[Contender]) -> list[tuple[str, str]]:
    """The best pairing of an even number of bots, the pair with the highest standing first."""
    order = ranked(contenders)[::-1]
    standings = [(each.score << _SCORE) + each.luck for each in order]
    met = _met(order)
    rematch = len(order) * (standings[-1] - standings[0]) ** 2 + 1 if order else 1
    costs = {
        (low, high): rematch * met[low].get(high, 0) + (standings[high] - standings[low]) ** 2
        for low, high in _candidates(met)
    }
    found = sorted((sorted(pair, reverse=True) for pair in _cheapest(costs)), reverse=True)
    return [(order[high].name, order[low].name) for high, low in found]


def _met(order: Sequence[Contender]) -> list[dict[int, int]]:
    """For each bot, how often it met each other, with their places in this order as names."""
    places = {each.name: place for place, each in enumerate(order)}
    return [{places[name]: times for name, times in each.met.items() if times and name in places} for each in order]


def _candidates(met: Sequence[Mapping[int, int]]) -> Iterator[tuple[int, int]]:
    """The pairs that can be part of the best pairing, by their places from the lowest standing up, the lower first."""
    opponents = [sorted(each) for each in met]
    most = max(map(len, opponents), default=0)
    for low, met_low in enumerate(opponents):
        below = bisect(met_low, low)
        for high in range(low + 1, min(low + 2 + 2 * (len(met_low) + most), len(met))):
            met_high = opponents[high]
            above = len(met_high) - bisect(met_high, high)
            between_low = bisect(met_low, high - 1) - below
            between_high = len(met_high) - above - bisect(met_high, low)
            if high - low - 1 <= 2 * (between_low + between_high) + below + above:
                yield low, high


def _cheapest(costs: Mapping[tuple[int, int], int]) -> set[tuple[int, int]]:
    """The pairs of the cheapest perfect matching."""
    dearest = max(costs.values(), default=0)
    graph = networkx.Graph()
    graph.add_weighted_edges_from((low, high, dearest + 1 - cost) for (low, high), cost in costs.items())
    found: set[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return found
