"""The bots of a league in the order of their ratings, with intervals, ranks, and those that may be the best.

This imports numpy and scipy, for which most commands need not wait. So it is imported when something is rated. Only
bots with an interval are compared or ranked, each with those of its group: the bots that it met directly or through
others.

**Which bots may be the best**, by intervals that all hold at once. A bot cannot be the best if another one is better.
But who compares a bot with many others will find one that seems better by luck alone. So the intervals of the
differences are widened by a common factor, until all intervals that can exclude a bot hold together in 95 % of the
resamples. A bot that another one is ahead of by more than such an interval is excluded. Then the best bots are all
among the others in 95 % of leagues, however many bots are equally good.

The factor is that of the bots that may still be the best. So it is found again when bots are excluded, until no more
are: intervals that exclude a bot which is far behind need not hold together with the others. The factor is at least 1.
So no bot is excluded unless it is separated from another one. The factor is one for all groups. So groups that nothing
but names tells apart have the same answer.

Sources: J. Hsu, "Constrained Simultaneous Confidence Intervals for Multiple Comparisons with the Best", 1984; in steps:
J. Romano, M. Wolf, "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing", 2005.

**The ranks that a bot could have**, had the league been another one of the same kind. Every resample ranks the bots.
Before that, the ratings of each bot are moved so that the middle 95 % of them are its interval. So ranks are as sure as
intervals, and no surer.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.core import seeds
from tournaments.league.format_settings import SwissSettings
from tournaments.league.model import League
from tournaments.rating import TAIL, Interval
from tournaments.rating.contest import Contest, Team
from tournaments.rating.field_estimate import estimated_field
from tournaments.rating.intervals import Bootstrap, bootstrap
from tournaments.rating.numerics import Floats
from tournaments.rating.ratings import beats, expected_score


def may_be_best(resampled: Bootstrap) -> frozenset[str]:
    """The players that may be the best of their groups; none without an interval."""
    groups = ([player for player in group if resampled.has_interval(player)] for group in resampled.groups)
    behind = {player: each for group in groups for player, each in _all_behind(resampled, group)}
    left = list(behind)
    while True:
        largest = np.max([behind[player].drawn for player in left], axis=0, initial=0.0)
        factor = max(1.0, float(np.quantile(largest, 1 - 2 * TAIL, method="weibull")))
        still = [player for player in left if behind[player].estimate <= factor]
        if len(still) == len(left):
            return frozenset(left)
        left = still


class _Deficit(NamedTuple):
    """How far a player is behind others, in units of the distance to the lower end of the interval of that lead.

    Attributes:
        estimate: the largest of these, over the others; at least 0.
        drawn: by resample, how far the leads lie below their medians; the largest, over the others, and at least 0.
    """

    estimate: float
    drawn: Floats


def _all_behind(resampled: Bootstrap, players: Sequence[str]) -> Iterator[tuple[str, _Deficit]]:
    """Each of some players that met, with how far it is behind the others."""
    mus = np.array([resampled.mus[player] for player in players])
    found = np.array([resampled.ratings[player].mu for player in players])
    for at, player in enumerate(players):
        lead, drawn = np.delete(found, at) - found[at], np.delete(mus, at, axis=0) - mus[at]
        leads = (resampled.difference(other, player) for other in players if other != player)
        low = np.array([ends[0] for ends in leads if ends])
        least, middle = np.quantile(drawn, [TAIL, 0.5], axis=1, method="weibull")
        below = (middle[:, None] - drawn) / (middle - least)[:, None]
        behind = float((lead / (lead - low)).max(initial=0.0))
        yield player, _Deficit(behind, below.max(axis=0, initial=0.0))


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


class Ranking(msgspec.Struct, frozen=True):
    """A league, rated.

    Attributes:
        resampled: the ratings, and how far they can be trusted.
        groups: the bots in groups that never met, the largest group first. In each, the bots with an interval come
            first, by rating; then the others, which are provisional, by rating.
        rated: the matches that it was rated by.
    """

    resampled: Bootstrap
    groups: tuple[tuple[str, ...], ...]
    rated: Sequence[Contest]

    def beats(self, a: str, b: str) -> float:
        """The probability, by the ratings, that bot `a` beats bot `b` in a match of two, if draws are left out."""
        return beats(self.resampled.ratings[a], self.resampled.ratings[b])

    def expected(self, team: Team, other: Team, draw_probability: float) -> float:
        """How often one team comes before another, by the ratings of their members; a tie counts half."""
        return expected_score(team, other, self.resampled.ratings, draw_probability)

    def ranks(self) -> dict[str, RankInterval]:
        """How sure the rank of each bot is that has an interval."""
        return ranks(self.resampled)

    def may_be_best(self) -> frozenset[str]:
        """The bots with an interval that may be the best of their groups."""
        return may_be_best(self.resampled)

    @property
    def order(self) -> tuple[str, ...]:
        """All bots, group after group."""
        return tuple(name for group in self.groups for name in group)


def ranking(league: League, seed: bytes, rated: Sequence[Contest]) -> Ranking:
    """Rate the bots of a league.

    `rated` are the matches that count. The bootstrap draws from the league's seed, 32 bytes.
    """
    names = [entry.name for entry in league.entries]
    # In a Swiss the lucky meet the lucky: with the usual field, equal bots would be rated too far apart.
    field_of = estimated_field if isinstance(league.format, SwissSettings) else None
    drawn = seeds.child(seed, "bootstrap")
    resampled = bootstrap(rated, names, league.draw_probability, drawn, field_of=field_of)

    def place(name: str) -> tuple[bool, float, str]:
        return not resampled.has_interval(name), -resampled.ratings[name].mu, name

    groups = (sorted(group, key=place) for group in resampled.groups)
    return Ranking(resampled, tuple(sorted(map(tuple, groups), key=len, reverse=True)), rated)
