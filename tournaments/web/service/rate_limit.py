"""How often somebody may ask: a bucket for each, which refills at a steady rate (a token bucket). Pure: time is given.

Behind a bucket is an author or a network. Buckets are few: the least recently used go first, and are full again then.
"""

from collections import OrderedDict

import msgspec


class Rate(msgspec.Struct, frozen=True):
    """How much is allowed.

    Attributes:
        burst: how many at once, and the size of a bucket.
        a_second: how many come back each second.
    """

    burst: int
    a_second: float


USUAL = Rate(burst=120, a_second=2.0)
"""What a service allows an author, or a network of visitors, unless its leagues say something else."""


def rate_of(a_minute: int) -> Rate:
    """So many requests within a minute: half of them at once, and the others as time goes by."""
    return Rate(burst=max(1, a_minute // 2), a_second=a_minute / 120)


class RateLimiter:
    """The buckets of all who have asked."""

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        """Nobody has asked yet. At `most` so many buckets are kept."""
        self._rate = rate
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str, now_s: float) -> float:
        """Take one out of somebody's bucket.

        `now_s` is by a clock that never goes back.

        Returns:
            0 if there was one; else after how many seconds there will be one, and nothing was taken.
        """
        left, since_s = self._left.pop(who, (float(self._rate.burst), now_s))
        left = min(self._rate.burst, left + (now_s - since_s) * self._rate.a_second)
        enough = left >= 1
        self._left[who] = (left - enough, now_s)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return 0.0 if enough else (1 - left) / self._rate.a_second
