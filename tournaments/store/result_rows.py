"""The results of a league, from its records; and the data in columns, because reading all records takes long.

Rows come by fixture, page by page: nothing stays open while the caller takes its time over them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import sqlalchemy as sql

from tournaments.league.model import StoredMatch
from tournaments.store.database import Database
from tournaments.store.rows import SeatRows, seat_rows_by_fixture, stored_match
from tournaments.store.schema import MATCH, SEAT, TRANSCRIPT
from tournaments.store.transcript_packing import Unpacking

PAGE = 500
"""How many rows of a table are read in one transaction."""

LONG_PAGE = 4_000
"""How many, where a row is short."""

Page: TypeAlias = list[list[tuple[sql.Table, Any]]]
"""All rows of some fixtures, table by table, sorted by fixture."""


def pages(
    database: Database, league: str, tables: Iterable[sql.Table], after: str = "", upto: str | None = None
) -> Iterator[Page]:
    """The rows of a league in these tables, sorted by fixture.

    A page is read at once. A transaction that stayed open during writes would make the log of SQLite grow, and would
    keep PostgreSQL from clearing away old rows.

    Each table has a column `fixture`. Only fixtures whose id comes after `after`, up to `upto`; None: to the end.
    """
    all_tables = tuple(tables)
    while True:
        with database.snapshot() as connection:
            end = _end_of_page(connection, [_between(table, league, after, upto) for table in all_tables], upto)
            found = ((table, connection.execute(_between(table, league, after, end))) for table in all_tables)
            page = [[(table, row) for row in rows] for table, rows in found]
        yield page
        if end is None or end == upto:
            return
        after = end


def paged(database: Database, query: sql.Select[Any], fixture: sql.Column[str]) -> Iterator[Sequence[Any]]:
    """The rows of a query that has one for each fixture, sorted by it, page by page. No page is empty.

    A page takes some hundredths of a second, and nothing stays open while the caller works.

    The query selects the fixture under that name.
    """
    page_query, after = query.order_by(fixture).limit(LONG_PAGE), ""
    while True:
        with database.reading() as connection:
            rows = connection.execute(page_query.where(fixture > after)).all()
        if rows:
            yield rows
        if len(rows) < LONG_PAGE:
            return
        after = rows[-1].fixture


def _end_of_page(connection: sql.Connection, queries: Iterable[sql.Select[Any]], upto: str | None) -> str | None:
    """The fixture that a page ends with; `upto` if it is the last page."""
    fixtures = (query.with_only_columns(query.selected_columns.fixture) for query in queries)
    nth = [connection.scalar(each.offset(PAGE - 1).limit(1)) for each in fixtures]
    return min((fixture for fixture in nth if fixture is not None), default=upto)


def _between(table: sql.Table, league: str, after: str, upto: str | None) -> sql.Select[Any]:
    """The rows whose fixture comes after one id, and not after the other, sorted by it."""
    rows = sql.select(table).where(table.c.league == league, table.c.fixture > after).order_by(table.c.fixture)
    return rows if upto is None else rows.where(table.c.fixture <= upto)


def read(database: Database, league: str, unpacking: Unpacking) -> list[StoredMatch]:
    """Every result, sorted by fixture. Equal parts of them are the same object, so that the others need no memory.

    Results come and go, but never change. So they are read page by page, and no transaction stays open while they are
    decoded. A result that is stored meanwhile may or may not be there.
    """
    parts: dict[Any, Any] = {}
    query = (
        sql.select(MATCH.c.fixture, MATCH.c.stored_ms, TRANSCRIPT.c.record, TRANSCRIPT.c.dictionary)
        .join_from(MATCH, TRANSCRIPT)
        .where(MATCH.c.league == league)
    )
    return [
        stored_match(row, record, seats[row.fixture], lambda part: parts.setdefault(part, part))
        for rows in paged(database, query, MATCH.c.fixture)
        for seats in (_seats(database, league, rows[0].fixture, rows[-1].fixture),)
        for row in rows
        for record in (unpacking.unpacked(row.fixture, row.record, row.dictionary),)
        if row.fixture in seats  # or it has just become void
    ]


def _seats(database: Database, league: str, first: str, last: str) -> SeatRows:
    """The seats of the results from the first fixture to the last."""
    with database.reading() as connection:
        return seat_rows_by_fixture(
            connection, SEAT.c.league == league, SEAT.c.fixture >= first, SEAT.c.fixture <= last
        )
