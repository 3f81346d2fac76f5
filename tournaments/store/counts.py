"""Counts of what is stored, made by the database. No transcript is read.

All answers are about the moment of the first question, even if the league is played meanwhile. The columns are those
beside the transcripts, which `league verify` compares with them.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import sqlalchemy as sql

from tournaments.store.schema import MATCH, SEAT, TRANSCRIPT


def _words(text: str) -> sql.ColumnClause[str]:
    """A text of ours, as part of the statement: PostgreSQL does not group by what it is given separately."""
    return sql.literal_column(f"'{text}'", sql.Text)


_DEAL = _words("/deal-") + sql.cast(MATCH.c.deal, sql.Text) + _words("/turn-") + sql.cast(MATCH.c.rotation, sql.Text)
"""The end of a fixture's id."""

_LINE_UP = sql.func.replace(MATCH.c.fixture, _DEAL, _words(""))
"""What comes before that."""

_AT_ONCE = 500
"""How many ids a query names at most; databases have a limit."""


class LineUpCount(NamedTuple):
    """How many results one line-up has.

    Attributes:
        line_up: the id of its fixtures up to the deal.
        rotation: the number of this way to seat the group.
        results: how many there are.
    """

    line_up: str
    rotation: int
    results: int


class SeatFault(NamedTuple):
    """A seat whose fault cut a match short.

    Attributes:
        stored_ms: when the match was stored, in milliseconds since 1970 (UTC).
        fixture: the id of its fixture.
        entry: the bot in the seat.
        kind: the kind of fault.
    """

    stored_ms: int
    fixture: str
    entry: str
    kind: str


class FaultCount(NamedTuple):
    """How many matches the faults of an entry of this kind cut short."""

    entry: str
    kind: str
    matches: int


class StoreCounts:
    """The results of one league at the moment of the first question."""

    def __init__(self, connection: sql.Connection, league: str) -> None:
        self._connection = connection
        self._league = league

    def line_ups(self, deals: range) -> list[LineUpCount]:
        """The results on these deals, by line-up."""
        query = (
            self._results(_LINE_UP, MATCH.c.rotation, sql.func.count())
            .where(MATCH.c.deal >= deals.start, MATCH.c.deal < deals.stop)
            .group_by(_LINE_UP, MATCH.c.rotation)
        )
        return [LineUpCount(*row) for row in self._connection.execute(query)]

    def since(self, deal: int) -> Iterator[tuple[int, str]]:
        """Every result on this deal and those after it, deal by deal: the deal and the fixture id; a few in memory."""
        query = self._results(MATCH.c.deal, MATCH.c.fixture).where(MATCH.c.deal >= deal).order_by(MATCH.c.deal)
        return ((deal, fixture) for deal, fixture in self._connection.execute(query).yield_per(1_000))

    def faults(self) -> Iterator[tuple[str, str]]:
        """The fixture id and the entry of every seat whose fault cut a match short."""
        return self._seats(SEAT.c.fault.is_not(None))

    def latest_faults(self, most: int) -> list[SeatFault]:
        """The faults of the matches that were stored last, the latest first."""
        query = (
            sql.select(MATCH.c.stored_ms, SEAT.c.fixture, SEAT.c.entry, SEAT.c.fault)
            .join_from(SEAT, MATCH, sql.and_(SEAT.c.league == MATCH.c.league, SEAT.c.fixture == MATCH.c.fixture))
            .where(SEAT.c.league == self._league, SEAT.c.fault.is_not(None))
            .order_by(MATCH.c.stored_ms.desc(), SEAT.c.fixture, SEAT.c.seat)
            .limit(most)
        )
        return [SeatFault(*row) for row in self._connection.execute(query)]

    def faults_by_entry(self) -> list[FaultCount]:
        """How many matches the faults of each entry cut short, by kind."""
        query = (
            sql.select(SEAT.c.entry, SEAT.c.fault, sql.func.count())
            .where(SEAT.c.league == self._league, SEAT.c.fault.is_not(None))
            .group_by(SEAT.c.entry, SEAT.c.fault)
            .order_by(sql.func.count().desc(), SEAT.c.entry, SEAT.c.fault)
        )
        return [FaultCount(*row) for row in self._connection.execute(query)]

    def last_stored(self, span_ms: int) -> int:
        """How many matches were stored in so many milliseconds before the last one was, this one included."""
        here = MATCH.c.league == self._league
        newest = sql.func.max(MATCH.c.stored_ms, type_=sql.BigInteger)
        last_ms = self._connection.scalar(sql.select(newest).where(here)) or 0
        query = sql.select(sql.func.count()).where(here, MATCH.c.stored_ms > last_ms - span_ms)
        return self._connection.scalar(query) or 0

    def of(self, entry: str) -> Iterator[str]:
        """The fixture id of every result of an entry; as often as it had seats."""
        return (fixture for fixture, _ in self._seats(SEAT.c.entry == entry))

    def among(self, fixtures: Iterable[str]) -> frozenset[str]:
        """Those of these fixtures, given by id, that have a result."""
        ids = list(fixtures)
        parts = (ids[at : at + _AT_ONCE] for at in range(0, len(ids), _AT_ONCE))
        queries = (self._results(MATCH.c.fixture).where(MATCH.c.fixture.in_(part)) for part in parts)
        return frozenset(fixture for query in queries for (fixture,) in self._connection.execute(query))

    def transcripts(self) -> int:
        """How many transcripts there are."""
        query = sql.select(sql.func.count()).select_from(TRANSCRIPT).where(TRANSCRIPT.c.league == self._league)
        return self._connection.scalar(query) or 0

    def every(self, nth: int) -> list[str]:
        """Of all transcripts, sorted by fixture id, the id of every n-th."""
        number = sql.func.row_number().over(order_by=TRANSCRIPT.c.fixture).label("number")
        sorted_ = sql.select(TRANSCRIPT.c.fixture, number).where(TRANSCRIPT.c.league == self._league).subquery()
        query = sql.select(sorted_.c.fixture).where(sorted_.c.number % nth == 0).order_by(sorted_.c.number)
        return list(self._connection.scalars(query))

    def _results(self, *columns: sql.ColumnElement[Any]) -> sql.Select[Any]:
        """Of every match that has a transcript, which is what makes it a result."""
        return sql.select(*columns).join_from(MATCH, TRANSCRIPT).where(MATCH.c.league == self._league)

    def _seats(self, which: sql.ColumnElement[bool]) -> Iterator[tuple[str, str]]:
        query = sql.select(SEAT.c.fixture, SEAT.c.entry).where(SEAT.c.league == self._league, which)
        return ((fixture, entry) for fixture, entry in self._connection.execute(query).yield_per(1_000))
