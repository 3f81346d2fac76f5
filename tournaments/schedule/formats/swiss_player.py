"""A bot before a round of a Swiss: all that decides whom it meets."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class SwissPlayer(NamedTuple):
    """A bot that may play in a round.

    Attributes:
        name: unique in the round.
        score: its points so far, in thousandths.
        luck: at least 0 and below 2^64, drawn from the league's seed. Between equal scores the lower luck stands lower.
        met: by name, how often it met each bot before; bots that it never met may be missing.
    """

    name: str
    score: int
    luck: int
    met: Mapping[str, int]


def ranked(contenders: Iterable[SwissPlayer]) -> list[SwissPlayer]:
    """The contenders from the highest score to the lowest, between equals by their luck."""
    return sorted(contenders, key=lambda each: (each.score, each.luck), reverse=True)
