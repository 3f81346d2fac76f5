"""Matches in which all seats are one side: how each bot fared, and each two of them together.

Comparisons are made on equal deals: tables of the same seats and options share their deals, whoever sits there, and
only those deals are counted that all have played. Only a match with a remote bot has a deal of its own: what that bot
did is compared over as many deals as the others', not over equal ones. A fault is a match lost; it has no score.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import msgspec

from tournaments.model import Fixture, League, Played, TableSpec
from tournaments.sides import together

_Match: TypeAlias = tuple[Fixture, Played]
_Team: TypeAlias = tuple[str, ...]


class TeamRecord(msgspec.Struct, frozen=True):
    """What one bot, or two together, did against the game.

    Attributes:
        bots: one: in all its matches. Two different ones: in the matches in which both sat, whoever else did. One name
            twice: in the matches in which it had all seats.
        matches: so many.
        wins: of them.
        share: wins / matches.
        mean_score: of those that no fault cut short; None if there are none.
    """

    bots: tuple[str, ...]
    matches: int
    wins: int
    share: float
    mean_score: float | None


class Cooperation(msgspec.Struct, frozen=True):
    """What came of tables with the same seats and options.

    Attributes:
        tables: their names.
        deals: how many deals were counted.
        records: single bots first, then pairs; by name.
    """

    tables: tuple[str, ...]
    deals: int
    records: tuple[TeamRecord, ...]


def cooperations(league: League, matches: Sequence[_Match], suspended: Iterable[str]) -> tuple[Cooperation, ...]:
    """What the matches without sides to beat tell, in the order of the league's tables.

    Args:
        league: from its file.
        matches: that count.
        suspended: the bots that are; what they played says less of others than of them, and is left out.
    """
    out = frozenset(suspended)
    found = [match for match in matches if together(match[1].outcome) and out.isdisjoint(match[1].entries)]
    return tuple(
        _cooperation(tables, played)
        for tables in _alike(league.tables)
        if (played := [match for match in found if match[0].table in tables])
    )


def _alike(tables: Iterable[TableSpec]) -> Iterator[tuple[str, ...]]:
    """The names of tables with the same seats and options."""
    names: dict[tuple[int, bytes], list[str]] = {}
    for table in tables:
        setting = (table.seats, msgspec.json.encode(table.options, order="sorted"))
        names.setdefault(setting, []).append(table.name)
    return map(tuple, names.values())


def _cooperation(tables: tuple[str, ...], matches: Iterable[_Match]) -> Cooperation:
    by_team: dict[_Team, list[_Match]] = {}
    for match in matches:
        for team in _teams(match[1].entries):
            by_team.setdefault(team, []).append(match)
    deals = set.intersection(*({fixture.deal for fixture, _ in played} for played in by_team.values()))
    records = (
        _record(team, [played for fixture, played in by_team[team] if fixture.deal in deals])
        for team in sorted(by_team, key=lambda team: (len(team), team))
    )
    return Cooperation(tables, len(deals), tuple(records) if deals else ())


def _teams(entries: Sequence[str]) -> Iterator[_Team]:
    """Whose match it is: each bot's; each two bots' that sit there, or the one's that has all seats."""
    names = sorted(set(entries))
    yield from ((name,) for name in names)
    yield from combinations(names, 2) if len(names) > 1 else [(names[0], names[0])]


def _record(team: _Team, matches: Sequence[Played]) -> TeamRecord:
    wins = sum(match.outcome.places[0] == 1 for match in matches)
    scores = [match.outcome.scores[0] for match in matches if match.outcome.scores]
    mean = sum(scores) / len(scores) if scores else None
    return TeamRecord(team, len(matches), wins, wins / len(matches), mean)
