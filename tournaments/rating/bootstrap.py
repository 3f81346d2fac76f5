"""How far the ratings can be trusted: the league played again in thought, by drawing its blocks with replacement.

A block is one deal in all rotations; its matches share the luck of the deal, so they are drawn together. Blocks of one
content are alike, and only their number matters: a resample is a multinomial draw, as quick for 100,000 blocks as for
100. Every resample is rated until nothing changes, beginning with the messages of the whole league.

Source: B. Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979; percentile intervals.
"""

import math
from collections.abc import Iterator, Sequence

import msgspec

from referee.core import seeds
from tournaments.rating.chain import chain_factor
from tournaments.rating.contest import Contest, blocks, total
from tournaments.rating.propagation import check, solve

RESAMPLES = 200
_TOLERANCE = 1e-3
_TAIL = 0.025
_WORDS = 1 << 32


class Bootstrap(msgspec.Struct, frozen=True):
    """The ratings that other leagues of the same kind could have given.

    Attributes:
        mus: by player and pseudo-player, its mu in every resample.
    """

    mus: dict[str, tuple[float, ...]]

    def interval(self, player: str) -> tuple[float, float]:
        """Where the player's mu is in 95 of 100 resamples: low and high."""
        return _middle(self.mus[player])

    def difference(self, a: str, b: str) -> tuple[float, float]:
        """Where mu of `a` minus mu of `b` is in 95 of 100 resamples: low and high."""
        return _middle([one - other for one, other in zip(self.mus[a], self.mus[b], strict=True)])

    def separated(self, a: str, b: str) -> bool:
        """Whether that interval excludes 0."""
        low, high = self.difference(a, b)
        return low > 0 or high < 0


def bootstrap(
    contests: Sequence[Contest],
    players: Sequence[str],
    draw_probability: float,
    seed: bytes,
    resamples: int = RESAMPLES,
) -> Bootstrap:
    """Rate `resamples` resamples of the league; a function of the contests, in any order, and of `seed`.

    Args:
        contests: the matches, with their blocks.
        players: whose ratings have the mean 25 in every resample; at least one.
        draw_probability: of two equal teams, at least 0.001 and below 1.
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
    counts = total(contents.items())
    factors = {kind: chain_factor(kind, draw_probability) for kind in counts}
    whole = solve(counts, factors, listed)
    mus: dict[str, list[float]] = {name: [] for name in whole.known}
    for number in range(resamples):
        times = multinomial(seeds.child(seed, "resample", str(number)), list(contents.values()))
        drawn = total(zip(contents, times, strict=True))
        solution = solve(drawn, factors, sorted(whole.known), whole.messages, _TOLERANCE)
        for name, rating in solution.ratings(listed).items():
            mus[name].append(rating.mu)
    return Bootstrap({name: tuple(found) for name, found in mus.items()})


def multinomial(seed: bytes, counts: Sequence[int]) -> list[int]:
    """How often each of some boxes is hit in sum(counts) throws, if each is hit in proportion to its count."""
    throws = left = sum(counts)
    hits = []
    for count, word in zip(counts, seeds.rolls(seed, _WORDS, len(counts)), strict=True):
        hit = binomial((word + 0.5) / _WORDS, throws, count / left)
        hits.append(hit)
        throws -= hit
        left -= count
    return hits


def binomial(uniform: float, trials: int, chance: float) -> int:
    """The number of successes at a point of the unit interval, which the numbers share by their probabilities.

    The shares lie side by side from the likeliest number outwards, so the search takes about as many steps as the
    standard deviation is large.
    """
    if chance >= 1 or not trials:
        return trials
    for successes, probability in _outwards(trials, chance):
        uniform -= probability
        if uniform < 0:
            return successes
    return int(trials * chance)  # rounding left the last crumb of the interval to nobody


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
