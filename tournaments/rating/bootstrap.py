"""How far the ratings can be trusted: a bootstrap, which resamples the league by drawing its blocks with replacement.

A block is one deal in all rotations. Its matches share the luck of the deal, so they are drawn together. Blocks with
the same content are alike, and only their number matters: a resample is a multinomial draw, as quick for 100,000 blocks
as for 100. Every resample is rated until nothing changes, beginning with the messages of the whole league.

What never happened in a league never happens in its resamples either. A bot that won every block would win every block
of every resample, and its interval would have no width, as if its rating were certain. Two corrections prevent that.
Both matter if results are few or one-sided, and fade as results become many.

First, a block that is drawn may be turned round, so that the last comes first. The chance follows Jeffreys' rule for a
first loss after n wins in n: half a block in n + 1, where n is the number of blocks of that player in it who played the
fewest. So a resample has about half a turned block for each bot, however long the league.

Second, the players have different priors in every resample: their means are drawn from the prior. That all bots are
worth 25 until they play is an assumption, not a result, so it must not be the same each time. Where results say little
(such as how much better a bot is that never lost) the interval is nearly as wide as the prior. For Gaussians, drawing
both the results and the priors anew gives the posterior.

Sources: B. Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979, with percentile intervals; half a block:
H. Jeffreys, "An Invariant Form for the Prior Probability in Estimation Problems", 1946; drawn priors: G. Papandreou,
A. Yuille, "Gaussian Sampling by Local Perturbations", NIPS 2010.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import TypeAlias

import msgspec

from referee.core import seeds
from tournaments.rating.chain import chain_factor
from tournaments.rating.contest import Content, Contest, ResultKind, blocks, learners, opposite, total
from tournaments.rating.gaussian import MU, SIGMA
from tournaments.rating.propagation import check, solve

RESAMPLES = 200

FEWEST_BLOCKS = 6
"""A player with fewer blocks has no interval. If two equal players meet in n blocks, a given one of them wins all of
them by chance in one league of 2^n. That must be rarer than the 2.5 % at each end of an interval; otherwise even the
most one-sided results would prove nothing. 2^-5 is 3.1 %, 2^-6 is 1.6 %.

For an interval of their difference both players need this many, wherever they played. Suppose they meet in only d of 6
blocks; against the same others, one of them wins its 6 - d blocks and the other loses its own. Between equals the
blocks won could as well be any 6 - d of the 12 - 2d. The chance is 2^-d / C(12 - 2d, 6 - d): for d = 6 and d = 5 it is
2^-6, for smaller d it is less."""

_TOLERANCE = 1e-3
_TAIL = 0.025
_WORDS = 1 << 32
_NEWCOMER = NormalDist(MU, SIGMA)

Interval: TypeAlias = tuple[float, float]
"""Low and high, in points of rating."""


class Bootstrap(msgspec.Struct, frozen=True):
    """The ratings that other leagues of the same kind could have given.

    Attributes:
        mus: by player and pseudo-player, its mu in every resample.
        blocks: by player and pseudo-player, how many blocks say anything about it.
    """

    mus: dict[str, tuple[float, ...]]
    blocks: dict[str, int]

    def interval(self, player: str) -> Interval | None:
        """The interval of the player's mu in 95 of 100 resamples; None if it played fewer than `FEWEST_BLOCKS`."""
        return _middle(self.mus[player]) if self.told(player) else None

    def difference(self, a: str, b: str) -> Interval | None:
        """The interval of mu of `a` minus mu of `b` in 95 of 100 resamples; None if either played too few blocks."""
        if not (self.told(a) and self.told(b)):
            return None
        return _middle([one - other for one, other in zip(self.mus[a], self.mus[b], strict=True)])

    def separated(self, a: str, b: str) -> bool:
        """Whether the interval of their difference exists and excludes 0."""
        found = self.difference(a, b)
        return found is not None and (found[0] > 0 or found[1] < 0)

    def told(self, player: str) -> bool:
        """Whether the player played enough blocks for an interval."""
        return self.blocks[player] >= FEWEST_BLOCKS


