"""A wave: fixtures that do not depend on each other's results. Its line-ups all play the same deals.

A wave may have millions of fixtures, so they are not kept in memory. A wave goes through its line-ups in order, and
computes the position of a fixture in the plan from its id.

It cuts its deals into pieces, so that results grow evenly and processes seldom start. All line-ups play the first piece
before any plays the second. The first is short, and each next one is twice as long. So the line-ups that are ahead have
at most twice the deals of those that wait, plus eight. A league that is stopped at any moment is a smaller league of
the same shape. The cuts are at fixed deals, wherever a run begins.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeAlias

from tournaments.league.model import MATCHES_A_START, Fixture, Sitting

FIRST = 8
"""The number of deals in the first piece."""

_BATCHES = 2
"""How many batches the first piece has, at least."""


def pieces(deals: range, batch: int = 1) -> Iterator[range]:
    """The deals in pieces: cut after 8, 24, 56, 120, 248, 504 of them, then after every 512 more.

    Where `batch` matches of a line-up are played at once, a piece has at least twice as many: what is left at its end
    fills no batch.
    """
    start, length = 0, max(FIRST, _BATCHES * batch if batch > 1 else 0)
    while start < len(deals):
        yield deals[start : start + length]
        start, length = start + length, max(length, min(2 * length, MATCHES_A_START))


_ID = re.compile(r"[^/]+/(?P<table>[^/]+)/(?P<line_up>[^/]+)/deal-(?P<deal>[0-9]{1,18})/turn-(?P<rotation>[0-9]{1,18})")
_ENTRY = re.compile(r"(?:^|\+)([^@+]+(?:\+[^@+]+)?@[^@+]+)")
"""An entry in a line-up. Before its one `@`, a `+` stands before a label; after it, before the next entry."""


_REMEMBERED = 4096
"""How many line-ups are remembered with their numbers: many results of one line-up come at a time."""


class LineUp(NamedTuple):
    """The entries at a table, each in its seat.

    Attributes:
        table: the name of the table.
        entries: the names of the entries, by seat.
        rotation: the number of this way to seat the group, counted from 0 (see `tournaments.schedule.seating`).
    """

    table: str
    entries: tuple[str, ...]
    rotation: int


class PlacedFixture(NamedTuple):
    """A fixture, and its position in plan order."""

    at: int
    fixture: Fixture


class LineUps(Protocol):
    """The line-ups of a wave, in the order in which they play a deal.

    Attributes:
        span: all numbers are below it.
    """

    span: int

    def __len__(self) -> int:
        """How many line-ups there are."""

    def numbered(self) -> Iterator[tuple[int, LineUp]]:
        """All line-ups with their numbers, which rise and may have gaps."""

    def number(self, line_up: LineUp) -> int | None:
        """The number of a line-up; None if it is not one of these."""


class PlannedSitting(NamedTuple):
    """Deals that a line-up plays one after another.

    Attributes:
        number: that of the line-up in its wave.
        line_up: the line-up.
        deals: the deals, in the order of play.
    """

    number: int
    line_up: LineUp
    deals: Sequence[int]


PlayOrder: TypeAlias = Callable[[LineUps, range], Iterator[PlannedSitting]]
"""The order in which line-ups play a piece: each plays every deal of it once."""


def ascending(line_ups: LineUps, piece: range) -> Iterator[PlannedSitting]:
    """One line-up after the other, and the deals in the order of their numbers."""
    return (PlannedSitting(number, line_up, piece) for number, line_up in line_ups.numbered())


class Wave:
    """Line-ups that each play the same deals.

    Attributes:
        line_ups: the line-ups.
        deals: the numbers of the deals within the league; there may be gaps of one size.
        span: all positions are below it.
    """

    def __init__(self, game: str, line_ups: LineUps, deals: range) -> None:
        self.line_ups = line_ups
        self.deals = deals
        self.span = len(deals) * line_ups.span
        self._game = game
        self._numbered = lru_cache(_REMEMBERED)(self._number)

    def __reduce__(self) -> tuple[type["Wave"], tuple[str, LineUps, range]]:
        """To another process go the arguments alone."""
        return Wave, (self._game, self.line_ups, self.deals)

    def __len__(self) -> int:
        """How many fixtures there are."""
        return len(self.line_ups) * len(self.deals)

    def __iter__(self) -> Iterator[Fixture]:
        """Every fixture in plan order: deal by deal, in the order of the line-ups."""
        return (self._fixture(line_up, deal) for deal in self.deals for _, line_up in self.line_ups.numbered())

    def since(self, at: int) -> Iterator[PlacedFixture]:
        """The fixtures from a position on, in plan order."""
        for deal in self.deals[max(0, at) // max(1, self.line_ups.span) :]:
            for number, line_up in self.line_ups.numbered():
                if self._start(deal) + number >= at:
                    yield PlacedFixture(self._start(deal) + number, self._fixture(line_up, deal))

    def find(self, spelled_id: "SpelledId") -> PlacedFixture | None:
        """The fixture with an id that spells this out, and its position; None if it is not in this wave."""
        numbered = self._numbered(spelled_id.line_up, spelled_id.rotation)
        if numbered is None or spelled_id.deal not in self.deals:
            return None
        number, (table, entries, rotation) = numbered
        return PlacedFixture(
            self._start(spelled_id.deal) + number, Fixture(spelled_id.id, table, entries, spelled_id.deal, rotation)
        )

    def has(self, line_up: str, rotation: int) -> bool:
        """Whether a line-up is one of these.

        `line_up` is the id of its fixtures up to the deal; `rotation` is the number of this way to seat the group.
        """
        return self._numbered(line_up, str(rotation)) is not None

    def position(self, fixture: Fixture) -> int | None:
        """The position of a fixture in plan order; None if it is not in this wave. Positions may have gaps."""
        number = self.line_ups.number(LineUp(fixture.table, fixture.entries, fixture.rotation))
        if number is None or fixture.deal not in self.deals:
            return None
        return self._start(fixture.deal) + number

    def count_after(self, number: int, at: int) -> int:
        """How many fixtures of the line-up with this number come after a position, which may be below 0."""
        deals_before = max(0, (at - number) // self.line_ups.span + 1)
        return max(0, len(self.deals) - deals_before)

    def sittings(
        self, remains: Callable[[int, LineUp], bool], batch: int = 1, order: PlayOrder = ascending
    ) -> Iterator[Sitting]:
        """The remaining fixtures as sittings, piece by piece. Each sitting is made only when it is taken.

        `remains` takes a position and its line-up, and returns whether that fixture is still to be played. `batch` says
        how many matches of a sitting may be played at once; `order` is the order of play within a piece.
        """
        for piece in pieces(self.deals, batch):
            for number, line_up, planned in order(self.line_ups, piece):
                deals = [deal for deal in planned if remains(self._start(deal) + number, line_up)]
                if deals:
                    yield sitting_of(*(self._fixture(line_up, deal) for deal in deals))

    def _number(self, name: str, rotation: str) -> tuple[int, LineUp] | None:
        """The number of a line-up, and the line-up; None if no fixture of this wave has such an id.

        `name` is the id of its fixtures up to the deal; `rotation` is as the id says it.
        """
        fixture = fixture_of(f"{name}/deal-0/turn-{rotation}")
        if fixture is None:
            return None
        line_up = LineUp(fixture.table, fixture.entries, fixture.rotation)
        number = self.line_ups.number(line_up)
        return None if number is None or fixture != self._fixture(line_up, 0) else (number, line_up)

    def _start(self, deal: int) -> int:
        """The position of a deal's first fixture."""
        return self.deals.index(deal) * self.line_ups.span

    def _fixture(self, line_up: LineUp, deal: int) -> Fixture:
        table, entries, rotation = line_up
        name = f"{self._game}/{table}/{'+'.join(entries)}/deal-{deal}/turn-{rotation}"
        return Fixture(name, table, entries, deal, rotation)


