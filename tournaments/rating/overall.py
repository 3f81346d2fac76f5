"""One number over several tables, games or seasons: the share of points that a bot may expect against the field.

At each table this follows from the ratings there, and the mean over the tables counts. One rating of all matches would
not do: luck and skill have another scale at every table, so the one with the most deals would decide, and specialists
who are equal over all tables would be separated in most leagues.

Each bot is a player of its own at each table, in one bootstrap, so all tables draw the same deals. Intervals come from
the shares of the resamples at each table, around their medians, stretched by Student's factor for its blocks, and
averaged resample by resample.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from scipy.special import ndtr, ndtri, stdtrit

from tournaments.rating import TAIL, Interval
from tournaments.rating.contest import PSEUDO, Contest, Member
from tournaments.rating.fit import OverallShare
from tournaments.rating.intervals import Bootstrap, bootstrap
from tournaments.rating.numerics import Floats
from tournaments.rating.scale import BETA

_BETWEEN = "\n"
"""Stands between a table and a bot in the name of a player that is rated at this table alone."""


class RatedTable(NamedTuple):
    """A table whose bots are rated by its matches alone.

    Attributes:
        rated: their ratings.
        names: by bot, its name as a player there. Bots that are not there are missing.
    """

    rated: Bootstrap
    names: Mapping[str, str]

    def has_interval(self, bot: str) -> bool:
        """Whether a bot has an interval here."""
        return bot in self.names and self.rated.has_interval(self.names[bot])


def rate_tables(
    contests: Mapping[str, Iterable[Contest]], bots: Sequence[str], draw_probability: float, seed: bytes
) -> list[RatedTable]:
    """Rate the bots of a league by the matches of each table alone. In the resamples all tables draw the same deals.

    Args:
        contests: by table, its matches.
        bots: their names.
        draw_probability: how often two equal teams draw, at least 0.001 and below 1.
        seed: 32 bytes.
    """
    names = [{bot: f"{table}{_BETWEEN}{bot}" for bot in bots} for table in contests]
    renamed = [_renamed(each, own) for own, found in zip(names, contests.values(), strict=True) for each in found]
    rated = bootstrap(renamed, [name for own in names for name in own.values()], draw_probability, seed)
    return [RatedTable(rated, own) for own in names]


class Overall:
    """The shares of bots over several tables."""

    def __init__(self, tables: Sequence[RatedTable], bots: Sequence[str], weights: Sequence[float] = ()) -> None:
        """Compare the bots that have an interval at all tables.

        Args:
            tables: of one league or of several; different leagues draw independent deals.
            bots: their names.
            weights: how much each table counts; without any, all count the same.
        """
        self._tables = {bot: sum(table.has_interval(bot) for table in tables) for bot in bots}
        self._of = len(tables)
        self._bots = [bot for bot in bots if self._tables[bot] == self._of]
        if len(self._bots) > 1:
            parts = [_at_table(table.rated, [table.names[bot] for bot in self._bots]) for table in tables]
            self._shares, self._away = (
                np.average(part, axis=0, weights=weights or None) for part in zip(*parts, strict=True)
            )

    def of(self, bot: str) -> OverallShare:
        """What a bot may expect."""
        if bot not in self._bots or len(self._bots) < 2:
            return OverallShare(self._tables[bot], self._of)
        at = self._bots.index(bot)
        low, high = _around(self._shares[at], self._away[at])
        interval = max(0.0, low), min(1.0, high)
        return OverallShare(self._tables[bot], self._of, float(self._shares[at]), interval)

    def difference(self, one: str, other: str) -> Interval:
        """The 95 % interval of the share of one bot minus that of another; both have a share."""
        a, b = self._bots.index(one), self._bots.index(other)
        return _around(self._shares[a] - self._shares[b], self._away[a] - self._away[b])


def _at_table(rated: Bootstrap, names: Sequence[str]) -> tuple[Floats, Floats]:
    """By bot, its share; and bots x resamples: how far the shares of resamples are from their medians, stretched."""
    mus = np.array([(rated.ratings[name].mu, *rated.mus[name]) for name in names])
    shares = np.array([ndtr((mu - mus) / (np.sqrt(2) * BETA)).sum(axis=0) - 0.5 for mu in mus]) / (len(mus) - 1)
    blocks = min(rated.blocks[name] for name in names)
    factor = np.sqrt(blocks / (blocks - 1)) * stdtrit(blocks - 1, 1 - TAIL) / ndtri(1 - TAIL)
    return shares[:, 0], factor * (shares[:, 1:] - np.median(shares[:, 1:], axis=1, keepdims=True))


def _around(share: float, away: Floats) -> Interval:
    low, high = (share + np.quantile(away, [TAIL, 1 - TAIL], method="weibull")).tolist()
    return low, high


def _renamed(contest: Contest, names: Mapping[str, str]) -> Contest:
    def member(each: Member) -> Member:
        return each if each.player.startswith(PSEUDO) else replace(each, player=names[each.player])

    return replace(contest, teams=tuple(tuple(map(member, team)) for team in contest.teams))
