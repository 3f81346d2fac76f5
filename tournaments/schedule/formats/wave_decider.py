"""Waves that depend on results: each is decided once and stored when it is issued. It never changes afterwards.

So a stored wave is an input of the league, as its seed is. Later additions, reinstatements and withdrawals count from
the next wave.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain, repeat
from typing import Protocol

import msgspec

from tournaments.league.model import TableSpec
from tournaments.schedule.formats.format import Counted
from tournaments.schedule.formats.wave import LineUp
from tournaments.schedule.seating import line_ups


class IssuedWave(msgspec.Struct, frozen=True):
    """A wave as it was issued. Each of its line-ups plays each of its deals.

    Attributes:
        roster: the entries that could play, in the order of the roster.
        line_ups: the line-ups, each once, in the order in which they play a deal.
        first_deal: the number of the first deal within the league. No wave before had it or a later one.
        deals: how many deals there are, from the first one on.
        byes: the entries of the roster that do not play, and are credited for it as the format says.
    """

    roster: tuple[str, ...]
    line_ups: tuple[LineUp, ...]
    first_deal: int
    deals: int
    byes: tuple[str, ...] = ()


class Decider(Protocol):
    """Decides waves from results."""

    def decide(
        self,
        issues: Sequence[IssuedWave],
        roster: Sequence[str],
        counted: Counted,
        gone: Sequence[Set[str]] = (),
    ) -> IssuedWave | None:
        """The next wave; None if the league is over.

        The same arguments must always give the same answer. It must not depend on the order of the roster, unless the
        format says so.

        Args:
            issues: the waves so far, in order. Each of their fixtures is settled:
                counted, skipped or abandoned; and each of their pairings counts, unless bots are the reason
                (`tournaments.schedule.counting_rules`).
            roster: the entries that may play now, in the order of the roster: neither withdrawn nor suspended.
            counted: reads every match that counts, in plan order.
            gone: for each of these waves, the entries that were suspended or withdrawn by its end. Who leaves later
                changes nothing about what the wave says.
        """


def stayed(issues: Sequence[IssuedWave], gone: Sequence[Set[str]]) -> list[Set[str]]:
    """For each wave, the entries of its roster that were there at its end. Where `gone` says nothing, nobody left."""
    left = chain(gone, repeat(frozenset()))
    return [frozenset(issue.roster) - out for issue, out in zip(issues, left, strict=False)]


def next_deal(issues: Sequence[IssuedWave]) -> int:
    """The first deal that none of these waves has."""
    return issues[-1].first_deal + issues[-1].deals if issues else 0


def group_size(table: TableSpec) -> int:
    """How many different entries fill a table, unless one may hold several seats."""
    return len(table.sides) if table.seating == "teams" else table.seats


def line_ups_of(tables: Iterable[TableSpec], groups: Iterable[Iterable[str]]) -> Iterator[LineUp]:
    """All line-ups of some groups of entries at these tables: group by group, table by table, turn by turn."""
    by_name = sorted(tables, key=lambda table: table.name)
    for group in groups:
        for table in by_name:
            for rotation, entries in enumerate(line_ups(table, tuple(sorted(group)))):
                yield LineUp(table.name, entries, rotation)


class IssuedLineUps:
    """The line-ups of an issued wave.

    Attributes:
        span: all numbers are below it.
    """

    def __init__(self, line_ups: Sequence[LineUp]) -> None:
        """`line_ups` are in the order in which they play a deal, each once."""
        self._line_ups = tuple(line_ups)
        self._numbers = {line_up: number for number, line_up in enumerate(self._line_ups)}
        self.span = len(self._line_ups)

    def __len__(self) -> int:
        """How many line-ups there are."""
        return self.span

    def numbered(self) -> Iterator[tuple[int, LineUp]]:
        """All line-ups with their numbers, in order."""
        return enumerate(self._line_ups)

    def number(self, line_up: LineUp) -> int | None:
        """The number of a line-up; None if it is not one of these."""
        return self._numbers.get(line_up)
