"""What the deals of a comparison say together: means with an interval, and their digest.

After a number of deals that was fixed before, Student's interval holds, which is narrower than a confidence sequence.
It needs that the mean is nearly normal. Where one deal in a hundred decides, it is not: the interval would hold the
truth in 65 of 100 cases (simulated). So there is none if few deals differ from the rest.
"""

import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from scipy.special import stdtrit

from tournaments.comparison.stopping_rule import DealLead
from tournaments.results.standings import league_digest

FEWEST, FEWEST_DIFFERENT = 20, 10
"""How many values an interval needs, and how many of them must not be the commonest one."""


def interval_of_mean(values: Sequence[float], error: float) -> tuple[float, float] | None:
    """An interval that misses the mean with a chance of `error`; None if the values do not allow one."""
    count = len(values)
    if count < FEWEST or count - max(Counter(values).values()) < FEWEST_DIFFERENT:
        return None
    mean = fmean(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = float(stdtrit(count - 1, 1 - error / 2)) * math.sqrt(variance / count)
    return mean - half, mean + half


def mean_shares(deals: Sequence[DealLead]) -> dict[str, float] | None:
    """The mean shares of the points of the `new` bot and of the `old` one, from 0 to 1; None before the first deal."""
    if not deals:
        return None
    new = fmean(deal.share for deal in deals)
    return {"new": new, "old": new - fmean(deal.lead for deal in deals)}


def margins(deals: Sequence[DealLead]) -> list[float]:
    """On each deal whose matches all have scores, the mean score of the new bot minus that of the old one."""
    return [deal.margin for deal in deals if deal.margin is not None]


def digest_of_deals(deals: Sequence[DealLead]) -> str:
    """The digest of all matches of some deals, in the order of the deals."""
    return league_digest((f"deal-{deal.number}", deal.digest) for deal in deals)
