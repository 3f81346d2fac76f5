"""The bots of a league in the order of their ratings, with intervals and probabilities.

This imports numpy and scipy, for which most commands need not wait. So it is imported when something is rated.
"""

from collections.abc import Sequence

import msgspec

from referee.core import seeds
from tournaments.league.format_settings import SwissSettings
from tournaments.league.model import League
from tournaments.rating.best import may_be_best
from tournaments.rating.contest import Contest, Team
from tournaments.rating.field_estimate import estimated_field
from tournaments.rating.intervals import Bootstrap, bootstrap
from tournaments.rating.rank_intervals import RankInterval, ranks
from tournaments.rating.win_probability import beats, expected_score


class Ranking(msgspec.Struct, frozen=True):
    """A league, rated.

    Attributes:
        resampled: the ratings, and how far they can be trusted.
        groups: the bots in groups that never met, the largest group first. In each, the bots with an interval come
            first, by rating; then the others, which are provisional, by rating.
        rated: the matches that it was rated by.
    """

    resampled: Bootstrap
    groups: tuple[tuple[str, ...], ...]
    rated: Sequence[Contest]

    def beats(self, a: str, b: str) -> float:
        """The probability, by the ratings, that bot `a` beats bot `b` in a match of two, if draws are left out."""
        return beats(self.resampled.ratings[a], self.resampled.ratings[b])

    def expected(self, team: Team, other: Team, draw_probability: float) -> float:
        """How often one team comes before another, by the ratings of their members; a tie counts half."""
        return expected_score(team, other, self.resampled.ratings, draw_probability)

    def ranks(self) -> dict[str, RankInterval]:
        """How sure the rank of each bot is that has an interval."""
        return ranks(self.resampled)

    def may_be_best(self) -> frozenset[str]:
        """The bots with an interval that may be the best of their groups."""
        return may_be_best(self.resampled)

    @property
    def order(self) -> tuple[str, ...]:
        """All bots, group after group."""
        return tuple(name for group in self.groups for name in group)


def ranking(league: League, seed: bytes, rated: Sequence[Contest]) -> Ranking:
    """Rate the bots of a league.

    `rated` are the matches that count. The bootstrap draws from the league's seed, 32 bytes.
    """
    names = [entry.name for entry in league.entries]
    # In a Swiss the lucky meet the lucky: with the usual field, equal bots would be rated too far apart.
    field_of = estimated_field if isinstance(league.format, SwissSettings) else None
    drawn = seeds.child(seed, "bootstrap")
    resampled = bootstrap(rated, names, league.draw_probability, drawn, field_of=field_of)

    def place(name: str) -> tuple[bool, float, str]:
        return not resampled.told(name), -resampled.ratings[name].mu, name

    groups = (sorted(group, key=place) for group in resampled.groups)
    return Ranking(resampled, tuple(sorted(map(tuple, groups), key=len, reverse=True)), rated)
