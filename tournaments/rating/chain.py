"""The factor of one match in plain floats: it computes the same as `library_factor`, but many times as fast.

The published rating uses the library's own arithmetic; the bootstrap needs it hundreds of times, so it uses this.
A match is a chain: a team's performance is the weighted sum of its members', and two neighbours by place differ by
more than the margin of a draw, or by less. With two teams one look at their difference is exact. With more, messages
go along the chain and back until they settle, in the same order as in the library.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

from tournaments.rating.contest import ResultKind
from tournaments.rating.gaussian import BETA, FLAT, Gaussian
from tournaments.rating.library import STILL, Factor, cdf, library_factor, margin, pdf

_NOISE = BETA**2
_ROUNDS = 10
"""After this many rounds along the chain the library stops, settled or not."""


def chain_factor(kind: ResultKind, draw_probability: float) -> Factor:
    """The factor of a match of this kind. Where floats lack digits, it falls back on `library_factor`."""
    weights = [[member.weight for member in team] for team in kind.teams]
    margins = [margin(draw_probability, len(a) + len(b)) for a, b in pairwise(kind.teams)]
    ties = [a == b for a, b in pairwise(kind.places)]
    precise = library_factor(kind, draw_probability)

    def factor(cavities: Sequence[Gaussian]) -> list[Gaussian]:
        left = iter(cavities)
        teams = [_Team(team, [next(left) for _ in team]) for team in weights]
        neighbours = zip(pairwise(teams), margins, ties, strict=True)
        try:
            _settle([_Comparison(upper, lower, margin, tie) for (upper, lower), margin, tie in neighbours])
        except FloatingPointError:
            return precise(cavities)
        return [message for team in teams for message in team.messages()]

    return factor


class _Team:
    """A team's performance: what its members lead to expect, and what the comparisons on both sides say about it."""

    __slots__ = ("_members", "above", "below", "mean", "variance")

    def __init__(self, weights: Sequence[float], cavities: Sequence[Gaussian]) -> None:
        self._members = [
            (w, w * tau / pi, w * w * (1 / pi + _NOISE)) for w, (pi, tau) in zip(weights, cavities, strict=True)
        ]
        self.mean = sum(mean for _, mean, _ in self._members)
        self.variance = sum(variance for _, _, variance in self._members)
        self.above = self.below = FLAT

    def messages(self) -> list[Gaussian]:
        """What the comparisons say about each member's skill."""
        said = (self.above[0] + self.below[0], self.above[1] + self.below[1])
        return [self._message(said, *member) for member in self._members]

    def _message(self, said: Gaussian, weight: float, mean: float, variance: float) -> Gaussian:
        """Take off the other members, scale to this one, and blur by the noise of its performance."""
        pi, tau = said
        blur = weight * weight / (1 + pi * (self.variance - variance + weight * weight * _NOISE))
        return (pi * blur, (tau - pi * (self.mean - mean)) * blur / weight)


def _expected(team: _Team, message: Gaussian) -> tuple[float, float]:
    """Mean and variance of a performance, from the team's members and one comparison."""
    pi, tau = message
    scale = 1 / (1 + pi * team.variance)
    return (team.mean + tau * team.variance) * scale, team.variance * scale


class _Comparison:
    """Two neighbours by place, and what is known about their difference so far."""

    __slots__ = ("_lower", "_margin", "_said", "_truncated", "_upper")

    def __init__(self, upper: _Team, lower: _Team, margin: float, tie: bool) -> None:
        self._upper, self._lower = upper, lower
        self._margin = margin
        self._truncated = _within if tie else _above
        self._said = FLAT

    def look(self) -> float:
        """Tell both teams what their difference says about them. Returns how much that message has changed."""
        mean_upper, variance_upper = _expected(self._upper, self._upper.above)
        mean_lower, variance_lower = _expected(self._lower, self._lower.below)
        mean, variance = mean_upper - mean_lower, variance_upper + variance_lower
        root = math.sqrt(variance)
        v, w = self._truncated(mean / root, self._margin / root)
        pi, tau = w / (variance * (1 - w)), (mean * w / variance + v / root) / (1 - w)
        for_upper, for_lower = 1 + pi * variance_lower, 1 + pi * variance_upper
        self._upper.below = (pi / for_upper, (pi * mean_lower + tau) / for_upper)
        self._lower.above = (pi / for_lower, (pi * mean_upper - tau) / for_lower)
        change = max(abs(tau - self._said[1]), math.sqrt(abs(pi - self._said[0])))
        self._said = (pi, tau)
        return change


def _settle(comparisons: Sequence[_Comparison]) -> None:
    """Look at every comparison until none changes. A single one needs one look; several go from the top down and up."""
    last = len(comparisons) - 1
    if last == 0:
        comparisons[0].look()
        return
    round_trip = [*comparisons[:last], *reversed(comparisons[1:])]
    for _ in range(_ROUNDS):
        if max([comparison.look() for comparison in round_trip]) <= STILL:
            break
    comparisons[0].look()


def _above(x: float, margin: float) -> tuple[float, float]:
    """How far a standard normal around x moves (v) and how much variance it loses (w), known to be above the margin."""
    at = x - margin
    v = pdf(at) / cdf(at)
    return v, v * (v + at)


def _within(x: float, margin: float) -> tuple[float, float]:
    """The same for a standard normal that is known to be within the margin on either side of 0."""
    high, low = margin - abs(x), -margin - abs(x)
    mass = cdf(high) - cdf(low)
    v = (pdf(low) - pdf(high)) / mass
    return math.copysign(v, -x) if x else 0.0, v * v + (high * pdf(high) - low * pdf(low)) / mass
