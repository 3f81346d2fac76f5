"""How the deals of a wave are cut into pieces, so that results grow evenly and processes are seldom started.

All line-ups play the first piece before any plays the second. The first is short; each next one is twice as long, so
that who plays it has at most twice the deals of those who wait, and eight more. A league that is stopped at any moment
is a smaller league of the same shape. The cuts are at fixed deals, wherever a run begins.
"""

from collections.abc import Iterator

FIRST = 8
"""Deals in the first piece."""

LONGEST = 128
"""Deals in a piece at most: starting processes then costs little, and workers still share evenly."""


def pieces(deals: range) -> Iterator[range]:
    """The deals in pieces: cut after 8, 24, 56, 120 of them, then after every 128 more."""
    start, length = deals.start, FIRST
    while start < deals.stop:
        yield range(start, min(start + length, deals.stop))
        start, length = start + length, min(2 * length, LONGEST)
