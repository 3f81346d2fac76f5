"""One number over several tables, games or seasons: the share of points that a bot may expect against the field.

At each table this follows from the ratings there, and the mean over the tables counts. One rating of all matches would
not do: luck and skill have another scale at every table, so the one with the most deals would decide, and specialists
who are equal over all tables would be separated in most leagues.

Intervals come from the resamples of each table, around their medians, stretched by Student's factor for its blocks, and
averaged resample by resample. Tables that share deals must have drawn the same ones (`tables_of`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from scipy.special import ndtr, ndtri, stdtrit

from tournaments.rating import TAIL, Interval
from tournaments.rating.contest import PSEUDO, Contest, Member
from tournaments.rating.fit import OverallShare
from tournaments.rating.intervals import bootstrap
from tournaments.rating.numerics import Floats
from tournaments.rating.scale import BETA

_BETWEEN = "\n"
"""Stands between a table and a bot in the name of a player that is rated at this table alone."""


class RatedAtTable(NamedTuple):
    """A bot at a table where it has an interval.

    Attributes:
        mu: its rating there.
        drawn: the same in each resample.
        blocks: how many blocks say anything about it there.
    """

    mu: float
    drawn: Sequence[float]
    blocks: int


class Overall:
    """The shares of bots over several tables."""

    def __init__(self, tables: Sequence[Mapping[str, RatedAtTable]], weights: Sequence[float] = ()) -> None:
        """By table, the bots that have an interval there, all with as many resamples. Without weights all weigh 1."""
        self._played = tables
        self._bots = [bot for bot in tables[0] if all(bot in table for table in tables)]
        self._share, self._away = np.zeros(len(self._bots)), np.zeros((len(self._bots), 0))
        if len(self._bots) > 1:
            parts = [_at_table([table[bot] for bot in self._bots]) for table in tables]
            shares, away = zip(*parts, strict=True)
            self._share = np.average(shares, axis=0, weights=weights or None)
            self._away = np.average(away, axis=0, weights=weights or None)

    def of(self, bot: str) -> OverallShare:
        """What a bot may expect."""
        tables = sum(bot in table for table in self._played)
        if bot not in self._bots or len(self._bots) < 2:
            return OverallShare(tables)
        at = self._bots.index(bot)
        share = float(self._share[at])
        low, high = _ends(self._away[at])
        return OverallShare(tables, share, (max(0.0, share + low), min(1.0, share + high)))

    def difference(self, one: str, other: str) -> Interval:
        """The 95 % interval of the share of one bot minus that of another; both have a share."""
        a, b = self._bots.index(one), self._bots.index(other)
        low, high = _ends(self._away[a] - self._away[b])
        lead = float(self._share[a] - self._share[b])
        return lead + low, lead + high


def tables_of(
    contests: Mapping[str, Iterable[Contest]], players: Sequence[str], draw_probability: float, seed: bytes
) -> list[dict[str, RatedAtTable]]:
    """The bots of a league by table, rated by the matches of each alone, from resamples with the same deals.

    Args:
        contests: by table, its matches.
        players: the bots.
        draw_probability: how often two equal teams draw, at least 0.001 and below 1.
        seed: 32 bytes.
    """
    names = {table: {player: f"{table}{_BETWEEN}{player}" for player in players} for table in contests}
    renamed = [_renamed(contest, names[table]) for table, found in contests.items() for contest in found]
    found = bootstrap(renamed, [name for own in names.values() for name in own.values()], draw_probability, seed)
    return [
        {
            player: RatedAtTable(found.ratings[name].mu, found.mus[name], found.blocks[name])
            for player, name in own.items()
            if found.has_interval(name)
        }
        for own in names.values()
    ]


def _at_table(bots: Sequence[RatedAtTable]) -> tuple[Floats, Floats]:
    """By bot, its share; and bots x resamples: how far the shares of resamples are from their medians, stretched."""
    shares = _shares(np.array([[bot.mu for bot in bots]]).T)[:, 0]
    drawn = _shares(np.array([bot.drawn for bot in bots]))
    blocks = min(bot.blocks for bot in bots)
    factor = np.sqrt(blocks / (blocks - 1)) * stdtrit(blocks - 1, 1 - TAIL) / ndtri(1 - TAIL)
    return shares, factor * (drawn - np.median(drawn, axis=1, keepdims=True))


def _shares(mus: Floats) -> Floats:
    """Bots x leagues: the mean chance of each to beat each other one, by their ratings, bots x leagues."""
    found = [ndtr((mu - mus) / (np.sqrt(2) * BETA)).sum(axis=0) - 0.5 for mu in mus]
    return np.array(found) / (len(mus) - 1)


def _ends(away: Floats) -> Interval:
    low, high = np.quantile(away, [TAIL, 1 - TAIL], method="weibull").tolist()
    return low, high


def _renamed(contest: Contest, names: Mapping[str, str]) -> Contest:
    def member(each: Member) -> Member:
        return each if each.player.startswith(PSEUDO) else replace(each, player=names[each.player])

    return replace(contest, teams=tuple(tuple(map(member, team)) for team in contest.teams))
