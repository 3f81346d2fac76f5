"""Does one number for each bot describe who beats whom? If not: which pairs differ, and who holds out against all.

A residual is the share of a pair on a block minus the share that the ratings expect, over its deviation, without what
other ratings could explain. If one number describes the bots, the residuals of a pair have the mean 0. So the squares
of their means are compared with those of leagues in which the results of whole blocks are reversed (`leads.py`). Many
deals show styles too small to matter. So the size counts, too.

A bot that beats one with many copies is rated high. So where the test fails, every bot is also compared with the *best
mix*: draw a bot from it for each match, and you lose to no bot. Of several such mixes this is the most even one, so no
order of the bots decides. Copies share the probability of the original.

Only blocks on which every two bots met alone count. Sources: D. Balduzzi and others, "Re-evaluating Evaluation", 2018;
its search: C. Lawson, R. Hanson, "Solving Least Squares Problems", 1974, chapter 23, problem LDP.
"""

from collections.abc import Sequence
from itertools import combinations, compress, pairwise
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from scipy import sparse
from scipy.optimize import nnls
from scipy.special import ndtr

from tournaments.rating import FEWEST_BLOCKS, TAIL
from tournaments.rating.field_estimate import Influence
from tournaments.rating.fit import AgainstMix, Fit
from tournaments.rating.intervals import RESAMPLES, Bootstrap, mean
from tournaments.rating.leads import FLIPS, drawn_signs
from tournaments.rating.numerics import Floats, one_thread
from tournaments.rating.ratings import numbered
from tournaments.rating.resampling import RandomWords
from tournaments.rating.scale import BETA, draw_margin

_LEAST_VARIANCE = 0.02
"""Of a share: a result that the ratings all but exclude would count for too much."""
_AT_ONCE = 1 << 11
"""So many pairs are worked on together."""
_NOTHING = 1e-5
"""So little weighs the size of the numbers of the search. Without it, many of them would be as good."""
_MOST_STEPS = 10_000
_MOST_BOTS = 100
"""The mix of more takes too long."""


class Misfit(NamedTuple):
    """How well one number for each bot describes the results.

    Attributes:
        fit: what the test says.
        pairs: where one number does not: those whose share differs, by a test of all pairs at once.
        bots: where one number does not: how each bot fares against the best mix.
    """

    fit: Fit
    pairs: frozenset[frozenset[str]] = frozenset()
    bots: dict[str, AgainstMix] | None = None


def misfit(resampled: Bootstrap, draw_probability: float, seed: bytes) -> Misfit | None:
    """Test whether the ratings describe the results; None if fewer than three bots or six blocks can be tested.

    `seed` has 32 bytes.
    """
    players = sorted(
        (name for group in resampled.groups for name in group), key=resampled.influence.numbers.__getitem__
    )
    shares = _shares(resampled.influence, players) if len(players) > 2 else np.zeros((0, 0))
    blocks, luck = shares.shape[1], RandomWords(seed)
    if blocks < FEWEST_BLOCKS:
        return None
    with one_thread():
        scale, residuals = _residuals(shares, [resampled.ratings[name].mu for name in players], draw_probability)
        signs, products = drawn_signs(luck, blocks), residuals.T @ residuals
        between = (signs * (products @ signs)).sum(axis=0) / blocks
        chance = float((between >= between[0] * (1 - 1e-9)).mean())  # so that no rounding error decides
        away = residuals * scale[:, None]
        square = float((away.mean(axis=1) ** 2).mean() - away.var(axis=1, ddof=1).mean() / blocks)
        fit = Fit(chance, max(0.0, square) ** 0.5)
        if not fit.is_bad:
            return Misfit(fit)
        marked = compress(combinations(players, 2), _unusual(residuals, signs))
        pairs = frozenset(map(frozenset, marked))
        if len(players) > _MOST_BOTS:
            return Misfit(fit, pairs)
        mixed = dict(zip(players, _against_mix(shares, luck), strict=True))
    alike = {name: [mixed[other].interval for other in resampled.like(name)] for name in players}
    return Misfit(fit, pairs, {name: replace(each, interval=mean(alike[name])) for name, each in mixed.items()})