class SpelledId(NamedTuple):
    """The parts of a fixture's id that are quickly read.

    Attributes:
        id: the id.
        line_up: all of it before the deal.
        deal: the number of the deal; -1 if the id has none, or not in the form that this module writes.
        rotation: the digits after `turn-`.
    """

    id: str
    line_up: str
    deal: int
    rotation: str


def spelled(fixture_id: str) -> SpelledId:
    """The parts of an id."""
    line_up, _, rest = fixture_id.rpartition("/deal-")
    digits, _, rotation = rest.partition("/turn-")
    deal = int(digits) if digits.isdecimal() and len(digits) <= 18 else -1
    return SpelledId(fixture_id, line_up, deal if digits == str(deal) else -1, rotation)


def fixture_of(fixture_id: str) -> Fixture | None:
    """The fixture that an id spells out, in whatever league it is or was; None if it is no fixture's id."""
    parts = _ID.fullmatch(fixture_id)
    entries = _entries_of(parts["line_up"]) if parts else None
    if parts is None or entries is None:
        return None
    return Fixture(fixture_id, parts["table"], entries, int(parts["deal"]), int(parts["rotation"]))


@lru_cache(maxsize=4096)  # the same line-ups play deal after deal
def _entries_of(line_up: str) -> tuple[str, ...] | None:
    """The entries in a line-up as it stands in an id, by seat; None if it is none."""
    entries = tuple(_ENTRY.findall(line_up))
    return entries if "+".join(entries) == line_up else None


def sitting_of(*fixtures: Fixture) -> Sitting:
    """A sitting over these fixtures, which must have the same line-up and different deals."""
    return Sitting(f"{fixtures[0].id}/and-{len(fixtures) - 1}-more", fixtures)
