"""Limits the rate of requests with token buckets, which refill at a steady rate. Pure: the caller passes the time.

Each author and each network has a bucket. Their number is limited: the least recently used, which
are full again by then, are dropped first.
"""

from collections import OrderedDict

import msgspec


class Rate(msgspec.Struct, frozen=True):
    """An allowed rate of requests.

    Attributes:
        burst: how many at once, and the size of a bucket.
        a_second: how many are refilled each second.
    """

    burst: int
    a_second: float


def rate_of(a_minute: int) -> Rate:
    """The rate for so many requests within a minute: half of them at once, and the others over time."""
    return Rate(burst=max(1, a_minute // 2), a_second=a_minute / 120)


class RateLimiter:
    """The buckets of all requesters."""

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        """Begin without buckets, and keep at most `most`."""
        self._rate = rate
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, bucket: str, now_s: float) -> float:
        """Take one token out of a bucket.

        `now_s` is by a clock that never goes back.

        Returns:
            0 if there was one; else the seconds until there will be one, and nothing was taken.
        """
        left, since_s = self._left.pop(bucket, (float(self._rate.burst), now_s))
        left = min(self._rate.burst, left + (now_s - since_s) * self._rate.a_second)
        enough = left >= 1
        self._left[bucket] = (left - enough, now_s)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return 0.0 if enough else (1 - left) / self._rate.a_second
