"""The bots of a league in the order of their ratings, with intervals, ranks, and those that may be the best.

This imports numpy and scipy, for which most commands need not wait. So it is imported when something is rated. Only
bots with an interval are compared or ranked, each with those of its group: the bots that it met directly or through
others.
"""

from collections.abc import Sequence
from functools import cached_property

import msgspec

from referee.core import seeds
from tournaments.league.format_settings import SwissSettings
from tournaments.league.model import League
from tournaments.rating.contest import Contest, Team
from tournaments.rating.field_estimate import estimated_field
from tournaments.rating.intervals import MANY, Bootstrap, bootstrap
from tournaments.rating.leads import Leads, RankInterval
from tournaments.rating.misfit import Misfit, misfit
from tournaments.rating.ratings import at_rest, beats, expected_score
from tournaments.rating.tally import tally

NEW = 0.01
"""After so many new matches for each that was counted, a league of many bots is counted in full again."""


class FullCount(msgspec.Struct, frozen=True, dict=True):
    """A league, with all that its resamples and reversed deals say.

    Attributes:
        resampled: the ratings, and how far they can be trusted.
        matches: how many it was rated by.
        seed: the tests of leads and of the fit draw from it, 32 bytes.
        draw_probability: that of the game.
        at_ms: when it was counted, in milliseconds since 1970 (UTC).
    """

    resampled: Bootstrap
    matches: int
    seed: bytes
    draw_probability: float
    at_ms: int

    @cached_property
    def ranks(self) -> dict[str, RankInterval]:
        """What is known about the rank of each bot that has an interval."""
        return Leads(self.resampled, seeds.child(self.seed, "best")).ranks()

    @cached_property
    def misfit(self) -> Misfit | None:
        """How well one number for each bot describes the results; None where this cannot be tested."""
        return misfit(self.resampled, self.draw_probability, seeds.child(self.seed, "fit"))

    def with_more(self, rated: Sequence[Contest], bots: Sequence[str]) -> Bootstrap | None:
        """New ratings with the known reaches of intervals; None if bots are few or much is new."""
        if len(bots) <= MANY or not 0 <= len(rated) - self.matches <= NEW * self.matches:
            return None
        known, found = self.resampled, at_rest(tally(rated), bots, self.draw_probability, self.resampled.field)
        same = set(map(frozenset, known.groups)) == set(map(frozenset, found.groups))
        return known.at(found.ratings) if same and known.ratings.keys() == found.ratings.keys() else None


class Ranking(msgspec.Struct, frozen=True):
    """A league, rated.

    Attributes:
        resampled: the ratings, and how far they can be trusted.
        groups: the bots in groups that never met, the largest group first. In each, the bots with an interval come
            first, by rating; then the others, which are provisional, by rating.
        rated: the matches that it was rated by.
        full: the last full count, which says what is known about ranks and how well the ratings describe the results.
    """

    resampled: Bootstrap
    groups: tuple[tuple[str, ...], ...]
    rated: Sequence[Contest]
    full: FullCount

    def beats(self, a: str, b: str) -> float:
        """The probability, by the ratings, that bot `a` beats bot `b` in a match of two, if draws are left out."""
        return beats(self.resampled.ratings[a], self.resampled.ratings[b])

    def expected(self, team: Team, other: Team, draw_probability: float) -> float:
        """How often one team comes before another, by the ratings of their members; a tie counts half."""
        return expected_score(team, other, self.resampled.ratings, draw_probability)

    @property
    def order(self) -> tuple[str, ...]:
        """All bots, group after group."""
        return tuple(name for group in self.groups for name in group)


def ranking(
    league: League, seed: bytes, rated: Sequence[Contest], before: FullCount | None = None, at_ms: int = 0
) -> Ranking:
    """Rate the bots of a league, at `at_ms`, in milliseconds since 1970 (UTC).

    `rated` are the matches that count. The bootstrap draws from the league's seed, 32 bytes. If many bots have played
    little since `before`, only ratings and intervals are new.
    """
    names = [entry.name for entry in league.entries]
    # In a Swiss the lucky meet the lucky: with the usual field, equal bots would be rated too far apart.
    field_of = estimated_field if isinstance(league.format, SwissSettings) else None
    newer = before.with_more(rated, names) if before else None
    if before is None or newer is None:
        drawn = seeds.child(seed, "bootstrap")
        newer = bootstrap(rated, names, league.draw_probability, drawn, field_of=field_of)
        before = FullCount(newer, len(rated), seed, league.draw_probability, at_ms)
    resampled = newer

    def place(name: str) -> tuple[bool, float, str]:
        return not resampled.has_interval(name), -resampled.ratings[name].mu, name

    groups = (sorted(group, key=place) for group in resampled.groups)
    return Ranking(resampled, tuple(sorted(map(tuple, groups), key=len, reverse=True)), rated, before)
