"""The comparisons of a league as arrays: which player sits where, with what weight.

A place of a player in a comparison is a slot. Arrays over comparisons or slots may have further axes behind the first,
such as one for many leagues with the same comparisons but other counts.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_ndtr, ndtr

from tournaments.rating.contest import TeamComparison
from tournaments.rating.scale import BETA, draw_margin
from tournaments.rating.truncated_normal import Floats, above, within


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
        near, far = margin - np.abs(x), -margin - np.abs(x)
        found = log_ndtr(x - margin)
        drawn = log_ndtr(near) + np.log1p(-np.exp(log_ndtr(far) - log_ndtr(near)))
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
        """One entry for every two slots of a comparison of which the first learns."""
        reach = sizes[self.kind]  # by slot, the slots of its comparison
        first = np.repeat(np.arange(len(reach)), reach)
        within_kind = np.arange(len(first)) - np.repeat(np.cumsum(reach) - reach, reach)
        second = (np.cumsum(sizes) - sizes)[self.kind[first]] + within_kind
        rows = self.player[first] * self.players + self.player[second]
        values = sign[first] * learns[first] * sign[second]
        return sparse.csr_array((values, (rows, self.kind[first])), (self.players**2, self.kinds))