def _shares(influence: Influence, players: Sequence[str]) -> Floats:
    """Pairs x blocks: the share of the first bot of each pair, in the blocks on which every two bots met alone."""
    index, pairs = numbered(players), len(players) * (len(players) - 1) // 2
    number = np.zeros((len(players), len(players)), dtype=np.intp)
    number[np.triu_indices(len(players), 1)] = np.arange(pairs)
    # By comparison: the number of its pair, whether it has one, and the share of the first bot of the pair.
    pair, meets, scored = np.zeros(len(influence.kinds), dtype=np.intp), *np.zeros((2, len(influence.kinds)))
    for at, kind in enumerate(influence.kinds):
        one, other = (index.get(team[0].player) if len(team) == 1 else None for team in (kind.upper, kind.lower))
        if one is not None and other is not None:
            pair[at], meets[at] = number[min(one, other), max(one, other)], 1
            scored[at] = 0.5 if kind.drawn else one < other
    found, columns = [], influence.played.tocsc()
    for first, last in pairwise(columns.indptr.tolist()):
        kinds, times = columns.indices[first:last], columns.data[first:last]
        often = np.bincount(pair[kinds], times * meets[kinds], pairs)
        if often.all():
            found.append(np.bincount(pair[kinds], times * scored[kinds], pairs) / often)
    return np.array(found).reshape(-1, pairs).T


def _residuals(shares: Floats, mus: Sequence[float], draw_probability: float) -> tuple[Floats, Floats]:
    """By pair, the deviation of its share on a block; and pairs x blocks: the residuals."""
    one, other = np.triu_indices(len(mus), 1)
    margins = np.array([1, -1]) * draw_margin(draw_probability, 2)
    ends = (np.subtract.outer(mus, mus)[one, other, None] + margins) / (np.sqrt(2) * BETA)
    expected = ndtr(ends).mean(axis=1)
    scale = np.sqrt(np.maximum(expected * (1 - expected), _LEAST_VARIANCE))
    slope = np.exp(-(ends**2) / 2).mean(axis=1) / scale  # up to a factor
    at = np.tile(np.arange(len(one)), 2), np.concatenate([one, other])
    by_rating = sparse.csr_array((np.concatenate([slope, -slope]), at), (len(one), len(mus)))
    raw = (shares - expected[:, None]) / scale[:, None]
    normal = np.linalg.pinv((by_rating.T @ by_rating).toarray(), hermitian=True)
    return scale, raw - by_rating @ (normal @ (by_rating.T @ raw))


def _unusual(residuals: Floats, signs: Floats) -> list[bool]:
    """By pair, whether its mean is larger than the largest in 95 % of the leagues."""
    largest = np.zeros(FLIPS)
    for first in range(0, len(residuals), _AT_ONCE):
        largest = np.maximum(largest, np.abs(residuals[first : first + _AT_ONCE] @ signs).max(axis=0))
    needed = np.quantile(largest, 1 - 2 * TAIL, method="higher")
    return list(map(bool, np.abs(residuals.sum(axis=1)) > needed))


def _against_mix(shares: Floats, luck: RandomWords) -> list[AgainstMix]:
    """How every bot fares against the best mix, in the league and in its resamples."""
    blocks = shares.shape[1]
    hits = (luck.uniforms(RESAMPLES, blocks) * blocks).astype(np.intp)
    crossed = [crossed_shares(shares[:, drawn].mean(axis=1)) for drawn in (np.arange(blocks), *hits)]
    found = np.array([each @ best_mix(each) for each in crossed])
    ends = np.quantile(found[1:], [TAIL, 1 - TAIL], axis=0, method="weibull").T.tolist()
    worst = (crossed[0] + np.eye(len(ends))).min(axis=1).tolist()
    figures = zip(found[0].tolist(), ends, worst, strict=True)
    return [AgainstMix(share, (low, high), least) for share, (low, high), least in figures]


def crossed_shares(shares: Floats) -> Floats:
    """Players x players: the share of each against each, from those of the pairs; 1/2 against itself."""
    count = round((2 * len(shares)) ** 0.5 + 0.5)
    one, other = np.triu_indices(count, 1)
    found = np.full((count, count), 0.5)
    found[one, other], found[other, one] = shares, 1 - shares
    return found


def best_mix(shares: Floats) -> Floats:
    """By player, its probability in the most even mix that has at least 1/2 against each player.

    `shares` are players x players.
    """
    count = len(shares)
    # No probability is below 0, nobody gets more than 1/2, and the sum is at least 1. The least squares have the sum 1.
    limits = np.concatenate([np.eye(count), (shares.T - shares) / 2, np.ones((1, count))])
    aim = np.eye(count + 1)[-1]
    duals = np.vstack([limits.T, np.eye(len(limits))[-1], _NOTHING * np.eye(len(limits))])  # so only one is the best
    found, _ = nnls(duals, np.concatenate([aim, np.zeros(len(limits))]), maxiter=_MOST_STEPS)
    mix = np.maximum(limits.T @ found, 0)
    return np.asarray(mix / mix.sum())
