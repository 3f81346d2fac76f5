"""Matches in which all seats are one side: how each bot did, and how each pair of bots did.

Bots are compared on equal deals. Tables with the same seats, options and luck share their deals, and a deal counts only
if everybody has played it. A match with a deal of its own is the exception: there bots are compared over as many deals,
but not the same ones. A match with a fault is lost and has no score.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import msgspec

from tournaments.league.model import Fixture, League, Luck, StoredMatch, TableSpec
from tournaments.rating.sides import together

_Match: TypeAlias = tuple[Fixture, StoredMatch]
_Team: TypeAlias = tuple[str, ...]


class TeamRecord(msgspec.Struct, frozen=True):
    """How one bot, or two bots together, did against the game.

    Attributes:
        bots: one name: all matches of this bot. Two different names: the matches in which both bots sat, alone or with
            others. One name twice: the matches in which this bot had all seats.
        matches: the number of these matches.
        wins: how many of them were won.
        share: wins / matches.
        mean_score: the mean score of the matches that no fault cut short; None if there are none.
    """

    bots: tuple[str, ...]
    matches: int
    wins: int
    share: float
    mean_score: float | None


class Cooperation(msgspec.Struct, frozen=True):
    """The results of tables with the same seats, options and luck.

    Attributes:
        tables: the names of the tables.
        deals: how many deals were counted.
        records: single bots first, then pairs; by name.
        luck: which of the matches share their luck.
    """

    tables: tuple[str, ...]
    deals: int
    records: tuple[TeamRecord, ...]
    luck: Luck = "common"


def cooperations(league: League, matches: Sequence[_Match], suspended: Iterable[str]) -> tuple[Cooperation, ...]:
    """The results of matches against the game, in the order of the league's tables.

    Matches of suspended bots say more about them than about their partners, and are left out.
    """
    out = frozenset(suspended)
    found = [match for match in matches if together(match[1].outcome) and out.isdisjoint(match[1].entries)]
    return tuple(
        _cooperation(tables, luck, played)
        for tables, luck in _alike(league.tables)
        if (played := [match for match in found if match[0].table in tables])
    )


def _alike(tables: Iterable[TableSpec]) -> Iterator[tuple[tuple[str, ...], Luck]]:
    """The names of tables with the same seats, options and luck, and their luck."""
    names: dict[tuple[int, bytes, Luck], list[str]] = {}
    for table in tables:
        setting = (table.seats, msgspec.json.encode(table.options, order="sorted"), table.luck)
        names.setdefault(setting, []).append(table.name)
    return ((tuple(alike), luck) for (_, _, luck), alike in names.items())


def _cooperation(tables: tuple[str, ...], luck: Luck, matches: Iterable[_Match]) -> Cooperation:
    by_team: dict[_Team, list[_Match]] = {}
    for match in matches:
        for team in _teams(match[1].entries):
            by_team.setdefault(team, []).append(match)
    deals = set.intersection(*({fixture.deal for fixture, _ in played} for played in by_team.values()))
    records = (
        _record(team, [played for fixture, played in by_team[team] if fixture.deal in deals])
        for team in sorted(by_team, key=lambda team: (len(team), team))
    )
    return Cooperation(tables, len(deals), tuple(records) if deals else (), luck)


def _teams(entries: Sequence[str]) -> Iterator[_Team]:
    """The records that a match counts for: each bot's and each pair's. A bot with all seats is a pair with itself."""
    names = sorted(set(entries))
    yield from ((name,) for name in names)
    yield from combinations(names, 2) if len(names) > 1 else [(names[0], names[0])]


def _record(team: _Team, matches: Sequence[StoredMatch]) -> TeamRecord:
    wins = sum(match.outcome.places[0] == 1 for match in matches)
    scores = [match.outcome.scores[0] for match in matches if match.outcome.scores]
    mean = sum(scores) / len(scores) if scores else None
    return TeamRecord(team, len(matches), wins, wins / len(matches), mean)
