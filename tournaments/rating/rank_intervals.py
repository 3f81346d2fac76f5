"""The ranks that the bots of a league could have, had it been another league of the same kind.

Every resample ranks the bots. Before that, the ratings of each bot are moved so that the middle 95 % of them are its
interval. So ranks are as sure as intervals, and no surer. Only bots with an interval are ranked, each among those of
its group: the bots that it met directly or by way of others.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from tournaments.rating.interval_type import TAIL, Interval
from tournaments.rating.intervals import Bootstrap
from tournaments.rating.truncated_normal import Floats

_ENDS = (TAIL, 1 - TAIL)


class RankInterval(msgspec.Struct, frozen=True):
    """How sure the rank of a bot is.

    Attributes:
        first: the probability that it is the first of its group. Bots that share the first place share it evenly.
        interval: the 95 % interval of its rank in its group, from 1.
    """

    first: float
    interval: tuple[int, int]


class _DrawnRanks(NamedTuple):
    """How often a player was the first in the resamples, and by resample its rank."""

    first: float
    ranks: NDArray[np.intp]


def ranks(resampled: Bootstrap) -> dict[str, RankInterval]:
    """The ranks of all players that have an interval. Within a group the probabilities of being first add up to 1."""
    drawn: dict[str, _DrawnRanks] = {}
    for group in resampled.groups:
        moved = {
            player: _moved(np.array(resampled.mus[player]), interval)
            for player in group
            if (interval := resampled.interval(player)) is not None
        }
        if moved:
            drawn |= zip(moved, _ranked(np.stack(list(moved.values()))), strict=True)
    return {player: _summed_up([drawn[other] for other in resampled.like(player)]) for player in drawn}


def _moved(mus: Floats, interval: Interval) -> Floats:
    """By resample, the mu of a player, moved so that the middle 95 % of them fill the interval."""
    low, high = np.quantile(mus, _ENDS)
    wider = (interval[1] - interval[0]) / (high - low) if high > low else 1.0
    return np.asarray(interval[0] + wider * (mus - low))


def _ranked(mus: Floats) -> list[_DrawnRanks]:
    """The ranks of players.

    Args:
        mus: players x resamples.
    """
    leading = mus == mus.max(axis=0)
    first = (leading / leading.sum(axis=0)).mean(axis=1)
    rising = np.sort(mus, axis=0)
    better = [len(mus) - np.searchsorted(rising[:, at], mus[:, at], "right") for at in range(mus.shape[1])]
    return list(map(_DrawnRanks, first.tolist(), np.stack(better, axis=1) + 1))


def _summed_up(alike: Sequence[_DrawnRanks]) -> RankInterval:
    """What the draws of players that are alike say about each of them."""
    best, worst = np.quantile(np.concatenate([each.ranks for each in alike]), _ENDS, method="inverted_cdf").tolist()
    return RankInterval(fmean(each.first for each in alike), (int(best), int(worst)))
