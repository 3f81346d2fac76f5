"""Which leads are certain, and so who may be the best and which places a bot may have: sign flips of whole blocks.

Were two bots equal, all results of a deal could as well have been the opposite. So leagues in which the results of some
deals are reversed, for all pairs together, show how large the largest lead is by luck. No formula for few deals, many
bots or the luck that matches share is needed.

A *value* is what a block says of a lead: the lead plus the number of blocks times what the block moves it. The error of
a lead is that of the mean of its values. Its square is shrunk towards the one by the model, as if ten more blocks said
so. That is the error of the ratings, times a factor for all pairs, which is that of the real league; where results are
reversed, the lead that this pair really has comes on top. What the prior leaves uncertain comes on top, too: much in a
Swiss. The error of a real lead is at least that of the resamples, which is larger where a bot hardly ever lost, and
where bots have different numbers of blocks. Where sides have ratings, values are skewed, because only the few losses of
a strong side tell bots apart. There a lead counts no more than Student's distribution says by its interval. No lead is
certain that is not separated.

A bot cannot be the best if a lead over it, in errors, exceeds the largest one over any bot in 95 % of the leagues. Then
again, with the leads over the bots that are left, until no more go. What is needed is the same in all groups, so groups
that only names tell apart have the same answer. For places, the largest lead counts that a bot has over others, or
others over it.

Sources: J. Romano, M. Wolf, "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing", 2005; J. Hsu,
"Constrained Simultaneous Confidence Intervals for Multiple Comparisons with the Best", 1984; M. Mogstad, J. Romano,
A. Shaikh, D. Wilhelm, "Inference for Ranks with Applications to Mobility across Neighbourhoods", 2024.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr, stdtrit

from tournaments.rating import TAIL
from tournaments.rating.intervals import Bootstrap
from tournaments.rating.numerics import Floats, one_thread
from tournaments.rating.resampling import RandomWords

FLIPS = 1_000
"""So many leagues; the first is the real one."""

_EXTRA = 10
_AT_ONCE = 1 << 12
"""The signs of so many blocks are drawn together."""


class RankInterval(NamedTuple):
    """What is known about the rank of a bot in its group.

    Attributes:
        first: the share of resamples in which it is the first. Bots that share the first place share it evenly. It is
            no probability that it is the best: resamples repeat the luck of the league.
        interval: the 95 % interval of its rank, from 1.
        may_be_best: whether it may be the best.
    """

    first: float
    interval: tuple[int, int]
    may_be_best: bool


class Leads:
    """The leads of the players of a league that have an interval."""

    def __init__(self, resampled: Bootstrap, seed: bytes) -> None:
        """`seed` has 32 bytes."""
        rated = (player for group in resampled.groups for player in group if resampled.has_interval(player))
        self._resampled, self._players = resampled, sorted(rated, key=resampled.influence.numbers.__getitem__)
        count = len(self._players)
        # By player: the largest lead of others over it, and the largest of it over others, in each league, in errors.
        self._over, self._under = np.zeros((2, count, FLIPS))
        self._certain = np.zeros((count, count))
        if count:
            with one_thread():
                self._compare(RandomWords(seed))

    def may_be_best(self) -> frozenset[str]:
        """The players that may be the best of their groups."""
        left = np.full(len(self._players), fill_value=True)
        while left.any():
            gone = left & (self._certain.max(axis=0) > _needed(self._over[left]))
            if not gone.any():
                break
            left &= ~gone
        return frozenset(name for name, stays in zip(self._players, left.tolist(), strict=True) if stays)

    def ranks(self) -> dict[str, RankInterval]:
        """By player, what is known about its rank. Within a group the shares of being first add up to 1."""
        best, first, found = self.may_be_best(), self._first(), dict[str, RankInterval]()
        needed = dict(zip(self._players, map(_needed, np.stack([self._over, self._under], axis=1)), strict=True))
        for at, name in enumerate(self._players):
            alike = self._resampled.like(name)
            enough = fmean(needed[other] for other in alike)
            better, worse = (int((leads > enough).sum()) for leads in (self._certain[:, at], self._certain[at]))
            last = sum(self._resampled.met(name, other) for other in self._players) - worse
            start = 1 if name in best else max(2, 1 + better)
            found[name] = RankInterval(fmean(first[other] for other in alike), (start, last), name in best)
        return found

    def _first(self) -> dict[str, float]:
        """By player, the share of resamples in which it is the first of its group."""
        found = dict[str, float]()
        for group in self._resampled.groups:
            players = [name for name in group if self._resampled.has_interval(name)]
            if players:
                mus = np.array([self._resampled.mus[name] for name in players])
                leading = mus == mus.max(axis=0)
                found |= zip(players, (leading / leading.sum(axis=0)).mean(axis=1).tolist(), strict=True)
        return found

    def _compare(self, luck: RandomWords) -> None:
        """Compute all leads, in errors. Signs and priors are drawn in an order that no name decides."""
        resampled, (index, *_, forces, error, prior) = self._resampled, self._resampled.influence
        at, blocks = [index[name] for name in self._players], forces.shape[1]
        pushed, total = np.zeros((len(index), FLIPS)), np.zeros(FLIPS)
        for first in range(0, blocks, _AT_ONCE):
            part = forces[:, first : first + _AT_ONCE]
            signs = drawn_signs(luck, part.shape[1])
            pushed, total = pushed + part @ signs, total + signs.sum(axis=0)
        # Without the mean the pull of the prior would count as a result: wrong in a Swiss.
        mean = error @ forces.mean(axis=1)
        moved = error @ (forces @ forces.T).toarray() @ error.T - blocks * np.outer(mean, mean)
        mu = np.array([resampled.ratings[name].mu for name in self._players])
        ratings = np.outer(mu, total / blocks) + (error @ pushed - np.outer(mean, total))[at]
        unknown = (prior @ ndtri(luck.uniforms(len(index), FLIPS)))[at]
        unknown[:, 0] = 0
        spread = self._spread()
        left, expected = _of_leads(prior @ prior.T, at), _of_leads(error, at)
        real = np.subtract.outer(mu, mu) ** 2
        squares = real + blocks * _of_leads(moved, at)  # the same in all leagues
        met = np.array(
            [[one != other and resampled.met(one, other) for other in self._players] for one in self._players]
        )
        weights = np.divide(1, expected, out=np.zeros_like(expected), where=met) / max(1, met.sum())
        common = blocks * float((weights * _of_leads(moved, at)).sum())
        for player in range(len(at)):
            others = np.flatnonzero(met[player])
            if len(others):
                lead = ratings[player] - ratings[others]
                error = np.maximum(squares[player, others, None] - lead**2, 0)
                # A real lead becomes error where results are reversed: that of this lead, and of no other.
                model = common * expected[player, others, None] + np.maximum(real[player, others, None] - lead**2, 0)
                error += _EXTRA / (blocks - 1) * model
                error = np.sqrt(error / (blocks - 1 + _EXTRA) + left[player, others, None])
                lead = (lead + unknown[player] - unknown[others]) / error
                self._over[player], self._under[player] = (-lead).max(axis=0), lead.max(axis=0)
                least = np.maximum(error[:, 0], spread[player, others])
                self._certain[player, others] = self._in_errors(player, others, least)

    def _in_errors(self, player: int, others: NDArray[np.intp], errors: Floats) -> list[float]:
        """The leads of a player over some that it met, in these errors; 0 if they are not separated."""
        found, name, leads = self._resampled, self._players[player], list[float]()
        for other, error in zip((self._players[at] for at in others), errors.tolist(), strict=True):
            lead = found.ratings[name].mu - found.ratings[other].mu
            low, _ = found.difference(name, other) or (0.0, 0.0)
            leads.append(lead / error if low > 0 else 0.0)
            if found.has_sides and low > 0:
                free = min(found.blocks[name], found.blocks[other]) - 1
                by_interval = stdtr(free, stdtrit(free, 1 - TAIL) * lead / (lead - low))
                leads[-1] = min(leads[-1], float(ndtri(by_interval)))
        return leads

    def _spread(self) -> Floats:
        """Players x players: how far the leads of the resamples spread, on average over all players like these two."""
        mus = np.array([self._resampled.mus[name] for name in self._players])
        mus = mus - mus.mean(axis=1, keepdims=True)
        like = np.array([self._resampled.like(name)[0] for name in self._players])
        same = (like[:, None] == like) / (like[:, None] == like).sum(axis=1, keepdims=True)
        variance = _of_leads(mus @ mus.T / max(1, mus.shape[1] - 1), range(len(mus)))
        return np.asarray(np.sqrt(same @ variance @ same))


def drawn_signs(luck: RandomWords, blocks: int) -> Floats:
    """Blocks x leagues: -1 where the results are reversed, 1 where they are not; all 1 in the first league."""
    signs = np.where(luck.uniforms(blocks, FLIPS) < 0.5, -1.0, 1.0)
    signs[:, 0] = 1
    return signs


def _needed(leads: Floats) -> float:
    """What the largest of some leads, leads x leagues, exceeds in 5 % of the leagues."""
    return float(np.quantile(leads.max(axis=0), 1 - 2 * TAIL, method="higher"))


def _of_leads(covariance: Floats, at: Sequence[int]) -> Floats:
    """The variances of the leads of some players over each other, from the covariances of all ratings."""
    part = covariance[np.ix_(at, at)]
    return np.asarray(np.maximum(np.add.outer(part.diagonal(), part.diagonal()) - part - part.T, 0))
