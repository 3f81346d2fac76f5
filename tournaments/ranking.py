"""The bots of a league in the order of their ratings."""

from collections.abc import Sequence

import msgspec

from referee.core import seeds
from tournaments.model import League
from tournaments.rating.bootstrap import Bootstrap, bootstrap
from tournaments.rating.contest import Contest


class Ranking(msgspec.Struct, frozen=True):
    """A league, rated.

    Attributes:
        resampled: the ratings, and how far they can be trusted.
        groups: the bots in groups that never met, the largest group first; in each, the best bot first.
    """

    resampled: Bootstrap
    groups: tuple[tuple[str, ...], ...]

    @property
    def order(self) -> tuple[str, ...]:
        """All bots, group after group."""
        return tuple(name for group in self.groups for name in group)


def ranking(league: League, seed: bytes, rated: Sequence[Contest]) -> Ranking:
    """Rate the bots of a league.

    Args:
        league: from its file.
        seed: the league's seed, 32 bytes; the bootstrap draws from it.
        rated: the matches that count.
    """
    names = [entry.name for entry in league.entries]
    resampled = bootstrap(rated, names, league.draw_probability, seeds.child(seed, "bootstrap"))
    groups = (sorted(group, key=lambda name: (-resampled.ratings[name].mu, name)) for group in resampled.groups)
    return Ranking(resampled, tuple(sorted(map(tuple, groups), key=len, reverse=True)))
