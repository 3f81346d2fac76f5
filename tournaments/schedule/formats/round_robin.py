"""Round robin: every group of entries that fits a table plays each deal in every line-up of the group.

It is one wave, a function of the league file alone. Tables and entries are sorted by name, so the order of lines in the
file does not matter. New tables and entries leave all earlier fixtures as they were.
"""

from collections.abc import Callable, Iterator
from itertools import accumulate

from tournaments.league.model import League
from tournaments.schedule.formats.format import PlayedWaves
from tournaments.schedule.formats.wave import LineUp, LineUps, Wave
from tournaments.schedule.seating import TableSeats


class EveryGroup:
    """The line-ups of all groups, by table, group and rotation.

    Attributes:
        span: all numbers are below it.
    """

    def __init__(self, league: League) -> None:
        self._league = league
        names = sorted(entry.name for entry in league.entries)
        tables = sorted(league.tables, key=lambda table: table.name)
        self._seats = {table.name: TableSeats(table, names) for table in tables}
        spans = (seats.span for seats in self._seats.values())
        *starts, self.span = accumulate(spans, initial=0)
        self._starts = dict(zip(self._seats, starts, strict=True))

    def __reduce__(self) -> tuple[type["EveryGroup"], tuple[League]]:
        """To another process goes the league alone."""
        return EveryGroup, (self._league,)

    def __len__(self) -> int:
        """How many line-ups there are."""
        return sum(map(len, self._seats.values()))

    def numbered(self) -> Iterator[tuple[int, LineUp]]:
        """All line-ups with their numbers, in order."""
        for table, seats in self._seats.items():
            for number, rotation, entries in seats.numbered():
                yield self._starts[table] + number, LineUp(table, entries, rotation)

    def number(self, line_up: LineUp) -> int | None:
        """The number of a line-up; None if it is not one of these."""
        seats = self._seats.get(line_up.table)
        number = None if seats is None else seats.number(line_up.entries, line_up.rotation)
        return None if number is None else self._starts[line_up.table] + number


class RoundRobin:
    """A `Format` of one wave: everybody meets everybody, or those that these line-ups let meet, on every deal."""

    def __init__(self, league: League, line_ups: Callable[[League], LineUps] = EveryGroup) -> None:
        """`line_ups` gives those of the league. It is called when the wave is asked for."""
        self._league = league
        self._line_ups = line_ups

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:  # noqa: ARG002 - results change nothing here
        """All fixtures as wave 0; there is no other wave."""
        league = self._league
        return None if number else Wave(league.game, self._line_ups(league), range(league.deals))
