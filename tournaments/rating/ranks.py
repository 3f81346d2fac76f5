"""The ranks that the bots of a league could have, had it been another league of the same kind.

Every resample ranks the bots. Its ratings are moved away from those of the league by the same factor of Student as the
ends of an interval, so that ranks are as sure as intervals, and no surer. Only bots with an interval are ranked, and
each only among those of its group, the bots that it met directly or by way of others.
"""

import msgspec
import numpy as np

from tournaments.rating.bootstrap import Bootstrap, _widened
from tournaments.rating.truncated import Floats

_TAIL = 0.025


class Rank(msgspec.Struct, frozen=True):
    """How sure the rank of a bot is.

    Attributes:
        first: the probability that it is the first of its group. Bots that share the first place share it evenly.
        interval: the 95 % interval of its rank in its group, from 1.
    """

    first: float
    interval: tuple[int, int]


def ranks(resampled: Bootstrap) -> dict[str, Rank]:
    """The ranks of all players that have an interval. Within a group the probabilities of being first add up to 1."""
    found: dict[str, Rank] = {}
    for group in resampled.groups:
        told = [player for player in group if resampled.told(player)]
        if told:
            found |= zip(told, _ranked(np.stack([_moved(resampled, player) for player in told])), strict=True)
    return found


def _moved(resampled: Bootstrap, player: str) -> Floats:
    """By resample, the mu of a player, moved away from its rating."""
    found = resampled.ratings[player].mu
    factor, _ = _widened(np.ones(1), 0.0, resampled.blocks[player])  # what 1 beside 0 is moved to
    return found + factor * (np.array(resampled.mus[player]) - found)


def _ranked(mus: Floats) -> list[Rank]:
    """The ranks of players.

    Args:
        mus: players x resamples.
    """
    leading = mus == mus.max(axis=0)
    first = (leading / leading.sum(axis=0)).mean(axis=1)
    rising = np.sort(mus, axis=0)
    better = [len(mus) - np.searchsorted(rising[:, at], mus[:, at], "right") for at in range(mus.shape[1])]
    low, high = np.quantile(np.stack(better, axis=1) + 1, [_TAIL, 1 - _TAIL], axis=1, method="inverted_cdf")
    return [
        Rank(share, (int(best), int(worst)))
        for share, best, worst in zip(first.tolist(), low.tolist(), high.tolist(), strict=True)
    ]
