"""The information in matches that have not been played: the expected fall of the variances of ratings.

The joint estimate of all players is a Gaussian around their ratings. Its precision is that of the prior plus, for every
comparison that was made, the curvature of its likelihood at the ratings. (The `sigma` of a rating cannot serve here. It
describes one player alone, as if the opponents' errors were new in every match. So it does not show that a second match
against the same opponent has less information than one against another opponent, nor that a match between two groups
that never met has most of all.)

A match that has not been played has the expected information of its result: the expected loss of the truncated normals
that its comparisons would be, each with its weight. The measure is the fall of the sum of the variances of some
players, the bots, around their own mean, since ratings compare bots with each other. Pseudo-players are estimated as
the players are, but no match is played to rate them.

How far teams are apart is not read off their ratings. Of bots that are equal some are rated higher by luck, and if bots
met those with ratings like theirs, the lucky would meet the lucky and the error would stay. So the spread of the bots'
skills is estimated first: by how much more the ratings scatter than they would by their errors alone. With this spread
as the prior, each bot's skill is estimated again. Among equals all bots come out alike.

When comparisons are taken as made, all variances fall as if their results were there. The information of a match
follows from how far its teams are apart, and stays as it is until there are results.

Sources: D. MacKay, "Information-Based Objective Functions for Active Data Selection", 1992; the sum of variances as
the measure: "A-optimality", in A. Atkinson, A. Donev, "Optimum Experimental Designs", 1992; the spread: R. DerSimonian,
N. Laird, "Meta-Analysis in Clinical Trials", 1986.
"""

from collections.abc import Mapping, Sequence, Set

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tournaments.rating import DECIMALS
from tournaments.rating.contest import TeamComparison
from tournaments.rating.expectation_propagation import FactorGraph
from tournaments.rating.numerics import Floats, one_thread
from tournaments.rating.ratings import RatedLeague, numbered, totals
from tournaments.rating.scale import MU, SIGMA
from tournaments.rating.tally import Tally


class InformationGain:
    """The estimate of the players, and the information in each of some comparisons. Taking one updates both."""

    def __init__(
        self,
        rated: RatedLeague,
        comparisons: Sequence[TeamComparison],
        matches: Sequence[float],
        bots: Set[str],
        draw_probability: float,
    ) -> None:
        """Begin with the estimate from the results.

        Args:
            rated: the league at rest.
            comparisons: those that could be made. The winner does not matter.
            matches: by comparison, how often it would be made.
            bots: the players whose variances count; at least one, all of them rated.
            draw_probability: how often two equal teams draw.
        """
        unrated = {member.player for comparison in comparisons for member in comparison.members}
        index = numbered(sorted({*rated.ratings, *unrated}))
        means = np.full((len(index), 1), MU)
        for player, rating in rated.ratings.items():
            means[index[player]] = round(rating.mu, DECIMALS)
        graph = FactorGraph(comparisons, index, draw_probability)
        self._matrix: sparse.csr_array = graph.matrix
        self._bots = np.array(sorted(index[bot] for bot in bots), dtype=np.intp)
        with one_thread():
            self._covariance = _covariance(rated.results, index, means, draw_probability)
            reach = self._matrix @ self._covariance  # comparisons x players
            self._variance = np.asarray(self._matrix.multiply(reach).sum(axis=1))
            self._fall = (self._centred(reach.T) ** 2).sum(axis=0)
        around = np.eye(len(self._bots)) - 1 / len(self._bots)  # takes their mean off
        errors = np.diagonal(around @ self._covariance[np.ix_(self._bots, self._bots)] @ around)
        means[self._bots, 0] = estimated(means[self._bots, 0], errors)
        deviation = np.sqrt(self._variance[:, None] + graph.noise)
        lost = (graph.expected_loss(graph.matrix @ means / deviation, deviation) / deviation**2)[:, 0]
        # The factor by which one result is expected to lower the variance of a difference.
        self._information = np.array(matches) * graph.weight[:, 0] * lost / (1 - lost * self._variance)

    @property
    def gains(self) -> Floats:
        """By comparison: how far the sum of the variances is expected to fall if it is made, in points²."""
        return np.asarray(self._fall * self._rate())

    def take(self, comparison: int) -> None:
        """Let the variances fall as if this comparison had been made as often as it could be."""
        rate = self._rate()[comparison]
        reach = self._reach(comparison)
        felt = self._centred(reach)
        covariances = self._matrix @ reach
        # The products with the covariance are all taken before it falls.
        self._fall += (rate * covariances) ** 2 * (felt @ felt)
        self._fall -= 2 * rate * covariances * (self._matrix @ (self._covariance[:, self._bots] @ felt))
        self._variance -= rate * covariances**2
        self._covariance -= rate * np.outer(reach, reach)

    def _rate(self) -> Floats:
        """By comparison: what the squares of the covariances with its difference are multiplied by to get the fall."""
        return np.asarray(self._information / (1 + self._information * self._variance))

    def _reach(self, comparison: int) -> Floats:
        """By player: the covariance with the difference of the two teams."""
        slots = slice(*self._matrix.indptr[comparison : comparison + 2])
        return np.asarray(self._covariance[:, self._matrix.indices[slots]] @ self._matrix.data[slots])

    def _centred(self, values: Floats) -> Floats:
        """Players first: the rows of the bots, without their mean."""
        return np.asarray(values[self._bots] - values[self._bots].mean(axis=0))


def estimated(ratings: Floats, variances: Floats) -> Floats:
    """Skills, with the spread that the ratings show as their prior, instead of the prior of the ratings.

    Args:
        ratings: by bot, in points.
        variances: of their errors around their mean, in points², below that of the prior of the ratings.
    """
    if len(ratings) == 1:
        return ratings  # it is its own mean, without error
    precisions = 1 / variances - SIGMA**-2  # the precision of the results alone
    weighted_means = (ratings - MU) / variances  # what they say, times this precision
    middle = weighted_means.sum() / precisions.sum()
    scatter = ((weighted_means - precisions * middle) ** 2 / precisions).sum() - (len(ratings) - 1)
    spread = max(0.0, scatter / (precisions.sum() - (precisions**2).sum() / precisions.sum()))  # squared
    return np.asarray(MU + (middle + spread * weighted_means) / (1 + spread * precisions))


def _covariance(results: Tally, index: Mapping[str, int], means: Floats, draw_probability: float) -> Floats:
    """Players x players: the covariances of the estimate, in points².

    A player who does not learn from a comparison counts as known in it.
    """
    precision = np.diag(np.full(len(index), SIGMA**-2))
    if results.kinds:
        graph = FactorGraph(results.kinds, index, draw_probability)
        deviation = np.sqrt(graph.noise)
        _, loss = graph.truncated(graph.matrix @ means / deviation, deviation)
        stiffness = totals(results) * graph.weight * loss / graph.noise
        lessons = (graph.lessons @ _of_slots(graph.kind, graph.kinds)).toarray()  # players x kinds
        precision += (lessons * stiffness[:, 0]) @ lessons.T
    return np.asarray(np.linalg.inv(precision))


def _of_slots(kind: NDArray[np.intp], kinds: int) -> sparse.csr_array:
    """Slots x kinds: 1 where a slot belongs to a kind."""
    return sparse.csr_array((np.ones(len(kind)), (np.arange(len(kind)), kind)), (len(kind), kinds))
