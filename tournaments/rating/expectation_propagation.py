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

The comparisons of a league are arrays here: which player sits where, with what weight. A place of a player in a
comparison is a slot. Arrays over comparisons or slots may have further axes behind the first, such as one for many
leagues with the same comparisons but other counts.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_ndtr, ndtr

from tournaments.rating.contest import TeamComparison
from tournaments.rating.numerics import Floats, above, within
from tournaments.rating.scale import BETA, MU, SIGMA, draw_margin


class FactorGraph:
    """Comparisons, and the slots of their members one after another.

    Attributes:
        players: how many players and pseudo-players there are.
        kinds: how many comparisons.
        player: by slot, the number of its player.
        kind: by slot, the number of its comparison.
        learned_square: slots x 1: the square of its weight; 0 if it does not learn.
        weight: kinds x 1: how much one such comparison counts.
        noise: kinds x 1: the variance of the difference of two performances if the skills were known.
        spread: kinds x slots: multiplied by the variances of skills it gives the variance of their difference.
        matrix: kinds x players: multiplied by skills it gives the differences of the teams' skills.
        lessons: players x slots: multiplied by the pushes at all slots it gives the force on each player.
        learning: players x slots: it adds what slots say to the players who learn from them.
        curvature: players² x kinds: multiplied by a diagonal it gives, row after row, how the force
            on each player (row) falls as each mean (column) rises.
    """

    def __init__(
        self,
        kinds: Sequence[TeamComparison],
        index: Mapping[str, int],
        draw_probability: float,
        dispersion: float = 1.0,
    ) -> None:
        """Number the members of `kinds` by `index`.

        `draw_probability` gives the margins of draws. A comparison counts its weight over the `dispersion`.
        """
        slots = [
            (number, index[member.player], sign * member.weight, member.updated)
            for number, kind in enumerate(kinds)
            for sign, team in ((1, kind.upper), (-1, kind.lower))
            for member in team
        ]
        self.players, self.kinds = len(index), len(kinds)
        self.kind, self.player = (np.array([slot[at] for slot in slots], dtype=np.intp) for at in (0, 1))
        sign = np.array([slot[2] for slot in slots], dtype=np.float64)
        learns = np.array([slot[3] for slot in slots], dtype=np.float64)
        sizes = np.array([len(kind.members) for kind in kinds], dtype=np.intp)
        self.weight = np.array([kind.weight / dispersion for kind in kinds], dtype=np.float64)[:, None]
        drawn = np.array([kind.drawn for kind in kinds], dtype=bool)
        margins = {size: draw_margin(draw_probability, size) for size in set(sizes.tolist())}
        self._margin = np.array([margins[size] for size in sizes.tolist()], dtype=np.float64)[:, None]
        self._drawn, self._won = np.flatnonzero(drawn), np.flatnonzero(~drawn)
        self.learned_square = (sign**2 * learns)[:, None]
        every = np.arange(len(slots))
        spread = sparse.csr_array((sign**2, (self.kind, every)), (self.kinds, len(slots)))
        self.spread, self.noise = spread, BETA**2 * spread.sum(axis=1)[:, None]
        self.learning = sparse.csr_array((learns, (self.player, every)), (self.players, len(slots)))
        self.matrix = sparse.csr_array((sign, (self.kind, self.player)), (self.kinds, self.players))
        self.lessons = sparse.csr_array((sign * learns, (self.player, every)), (self.players, len(slots)))
        self.curvature = self._curvature(sizes, sign, learns)

    def truncated(self, x: Floats, deviation: Floats) -> tuple[Floats, Floats]:
        """By comparison, what its result says about the difference of performances: shift and loss.

        Args:
            x: kinds x leagues: the expected difference over its deviation.
            deviation: kinds x leagues, in points.
        """
        shift, loss = np.empty_like(x), np.empty_like(x)
        margin = self._margin / deviation
        shift[self._won], loss[self._won] = above(x[self._won], margin[self._won])
        shift[self._drawn], loss[self._drawn] = within(x[self._drawn], margin[self._drawn])
        return shift, loss

    def log_likelihood(self, x: Floats, deviation: Floats) -> Floats:
        """By comparison, the logarithm of the probability of its result; the arguments are those of `truncated`."""
        margin = self._margin / deviation
        inner, outer = margin - np.abs(x), -margin - np.abs(x)
        found = log_ndtr(x - margin)
        drawn = log_ndtr(inner) + np.log1p(-np.exp(log_ndtr(outer) - log_ndtr(inner)))
        found[self._drawn] = drawn[self._drawn]
        return np.asarray(found)

    def expected_loss(self, x: Floats, deviation: Floats) -> Floats:
        """By comparison, the loss of `truncated` that is to be expected before the result is known.

        Args:
            x: kinds x leagues: the expected difference over its deviation, whoever is better.
            deviation: kinds x leagues, in points.
        """
        margin = self._margin / deviation
        won, lost = ndtr(x - margin), ndtr(-x - margin)
        drawn = np.maximum(1 - won - lost, 0)
        return np.asarray(
            won * above(x, margin)[1] + lost * above(-x, margin)[1] + drawn * within(x, margin)[1],
        )

    def _curvature(self, sizes: NDArray[np.intp], sign: Floats, learns: Floats) -> sparse.csr_array:
        """One entry for every two slots of a comparison, if the first of them learns."""
        reach = sizes[self.kind]  # by slot, the slots of its comparison
        first = np.repeat(np.arange(len(reach)), reach)
        within_kind = np.arange(len(first)) - np.repeat(np.cumsum(reach) - reach, reach)
        second = (np.cumsum(sizes) - sizes)[self.kind[first]] + within_kind
        rows = self.player[first] * self.players + self.player[second]
        values = sign[first] * learns[first] * sign[second]
        return sparse.csr_array((values, (rows, self.kind[first])), (self.players**2, self.kinds))


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

    def step(self, beliefs: PlayerBeliefs) -> PlayerBeliefs:
        """The deviations that follow from the means, then Newton's step for means and x with these deviations."""
        graph, prior = self._graph, self._prior
        cavities, deviation = self._without_own(beliefs.precision)
        x = graph.matrix @ beliefs.mean / deviation if self._x is None else self._x
        shift, loss = graph.truncated(x, deviation)
        information = (loss / deviation**2)[graph.kind] * graph.learned_square
        self._messages = information / (1 - information * cavities)
        precision = prior.precision + graph.learning @ (self._slot_counts * self._messages)
        cavities, deviation = self._without_own(precision)
        information = (loss / deviation**2)[graph.kind] * graph.learned_square
        louder = 1 / (1 - (1 - self._own) * information * cavities)
        retreat = graph.spread @ (self._own * louder * cavities) / deviation**2
        give = 1 - retreat * loss
        gap = (x + retreat * shift - graph.matrix @ beliefs.mean / deviation) / give
        push = louder * (self._counts / deviation * (shift + loss * gap))[graph.kind]
        force = prior.precision * (prior.mean - beliefs.mean) + graph.lessons @ push
        move = self._solved(self._counts * loss / (deviation**2 * give), force)
        self._x = x - gap + graph.matrix @ move / (deviation * give)
        return PlayerBeliefs(beliefs.mean + move, precision)

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
