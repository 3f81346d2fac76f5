"""Which bots may be the best of a league, by intervals that all hold at once.

A bot cannot be the best if another one is better. But who compares a bot with many others will find one that seems
better by luck alone. So the intervals of the differences are widened by a common factor, until all intervals that can
exclude a bot hold together in 95 % of the resamples. A bot that another one is ahead of by more than such an interval
is excluded. Then the best bots are all among the others in 95 % of leagues, however many bots are equally good.

The factor is that of the bots that may still be the best. So it is found again when bots are excluded, until no more
are: intervals that exclude a bot which is far behind need not hold together with the others. The factor is at least 1.
So no bot is excluded unless it is separated from another one.

Only bots with an interval are compared, each with those of its group: the bots that it met directly or through others.
The factor is one for all groups. So groups that nothing but names tells apart have the same answer.

Sources: J. Hsu, "Constrained Simultaneous Confidence Intervals for Multiple Comparisons with the Best", 1984; in steps:
J. Romano, M. Wolf, "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing", 2005.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tournaments.rating.interval_type import TAIL
from tournaments.rating.intervals import Bootstrap
from tournaments.rating.truncated_normal import Floats


def may_be_best(resampled: Bootstrap) -> frozenset[str]:
    """The players that may be the best of their groups; none without an interval."""
    groups = ([player for player in group if resampled.told(player)] for group in resampled.groups)
    behind = {player: each for group in groups for player, each in _all_behind(resampled, group)}
    left = list(behind)
    while True:
        largest = np.max([behind[player].drawn for player in left], axis=0, initial=0.0)
        factor = max(1.0, float(np.quantile(largest, 1 - 2 * TAIL, method="weibull")))
        still = [player for player in left if behind[player].found <= factor]
        if len(still) == len(left):
            return frozenset(left)
        left = still


class _Behind(NamedTuple):
    """How far a player is behind others, in units of the distance to the lower end of the interval of that lead.

    Attributes:
        found: the largest of these, over the others; at least 0.
        drawn: by resample, how far the leads lie below their medians; the largest, over the others, and at least 0.
    """

    found: float
    drawn: Floats


def _all_behind(resampled: Bootstrap, players: Sequence[str]) -> Iterator[tuple[str, _Behind]]:
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
        yield player, _Behind(behind, below.max(axis=0, initial=0.0))
