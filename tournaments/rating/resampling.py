"""Other leagues of the same kind, made from one: blocks drawn with replacement, a few units turned round, new priors.

In a unit that is turned round the players have changed places, and the sides fare as they did.

All is drawn from the words of a seed. Blocks, units and players get their words by their places in an order that
follows from the results alone, so no name can show.
"""

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtri

from tournaments.rating.contest import TeamComparison
from tournaments.rating.scale import MU
from tournaments.rating.tally import Tally
from tournaments.rating.truncated_normal import Floats


class RandomWords:
    """Random numbers. Every version of numpy makes the same words of a key."""

    def __init__(self, seed: bytes) -> None:
        """`seed` has 32 bytes."""
        self._words = np.random.Philox(key=int.from_bytes(blake2b(seed, digest_size=16).digest(), "little"))

    def uniforms(self, rows: int, columns: int) -> Floats:
        """The next numbers between 0 and 1, both excluded."""
        words = self._words.random_raw(rows * columns).reshape(rows, columns)
        return np.asarray(((words >> np.uint64(11)) + 0.5) * 2.0**-53)


class ResampledLeagues(NamedTuple):
    """Some drawn leagues.

    Attributes:
        times: units x leagues: how often the block of the unit was drawn.
        turned: units x leagues: how many of these times the unit was turned round.
    """

    times: Floats
    turned: Floats


def _chances(results: Tally) -> list[float]:
    """By unit, block after block: how likely it is turned round when it is drawn."""
    learners = results.learners()
    often = Counter(unit for block in results.blocks for unit in block)
    teams = {unit: frozenset().union(*(learners[kind] for kind, _ in unit)) for unit in often}
    played: Counter[str] = Counter()
    for unit, times in often.items():
        played.update(dict.fromkeys(teams[unit], times))
    chances = {unit: 0.5 / (1 + min(played[name] for name in teams[unit])) for unit in often}
    return [chances[unit] for block in results.blocks for unit in block]


class BlockPool:
    """The blocks of a league, from which other leagues are drawn.

    Attributes:
        kinds: the comparisons that can occur: those of the league, and the same with the players exchanged.
        units: how many units all blocks have.
    """

    def __init__(self, results: Tally) -> None:
        """Fill the urn with the blocks of a league, in an order that does not depend on names."""
        turned = [kind.exchanged() for kind in results.kinds]
        self.kinds: tuple[TeamComparison, ...] = tuple(dict.fromkeys((*results.kinds, *turned)))
        chances = _chances(results)
        self.units = len(chances)
        self._blocks = len(results.blocks)
        sizes = np.array([len(block) for block in results.blocks], dtype=np.intp)
        self._block = np.repeat(np.arange(self._blocks), sizes)
        self._hazard = -np.log1p(-np.array(chances))
        units = (unit for block in results.blocks for unit in block)
        entries = (number for at, unit in enumerate(units) for entry in unit for number in (at, *entry))
        unit, kind, count = np.fromiter(entries, dtype=np.intp).reshape(-1, 3).T
        number = {kind: at for at, kind in enumerate(self.kinds)}
        opposite = np.array([number[kind] for kind in turned], dtype=np.intp)
        shape = (len(self.kinds), len(chances))
        self._as_played = sparse.csr_array((count, (kind, unit)), shape)
        self._turned = sparse.csr_array((count, (opposite[kind], unit)), shape)

    def draw(self, luck: RandomWords, leagues: int) -> ResampledLeagues:
        """Leagues of as many blocks as the league has, each any of them."""
        if not self._blocks:
            return ResampledLeagues(np.zeros((0, leagues)), np.zeros((0, leagues)))
        hits = (luck.uniforms(leagues, self._blocks) * self._blocks).astype(np.intp)
        hits += np.arange(0, leagues * self._blocks, self._blocks)[:, None]
        drawn = np.bincount(hits.ravel(), minlength=hits.size).reshape(hits.shape)
        times = drawn[:, self._block].astype(np.float64)
        turned = np.minimum(times, _points(luck, self._hazard * times))
        return ResampledLeagues(times.T, turned.T)

    def counts(self, draw: ResampledLeagues) -> Floats:
        """Kinds x leagues: how often each comparison occurs in each drawn league."""
        return np.asarray(self._as_played @ (draw.times - draw.turned) + self._turned @ draw.turned)


def _points(luck: RandomWords, hazards: Floats) -> Floats:
    """How many points of a Poisson process fall on each of some stretches of these lengths, laid end to end.

    Hardly any do, so this is much quicker than a draw for each stretch. A stretch of length -log(1 - p) is empty with
    the probability 1 - p.
    """
    ends = np.cumsum(hazards)
    enough = int(ends[-1] + 10 * np.sqrt(ends[-1])) + 40
    points = np.cumsum(-np.log(luck.uniforms(1, enough)))
    found = np.bincount(np.searchsorted(ends, points[points < ends[-1]], "right"), minlength=len(ends))
    return found.reshape(hazards.shape).astype(np.float64)


def drawn_priors(
    luck: RandomWords, groups: Sequence[NDArray[np.intp]], players: int, leagues: int, spread: float
) -> Floats:
    """Players x leagues: the means of priors, drawn from the prior, with the mean 25 in every group.

    `spread` is the deviation of the prior. The prior of a pseudo-player stays as it is.
    """
    drawn = ndtri(luck.uniforms(players, leagues)) * spread
    means = np.full((players, leagues), MU)
    for group in groups:
        means[group] += drawn[group] - drawn[group].mean(axis=0)
    return means
