"""Pairs of bots whose results differ from what all their other matches say. Valid however often one looks.

The pair that is furthest beyond what is usual is flagged first, and then its matches say nothing about the others
either. Commands that only read a league load no numpy for it.
"""

from collections.abc import Iterable
from functools import cache

import msgspec

from tournaments.league.model import Fixture, League, StoredMatch
from tournaments.rating.contest import contests

FALSE_FLAGS = 0.05
"""The share of leagues in which the bound of any pair is ever wrong, at most."""


class PairFlag(msgspec.Struct, frozen=True):
    """A pair whose results differ from what all their other matches say.

    Attributes:
        bot: the name of the entry with the larger share than usual.
        against: the other one.
        matches: how many matches they played.
        share: the share of the first bot in them.
        usual: the share that the ratings without these matches expect.
    """

    bot: str
    against: str
    matches: int
    share: float
    usual: float

    @property
    def words(self) -> str:
        """What the organizer reads. It accuses nobody."""
        return (
            f"{self.bot} got {100 * self.share:.0f} of 100 points from {self.against}. By all their other matches"
            f" {100 * self.usual:.0f} would be usual. This happens if a bot plays badly against one opponent on"
            " purpose, if it crashes against it, or if the styles fit."
        )


def pair_flags(league: League, matches: Iterable[tuple[Fixture, StoredMatch]]) -> tuple[PairFlag, ...]:
    """The flagged pairs, from matches in plan order that count; the furthest beyond what is usual first."""
    from tournaments.comparison.pair_bounds import beyond, bound_of, shares_of  # noqa: PLC0415 - it imports numpy
    from tournaments.rating.numerics import one_thread  # noqa: PLC0415

    by_pair = shares_of(contests(league, matches))
    bound = cache(lambda pair: bound_of(by_pair[pair], FALSE_FLAGS / len(by_pair)))
    found: list[PairFlag] = []
    left = dict(by_pair)
    with one_thread():
        while flags := dict(beyond(left, bound)):
            flag = flags[max(flags)]
            found.append(flag)
            del left[flag.bot, flag.against], left[flag.against, flag.bot]
    return tuple(found)