def bootstrap(
    contests: Sequence[Contest],
    players: Sequence[str],
    draw_probability: float,
    seed: bytes,
    resamples: int = RESAMPLES,
) -> Bootstrap:
    """Rate `resamples` resamples of the league. The result depends on `seed`, but not on the order of the contests.

    Args:
        contests: the matches, with their blocks.
        players: the players whose ratings have the mean 25 in every resample; at least one.
        draw_probability: how often two equal teams draw, at least 0.001 and below 1.
        seed: 32 bytes.
        resamples: at least 1.

    Raises:
        ValueError: as `converged`, or `resamples` is below 1.
    """
    check(players, draw_probability)
    if resamples < 1:
        raise ValueError(f"A bootstrap needs at least one resample, not {resamples}.")
    listed = sorted(set(players))
    contents = blocks(contests)
    counts, turned = total(contents.items()), total((opposite(content), times) for content, times in contents.items())
    factors = {kind: chain_factor(kind, draw_probability) for kind in {**counts, **turned}}
    whole = solve(counts, factors, listed)
    played = _played(contents)
    mus: dict[str, list[float]] = {name: [] for name in whole.known}
    own = [seeds.child(seed, "resample", str(number)) for number in range(resamples)]
    for each, drawn in zip(own, _leagues(contents, played, own), strict=True):
        solution = solve(drawn, factors, sorted(whole.known), whole.messages, _TOLERANCE, priors(each, listed))
        for name, rating in solution.ratings(listed).items():
            mus[name].append(rating.mu)
    return Bootstrap({name: tuple(found) for name, found in mus.items()}, {name: played[name] for name in mus})


def _leagues(
    contents: Mapping[Content, int], played: Mapping[str, int], resamples: Iterable[bytes]
) -> Iterator[dict[ResultKind, int]]:
    """For the seed of each resample: how often each kind of result occurs in it."""
    either_way = (*contents, *map(opposite, contents))
    counts = list(contents.values())
    chances = [_turning(content, played) for content in contents]
    for seed in resamples:
        yield total(zip(either_way, redrawn(seed, counts, chances), strict=True))


def _played(contents: Mapping[Content, int]) -> Counter[str]:
    """By player, how many blocks it played."""
    played: Counter[str] = Counter()
    for content, times in contents.items():
        for name in learners(content):
            played[name] += times
    return played


def _turning(content: Content, played: Mapping[str, int]) -> float:
    """The chance that a block of this content is turned round."""
    return 0.5 / (1 + min((played[name] for name in learners(content)), default=0))


def redrawn(seed: bytes, counts: Sequence[int], chances: Sequence[float]) -> list[int]:
    """For each content: how many of its blocks are drawn as they were; then for each, how many are turned round."""
    times = multinomial(seed, counts)
    words = seeds.rolls(seeds.child(seed, "turned"), _WORDS, len(times))
    turned = [
        binomial((word + 0.5) / _WORDS, drawn, chance)
        for word, drawn, chance in zip(words, times, chances, strict=True)
    ]
    return [*(drawn - other for drawn, other in zip(times, turned, strict=True)), *turned]


def priors(seed: bytes, players: Sequence[str]) -> dict[str, float]:
    """By player, the mean of its prior in a resample, drawn from the prior. The mean over all players is 25."""
    words = seeds.rolls(seeds.child(seed, "priors"), _WORDS, len(players))
    drawn = [_NEWCOMER.inv_cdf((word + 0.5) / _WORDS) for word in words]
    shift = MU - math.fsum(drawn) / len(drawn)
    return {player: mean + shift for player, mean in zip(players, drawn, strict=True)}


def multinomial(seed: bytes, counts: Sequence[int]) -> list[int]:
    """How often each box is hit in sum(counts) throws, if the boxes are hit in proportion to their counts."""
    throws = left = sum(counts)
    hits = []
    for count, word in zip(counts, seeds.rolls(seed, _WORDS, len(counts)), strict=True):
        hit = binomial((word + 0.5) / _WORDS, throws, count / left)
        hits.append(hit)
        throws -= hit
        left -= count
    return hits


def binomial(uniform: float, trials: int, chance: float) -> int:
    """The number of successes that a point of the unit interval stands for.

    Each number has a share of the interval as long as its probability. The shares lie side by side from the likeliest
    number outwards, so the search takes about as many steps as the standard deviation.
    """
    if chance >= 1 or not trials:
        return trials
    for successes, probability in _outwards(trials, chance):
        uniform -= probability
        if uniform < 0:
            return successes
    return int(trials * chance)  # rounding left a tiny end of the interval to no number


def _outwards(trials: int, chance: float) -> Iterator[tuple[int, float]]:
    """The numbers of successes with their probabilities, from the likeliest outwards on both sides."""
    middle = min(trials, int((trials + 1) * chance))
    odds = chance / (1 - chance)
    low, high = middle, middle + 1
    below = math.exp(
        math.lgamma(trials + 1)
        - math.lgamma(middle + 1)
        - math.lgamma(trials - middle + 1)
        + middle * math.log(chance)
        + (trials - middle) * math.log1p(-chance)
    )
    above = below * odds * (trials - middle) / high
    while low >= 0 or high <= trials:
        if low >= 0:
            yield low, below
            below *= low / (odds * (trials - low + 1))
            low -= 1
        if high <= trials:
            yield high, above
            high += 1
            above *= odds * (trials - high + 1) / high


def _middle(values: Sequence[float]) -> tuple[float, float]:
    """The quantiles 0.025 and 0.975, linear between neighbours."""
    ordered = sorted(values)
    return _quantile(ordered, _TAIL), _quantile(ordered, 1 - _TAIL)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
