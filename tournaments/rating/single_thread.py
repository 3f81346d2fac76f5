"""Sums of one thread: several threads could add up in another order."""

from contextlib import AbstractContextManager
from functools import cache

import scipy.linalg  # noqa: F401 - it loads the libraries, so that they are found
from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[object]:
    """While the context lasts, numpy and scipy use no threads of their own."""
    limit: AbstractContextManager[object] = _libraries().limit(limits=1)
    return limit


@cache
def _libraries() -> ThreadpoolController:
    """Their libraries that have threads. To look for them takes milliseconds, and they stay."""
    return ThreadpoolController()
