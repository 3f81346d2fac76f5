"""A wave: fixtures that do not hang on each other's results. Everybody in it meets on the same deals.

A wave may have millions of fixtures, so none of them is kept: who sits where can be gone through in order, and the
place of a fixture in the plan is computed from what its id says.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from tournaments.formats.pieces import pieces
from tournaments.model import Fixture, Sitting

_ID = re.compile(r"[^/]+/(?P<table>[^/]+)/(?P<line_up>[^/]+)/deal-(?P<deal>[0-9]+)/turn-(?P<rotation>[0-9]+)")


class LineUp(NamedTuple):
    """Who sits where.

    Attributes:
        table: its name.
        entries: their names, by seat.
        rotation: which of the ways of seating its group this is, counted from 0 (see `tournaments.seating`).
    """

    table: str
    entries: tuple[str, ...]
    rotation: int


class Placed(NamedTuple):
    """A fixture, and where it stands in plan order."""

    at: int
    fixture: Fixture


class LineUps(Protocol):
    """The line-ups of a wave, in the order in which they play a deal.

    Attributes:
        span: every number is below it.
    """

    span: int

    def __len__(self) -> int:
        """How many there are."""

    def numbered(self) -> Iterator[tuple[int, LineUp]]:
        """All of them with their numbers, which rise; some numbers may be nobody's."""

    def number(self, line_up: LineUp) -> int | None:
        """The number of a line-up, None if it is none of these."""


class Wave:
    """Line-ups that each play the same deals.

    Attributes:
        line_ups: who sits where.
        deals: their numbers within the league.
        span: every position is below it.
    """

    def __init__(self, game: str, line_ups: LineUps, deals: range) -> None:
        self.line_ups = line_ups
        self.deals = deals
        self.span = len(deals) * line_ups.span
        self._game = game

    def __len__(self) -> int:
        """How many fixtures there are."""
        return len(self.line_ups) * len(self.deals)

    def __iter__(self) -> Iterator[Fixture]:
        """Every fixture in plan order: deal by deal, in the order of the line-ups."""
        return (self._fixture(line_up, deal) for deal in self.deals for _, line_up in self.line_ups.numbered())

    def find(self, fixture_id: str) -> Placed | None:
        """The fixture of that id with its position, None if it is not of this wave."""
        said = _ID.fullmatch(fixture_id)
        if said is None:
            return None
        line_up = LineUp(said["table"], tuple(said["line_up"].split("+")), int(said["rotation"]))
        fixture = self._fixture(line_up, int(said["deal"]))
        at = self.position(fixture) if fixture.id == fixture_id else None
        return None if at is None else Placed(at, fixture)

    def position(self, fixture: Fixture) -> int | None:
        """Where it stands in plan order, None if it is not of this wave. Some numbers below `span` are nobody's."""
        number = self.line_ups.number(LineUp(fixture.table, fixture.entries, fixture.rotation))
        if number is None or fixture.deal not in self.deals:
            return None
        return self._start(fixture.deal) + number

    def count_after(self, number: int, at: int) -> int:
        """How many fixtures of the line-up of that number come after a position, which may be below 0."""
        deals_before = max(0, (at - number) // self.line_ups.span + 1)
        return max(0, len(self.deals) - deals_before)

    def sittings(self, remains: Callable[[int, LineUp], bool]) -> Iterator[Sitting]:
        """What remains, piece by piece; within a piece in the order of the line-ups. Made as they are asked for.

        Args:
            remains: whether the fixture at a position, of that line-up, is still to be played.
        """
        for piece in pieces(self.deals):
            for number, line_up in self.line_ups.numbered():
                deals = [deal for deal in piece if remains(self._start(deal) + number, line_up)]
                if deals:
                    yield sitting_of(*(self._fixture(line_up, deal) for deal in deals))

    def _start(self, deal: int) -> int:
        """The position of a deal's first fixture."""
        return (deal - self.deals.start) * self.line_ups.span

    def _fixture(self, line_up: LineUp, deal: int) -> Fixture:
        table, entries, rotation = line_up
        name = f"{self._game}/{table}/{'+'.join(entries)}/deal-{deal}/turn-{rotation}"
        return Fixture(name, table, entries, deal, rotation)


def sitting_of(*fixtures: Fixture) -> Sitting:
    """A sitting over these fixtures, which are of one line-up and on different deals."""
    return Sitting(f"{fixtures[0].id}/and-{len(fixtures) - 1}-more", fixtures)
