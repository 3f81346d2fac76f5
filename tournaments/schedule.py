"""The plan of a league, and the sittings in which what remains of it is played.

The plan is a function of the league file alone: round robin, every group of entries that fits a table, each deal in
every line-up of the group (see `tournaments.seating`). Tables and entries are taken in the order of their names, so the
order of lines in the file means nothing, and whatever is added leaves every fixture that was there before as it was.
"""

from collections.abc import Iterable

from tournaments.model import Fixture, League, Plan, Sitting, TableSpec
from tournaments.seating import groups, line_ups

LONGEST_SITTING = 500
"""Matches in a sitting: many enough that starting processes costs little, few enough that workers share evenly."""


def plan(league: League) -> Plan:
    """All fixtures, deal by deal; within a deal by table, group and line-up."""
    tables = sorted(league.tables, key=lambda table: table.name)
    entries = [entry.name for entry in league.entries]
    seated = [
        (table, line_up, rotation)
        for table in tables
        for group in groups(table, entries)
        for rotation, line_up in enumerate(line_ups(table, group))
    ]
    return tuple(
        _fixture(league, table, line_up, deal, rotation)
        for deal in range(league.deals)
        for table, line_up, rotation in seated
    )


def _fixture(league: League, table: TableSpec, line_up: tuple[str, ...], deal: int, rotation: int) -> Fixture:
    name = f"{league.game}/{table.name}/{'+'.join(line_up)}/deal-{deal}/turn-{rotation}"
    return Fixture(name, table.name, line_up, deal, rotation)


def longest_sitting(league: League) -> int:
    """How many matches a sitting of this league may have."""
    return 1 if league.fresh else LONGEST_SITTING


def sittings(fixtures: Iterable[Fixture], longest: int = LONGEST_SITTING) -> tuple[Sitting, ...]:
    """The sittings that settle `fixtures`, none with more than `longest` matches.

    A sitting is one line-up in one rotation at one table, so within it every deal occurs once. The first pieces of all
    line-ups come before the second of any: results grow evenly, and a bot that fails does so early.
    """
    found: dict[tuple[str, tuple[str, ...], int], list[Fixture]] = {}
    for fixture in fixtures:
        key = (fixture.table, fixture.entries, fixture.rotation)
        found.setdefault(key, []).append(fixture)
    most = max(map(len, found.values()), default=0)
    return tuple(
        _sitting(tuple(line_up[start : start + longest]))
        for start in range(0, most, longest)
        for line_up in found.values()
        if start < len(line_up)
    )


def _sitting(fixtures: tuple[Fixture, ...]) -> Sitting:
    return Sitting(f"{fixtures[0].id}/and-{len(fixtures) - 1}-more", fixtures)
