"""Gauntlet: challengers play against the field and against each other; the field does not play against itself.

It is a round robin without the groups that have no challenger. Each fixture keeps the position that it has there, so a
gauntlet can become a round robin later, or get another challenger, and all results stay.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, compress

from msgspec.structs import replace

from tournaments.league.format_settings import GauntletSettings
from tournaments.league.model import League, TableSpec
from tournaments.schedule.formats.format import means
from tournaments.schedule.formats.issued_waves import group_size
from tournaments.schedule.formats.round_robin import EveryGroup
from tournaments.schedule.formats.wave import LineUp
from tournaments.schedule.seating import line_ups


def challengers(settings: GauntletSettings, names: Sequence[str]) -> frozenset[str]:
    """Which of these entries are challengers."""
    return frozenset(name for name in names if any(means(given, name) for given in settings.challengers))


def problems(settings: GauntletSettings, names: Sequence[str]) -> list[str]:
    """The faults of these keys for a league with these entries, a sentence each; empty if there are none."""
    if not settings.challengers:
        return ["challengers: the list is empty; name the bots that are to play against the field"]
    return [
        f"challengers: {given!r} is no bot of this league; its bots are: {', '.join(sorted(names))}"
        for given in settings.challengers
        if not any(means(given, name) for name in names)
    ]


class Challenged:
    """The line-ups of all groups with a challenger, by table, group and rotation, with their numbers in a round robin.

    Attributes:
        span: all numbers are below it.
    """

    def __init__(self, settings: GauntletSettings, league: League) -> None:
        """`problems` finds nothing wrong with the settings."""
        self._names = sorted(entry.name for entry in league.entries)
        self._challengers = challengers(settings, self._names)
        self._is_challenger = [name in self._challengers for name in self._names]
        field = tuple(entry for entry in league.entries if entry.name not in self._challengers)
        self._every = EveryGroup(league)
        self._field = EveryGroup(replace(league, entries=field))
        self._tables = sorted(league.tables, key=lambda table: table.name)
        self.span = self._every.span

    def __len__(self) -> int:
        """How many line-ups there are."""
        return len(self._every) - len(self._field)

    def numbered(self) -> Iterator[tuple[int, LineUp]]:
        """All line-ups with their numbers, which rise and have gaps."""
        for table in self._tables:
            for group in self._groups(table):
                seated = [LineUp(table.name, entries, turn) for turn, entries in enumerate(line_ups(table, group))]
                first = self._every.number(seated[0])
                assert first is not None  # noqa: S101 - it is a group of this table
                yield from enumerate(seated, first)

    def number(self, line_up: LineUp) -> int | None:
        """The number of a line-up; None if it is not one of these."""
        return None if self._challengers.isdisjoint(line_up.entries) else self._every.number(line_up)

    def _groups(self, table: TableSpec) -> Iterator[tuple[str, ...]]:
        """The groups with a challenger, in alphabetical order. The many others are not even made."""
        copies = table.seating == "copies"
        places = range(len(self._names))
        for first in (combinations_with_replacement if copies else combinations)(places, group_size(table) - 1):
            after = places[first[-1] + (not copies) :] if first else places
            challenged = any(self._is_challenger[place] for place in first)
            for last in after if challenged else compress(after, self._is_challenger[after.start :]):
                if not copies or len({*first, last}) > 1:
                    yield tuple(self._names[place] for place in (*first, last))
