"""Expectation propagation over a whole league, until nothing changes.

Every comparison sends each of its members a message, a Gaussian. The estimate of a player is the prior times all its
messages. A message is made of the estimates of the members without it (the cavities). At rest all equal comparisons
send the same message, so n of them are one factor here, whose message counts n times.

The state of rest is found by Newton's method. Given the deviations of the skills, the means solve these equations:
the pushes that a player gets from its comparisons and the pull of its prior add up to nothing. The push of a
comparison is v(x) / c. Here c is the deviation of the difference of the performances, and x is the expected
difference as the cavities have it, over c. The cavities lack the message itself, so x differs from D / c, where D is
the difference of the full estimates: it solves x = D / c - k v(x), where k is the share in c² of the skills that are
updated. A step moves all means and all x at once. Then it takes the deviations that follow from the new messages. Ten
steps are usual, however long the league is, and however far its bots are apart.

In a match of more than two teams a comparison counts less than once. Then the cavities lack its message only as often
as it counts, and so its push on each member is a little larger than v(x) / c.

No cavity is improper: the likelihood of a result is log-concave, so no message has a negative precision.

Source: T. Minka, "Expectation Propagation for Approximate Bayesian Inference", UAI 2001.
"""

from typing import NamedTuple

import numpy as np

from tournaments.rating.factor_graph import FactorGraph
from tournaments.rating.scale import MU, SIGMA
from tournaments.rating.truncated_normal import Floats

TOLERANCE = 1e-8
"""Ratings have settled when no mu moves by more points, and no sigma by a larger share of itself."""

_MOST_STEPS = 100
"""A league needs 5 to 50. What has not settled by then is a gap that no match measures: of two bots that never lost to
others only one ever learns from the matches against them. The gap is left as wide as it is."""


class PlayerBeliefs(NamedTuple):
    """The estimated skills of the players of some leagues.

    Attributes:
        mean: players x leagues, in points.
        precision: players x leagues, 1 / variance.
    """

    mean: Floats
    precision: Floats


def newcomers(players: int) -> PlayerBeliefs:
    """The prior: the skills of players who have not played, in one league."""
    return PlayerBeliefs(np.full((players, 1), MU), np.full((players, 1), SIGMA**-2))


def solve(graph: FactorGraph, counts: Floats, prior: PlayerBeliefs, start: PlayerBeliefs) -> PlayerBeliefs:
    """The estimated skills after all results.

    Args:
        graph: the comparisons.
        counts: kinds x leagues: how often each occurred.
        prior: the estimate before; of one league, or of each.
        start: where to begin to look; of one league, or of each.
    """
    leagues = counts.shape[1]
    known = PlayerBeliefs(*(np.broadcast_to(part, (graph.players, leagues)) for part in start))
    search = _Search(graph, counts, prior)
    for _ in range(_MOST_STEPS):
        last, known = known, search.step(known)
        moved = np.abs(known.mean - last.mean).max(initial=0)
        sharper = np.abs(known.precision / last.precision - 1).max(initial=0) / 2
        if max(moved, sharper) < TOLERANCE:
            break
    return known


class _Search:
    """The search for the state of rest.

    It remembers the precision of every message (slots x leagues), and x (kinds x leagues).
    """

    def __init__(self, graph: FactorGraph, counts: Floats, prior: PlayerBeliefs) -> None:
        self._graph = graph
        self._counts = graph.weight * counts
        self._slot_counts = self._counts[graph.kind]
        # How often a cavity lacks its message: never without the comparison, nor if the member does not learn from it.
        self._own = np.where(self._slot_counts * graph.learned_square, graph.weight[graph.kind], 0)
        self._prior = prior
        self._messages = np.zeros_like(self._own)
        self._x: Floats | None = None

    def step(self, known: PlayerBeliefs) -> PlayerBeliefs:
        """The deviations that follow from the means, then Newton's step for means and x with these deviations."""
        graph, prior = self._graph, self._prior
        cavities, deviation = self._without_own(known.precision)
        x = graph.matrix @ known.mean / deviation if self._x is None else self._x
        shift, loss = graph.truncated(x, deviation)
        said = (loss / deviation**2)[graph.kind] * graph.learned_square
        self._messages = said / (1 - said * cavities)
        precision = prior.precision + graph.learning @ (self._slot_counts * self._messages)
        cavities, deviation = self._without_own(precision)
        said = (loss / deviation**2)[graph.kind] * graph.learned_square
        louder = 1 / (1 - (1 - self._own) * said * cavities)
        retreat = graph.spread @ (self._own * louder * cavities) / deviation**2
        give = 1 - retreat * loss
        gap = (x + retreat * shift - graph.matrix @ known.mean / deviation) / give
        push = louder * (self._counts / deviation * (shift + loss * gap))[graph.kind]
        force = prior.precision * (prior.mean - known.mean) + graph.lessons @ push
        move = self._solved(self._counts * loss / (deviation**2 * give), force)
        self._x = x - gap + graph.matrix @ move / (deviation * give)
        return PlayerBeliefs(known.mean + move, precision)

    def _without_own(self, precision: Floats) -> tuple[Floats, Floats]:
        """By slot, the variance of the skill in the cavity; by comparison, the deviation of the performances."""
        graph = self._graph
        cavities = 1 / (precision[graph.player] - self._own * self._messages)
        return cavities, np.sqrt(graph.spread @ cavities + graph.noise)

    def _solved(self, stiffness: Floats, force: Floats) -> Floats:
        """The moves of all means that take the force from each league."""
        players, leagues = force.shape
        matrix = (self._graph.curvature @ stiffness).T.reshape(leagues, players, players)
        every = np.arange(players)
        matrix[:, every, every] += np.broadcast_to(self._prior.precision, force.shape).T
        return np.asarray(np.linalg.solve(matrix, force.T[..., None])[..., 0].T)
