"""Cuts the deals of a wave into pieces, so that results grow evenly and processes seldom start.

All line-ups play the first piece before any plays the second. The first is short, and each next one is twice as long.
So the line-ups that are ahead have at most twice the deals of those that wait, plus eight. A league that is stopped at
any moment is a smaller league of the same shape. The cuts are at fixed deals, wherever a run begins.
"""

from collections.abc import Iterator

from tournaments.league.model import MATCHES_A_START

FIRST = 8
"""The number of deals in the first piece."""

_BATCHES = 2
"""How many batches the first piece has, at least."""


def pieces(deals: range, batch: int = 1) -> Iterator[range]:
    """The deals in pieces: cut after 8, 24, 56, 120, 248, 504 of them, then after every 512 more.

    Where `batch` matches of a line-up are played at once, a piece has at least twice as many: what is left at its end
    fills no batch.
    """
    start, length = deals.start, max(FIRST, _BATCHES * batch if batch > 1 else 0)
    while start < deals.stop:
        yield range(start, min(start + length, deals.stop))
        start, length = start + length, max(length, min(2 * length, MATCHES_A_START))
