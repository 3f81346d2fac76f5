"""How far the skills of the players of a league spread, and how much its deals say.

That skills spread by 25/3 points before the first match is an assumption. It does no harm if everybody meets everybody.
It does in a Swiss. There the lucky meet the lucky, and the matches that would show their luck are never played. So the
ratings of equal bots differ too much, and about 20 % of their pairs are separated. With a prior that has the spread of
the field there is no such error: how likely the results are, if the skills are given, does not depend on the reason why
bots met. (In a knock-out and an open league intervals hold with the usual prior. With an estimated one those of equal
bots would be too wide.)

So the spread is estimated from the results. For a given spread, the probability of the results is that
for the most likely skills, times the volume of the skills that explain the results about as well (Laplace's
approximation). The matches of a deal share its luck, so they say more or less than as many independent ones. So each
match counts once over the dispersion: the factor by which deals vary more than if matches were independent.

Every spread of a grid gets this probability times a prior density, and the estimate is the median. The density rises
with the square of the spread. An estimate that is too small makes intervals too narrow, which is worse than an
estimate that is too large. With a flat density the differences of bots that are a quarter of a point apart were covered
in 92 % of leagues, with this one in 94 to 95 %.

Sources: B. Efron, C. Morris, "Stein's Estimation Rule and Its Competitors: An Empirical Bayes Approach", 1973; prior
densities that keep the spread away from 0: C. Morris, R. Tang, "Estimating Random Effects via Adjustment for Density
Maximization", 2011; the approximation: L. Tierney, J. Kadane, "Accurate Approximations for Posterior Moments and
Marginal Densities", 1986; the factor: P. McCullagh, J. Nelder, "Generalized Linear Models", 1989, chapter 9.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy import sparse

from tournaments.rating.contest import TeamComparison
from tournaments.rating.expectation_propagation import FactorGraph, newcomers
from tournaments.rating.numerics import Floats, one_thread
from tournaments.rating.ratings import USUAL_FIELD, FieldEstimate, numbered, numbers, totals
from tournaments.rating.scale import MU, SIGMA
from tournaments.rating.tally import Tally

FieldEstimator: TypeAlias = Callable[[Tally, Sequence[str], float], FieldEstimate]
"""Takes results, the names of the players, and how often two equal teams draw."""

_LEAST = 1 / 128
"""The least spread that is considered, as a part of the usual one, which is the largest."""
_STEPS = 29
_POWER = 3
"""The prior density of the logarithm of the spread rises with this power of the spread."""
_LEAST_DISPERSION = 0.25
"""It is not estimated lower: in a few deals, chance can make it seem to be nothing."""
_MOST_MOVES = 50
_TOLERANCE = 1e-9


def estimated_field(results: Tally, players: Sequence[str], draw_probability: float) -> FieldEstimate:
    """What the results show. The spread is at most the usual one. Without results all is usual."""
    if not results.kinds:
        return USUAL_FIELD
    index = numbered(sorted({*players, *results.names()}))
    ordered = results.ordered(index)
    spreads = SIGMA * np.geomspace(_LEAST, 1, _STEPS)
    usual = newcomers(len(index)).precision
    precision = np.repeat(usual, _STEPS, axis=1)
    precision[numbers(players, index)] = spreads**-2
    with one_thread():
        dispersion = _dispersion(FactorGraph(ordered.kinds, index, draw_probability), ordered, usual)
        graph = FactorGraph(ordered.kinds, index, draw_probability, dispersion)
        log = _log_evidence(graph, totals(ordered), precision) + _POWER * np.log(spreads)
    weights = np.exp(log - log.max())
    below = (np.cumsum(weights) - weights / 2) / weights.sum()
    return FieldEstimate(float(np.exp(np.interp(0.5, below, np.log(spreads)))), dispersion)


def _dispersion(graph: FactorGraph, results: Tally, precision: Floats) -> float:
    """The factor by which the scores of blocks vary more than if all comparisons were independent.

    The score of a block is its force on the players, at the most likely skills.
    """
    if len(results.blocks) < 2:
        return 1.0
    means, _ = _most_likely(graph, totals(results), precision)
    forces, loss = _pushed(graph, _played(results), means)
    information = (totals(results) * graph.weight * loss / graph.noise)[graph.kind] * graph.learned_square
    blocks = len(results.blocks)
    return max(_LEAST_DISPERSION, float(forces.power(2).sum() / information.sum()) * blocks / (blocks - 1))


class Influence(NamedTuple):
    """How the blocks of a league move its ratings: one step of Newton's method from the most likely skills.

    Attributes:
        numbers: by player and pseudo-player, its number.
        kinds: the comparisons.
        played: kinds x blocks: how often each comparison occurred in each block, in an order that no name decides.
        skills: players x 1: the most likely ones.
        forces: players x blocks: the force of each block on each skill, at the most likely skills.
        error: players x players: multiplied by forces it says how far they move the ratings. The model expects these
            covariances of the errors of ratings.
        prior: players x players: multiplied by standard normals it gives what the prior leaves uncertain of ratings.
    """

    numbers: Mapping[str, int]
    kinds: tuple[TeamComparison, ...]
    played: sparse.csr_array
    skills: Floats
    forces: sparse.csr_array
    error: Floats
    prior: Floats


def influence(graph: FactorGraph, results: Tally, precision: Floats, index: Mapping[str, int]) -> Influence:
    """How each block moves the ratings.

    Args:
        graph: the comparisons of `results`, of players with the numbers in `index`.
        results: what was played.
        precision: players x 1: 1 / variance of the prior.
        index: by player and pseudo-player, its number.
    """
    means, stiffness = _most_likely(graph, totals(results), precision)
    error, played = np.linalg.inv(stiffness[0]), _played(results)
    forces, _ = _pushed(graph, played, means)
    return Influence(index, results.kinds, played, means, forces, error, error * np.sqrt(precision.T))


def _pushed(graph: FactorGraph, played: sparse.csr_array, means: Floats) -> tuple[sparse.csr_array, Floats]:
    """Players x blocks: the force of each block on each skill, at these skills; and by comparison the loss there."""
    push, loss = pushes(graph, means)
    return sparse.csr_array(graph.lessons.multiply(push[graph.kind].T) @ played[graph.kind]), loss


def pushes(graph: FactorGraph, skills: Floats) -> tuple[Floats, Floats]:
    """By comparison, kinds x 1, at skills, players x 1: its force on a skill of weight 1, and the loss."""
    deviation = np.sqrt(graph.noise)
    shift, loss = graph.truncated(graph.matrix @ skills / deviation, deviation)
    return graph.weight * shift / deviation, loss


def _played(results: Tally) -> sparse.csr_array:
    """Kinds x blocks: how often each comparison occurred in each block."""
    units = ((at, unit) for at, block in enumerate(results.blocks) for unit in block)
    entries = (number for at, unit in units for entry in unit for number in (*entry, at))
    kind, count, block = np.fromiter(entries, dtype=np.intp).reshape(-1, 3).T
    return sparse.csr_array((count, (kind, block)), (len(results.kinds), len(results.blocks)))


def _log_evidence(graph: FactorGraph, counts: Floats, precision: Floats) -> Floats:
    """By prior, the logarithm of the probability of the results, up to a constant.

    The arguments are those of `_most_likely`.
    """
    means, stiffness = _most_likely(graph, counts, precision)
    deviation = np.sqrt(graph.noise)
    likely = graph.log_likelihood(graph.matrix @ means / deviation, deviation)
    explained = (graph.weight * counts * likely).sum(axis=0)
    pull = (precision * (means - MU) ** 2 - np.log(precision)).sum(axis=0)
    return np.asarray(explained - (pull + np.linalg.slogdet(stiffness)[1]) / 2)


def _most_likely(graph: FactorGraph, counts: Floats, precision: Floats) -> tuple[Floats, Floats]:
    """Players x priors: the most likely skills; and priors x players x players: how steep the hill is there.

    Args:
        graph: the comparisons.
        counts: kinds x 1: how often each occurred.
        precision: players x priors: 1 / variance. All means are 25.
    """
    often = graph.weight * counts
    deviation = np.sqrt(graph.noise)
    means = np.full(precision.shape, MU)
    for _ in range(_MOST_MOVES):
        shift, loss = graph.truncated(graph.matrix @ means / deviation, deviation)
        push = (often * shift / deviation)[graph.kind]
        stiffness = _stiffness(graph, often * loss / deviation**2, precision)
        force = precision * (MU - means) + graph.lessons @ push
        move = np.linalg.solve(stiffness, force.T[..., None])[..., 0].T
        means = means + move
        if np.abs(move).max() < _TOLERANCE:
            break
    return means, stiffness


def _stiffness(graph: FactorGraph, information: Floats, precision: Floats) -> Floats:
    """Priors x players x players: how the force on each player (row) falls as each mean (column) rises."""
    players, priors = precision.shape
    matrix = (graph.curvature @ information).T.reshape(priors, players, players)
    every = np.arange(players)
    matrix[:, every, every] += precision.T
    return np.asarray(matrix)
