"""Matches that are searched, a page at a time. Only the transcripts of the page are read."""

import contextlib
from collections import defaultdict
from collections.abc import Sequence, Set
from typing import Any, NamedTuple

import sqlalchemy as sql

from referee.match.transcript import digest_of
from tournaments.league.model import StoredMatch
from tournaments.store.address import StoreError
from tournaments.store.database import Database
from tournaments.store.rows import result_of
from tournaments.store.schema import MATCH, SEAT, TRANSCRIPT
from tournaments.store.transcript_unpacking import Unpacking

_INDEXES = (
    "CREATE INDEX IF NOT EXISTS match_searched ON match (league, deal DESC, fixture, ending, league_table)",
    "CREATE INDEX IF NOT EXISTS seat_searched ON seat (league, entry, fixture, fault, seat)",
)
"""They have all that a search asks for, so that a search that finds nothing reads no row. A store without them has lost
nothing."""


class MatchSearch(NamedTuple):
    """Which matches are looked for. None: it does not matter.

    Attributes:
        bot: the name of an entry that has a seat in it.
        ending: how it ended.
        fault: the kind of fault that cut it short; with `bot`, that of this bot.
        table: the name of the table.
        seat: the number of a seat, from 0; with `bot`, one that it has, and with `fault`, the one at fault.
    """

    bot: str | None = None
    ending: str | None = None
    fault: str | None = None
    table: str | None = None
    seat: int | None = None


class HiddenResults(NamedTuple):
    """The matches that nobody finds by how they ended, because the searcher may not know it.

    Attributes:
        tables: those at these tables.
        first_deal: on deals from this number on.
        remote: except for those with one of these entries.
    """

    tables: Set[str]
    first_deal: int
    remote: Set[str]


class ListCursor(NamedTuple):
    """Where a match stands in a list: the latest deal first, then by the id of its fixture."""

    deal: int
    fixture: str


class Matches:
    """The matches of one league, to be searched. Every method raises `StoreError` if the store fails."""

    def __init__(self, database: Database, league: str, unpacking: Unpacking) -> None:
        self._database = database
        self._league = league
        self._unpacking = unpacking

    def count(self, before_ms: int | None = None) -> int:
        """How many are stored, whether they count or not; only those that were stored before a time, if it is given."""
        query = sql.select(sql.func.count()).where(MATCH.c.league == self._league)
        with self._database.reading() as connection:
            return connection.scalar(query if before_ms is None else query.where(MATCH.c.stored_ms < before_ms)) or 0

    def find(
        self,
        search: MatchSearch,
        after: ListCursor | None,
        most: int,
        untold: HiddenResults | None = None,
        before_ms: int | None = None,
    ) -> list[StoredMatch]:
        """The matches that are looked for, the latest deal first, then by fixture.

        Only those that come after the place `after`, and that were stored before `before_ms`.
        """
        conditions = self._conditions(search, after)
        if untold is not None and (search.ending is not None or search.fault is not None):
            conditions.append(self._told(untold))
        if before_ms is not None:
            conditions.append(MATCH.c.stored_ms < before_ms)
        query = sql.select(MATCH.c.fixture).where(*conditions)
        with self._database.snapshot() as connection:
            fixtures = connection.scalars(query.order_by(MATCH.c.deal.desc(), MATCH.c.fixture).limit(most)).all()
            found = self._read(connection, fixtures)
        return [found[fixture] for fixture in fixtures if fixture in found]

    def one(self, fixture: str) -> StoredMatch | None:
        """The result of a fixture; None if it has none."""
        with self._database.snapshot() as connection:
            return self._read(connection, [fixture]).get(fixture)

    def index(self) -> None:
        """Make searching fast, if the store can be written."""
        with contextlib.suppress(StoreError), self._database.writing() as connection:
            for statement in _INDEXES:
                connection.exec_driver_sql(statement)

    def _conditions(self, search: MatchSearch, after: ListCursor | None) -> list[sql.ColumnElement[bool]]:
        found = [MATCH.c.league == self._league]
        found += [] if search.table is None else [MATCH.c.league_table == search.table]
        found += [] if search.ending is None else [MATCH.c.ending == search.ending]
        seats = self._seats(search)
        if seats:
            asked = sql.select(SEAT.c.fixture).where(SEAT.c.league == self._league, *seats)
            found.append(MATCH.c.fixture.in_(asked))
        if after is not None:
            later = sql.and_(MATCH.c.deal == after.deal, MATCH.c.fixture > after.fixture)
            found.append(sql.or_(MATCH.c.deal < after.deal, later))
        return found

    def _told(self, untold: HiddenResults) -> sql.ColumnElement[bool]:
        """The condition that the searcher may know how a match ended."""
        own_deals = sql.select(SEAT.c.fixture).where(SEAT.c.league == self._league, SEAT.c.entry.in_(untold.remote))
        return sql.or_(
            MATCH.c.league_table.not_in(untold.tables),
            MATCH.c.deal < untold.first_deal,
            MATCH.c.fixture.in_(own_deals),
        )

    def _seats(self, search: MatchSearch) -> list[sql.ColumnElement[bool]]:
        """The conditions on one of the seats of a match."""
        asked = ((SEAT.c.entry, search.bot), (SEAT.c.fault, search.fault), (SEAT.c.seat, search.seat))
        return [column == value for column, value in asked if value is not None]

    def _read(self, connection: sql.Connection, fixtures: Sequence[str]) -> dict[str, StoredMatch]:
        """The results of some fixtures, by id. A match without its transcript, in a damaged store, is none."""
        seats: defaultdict[str, list[Any]] = defaultdict(list)
        for row in connection.execute(self._of(SEAT, fixtures).order_by(SEAT.c.fixture, SEAT.c.seat)):
            seats[row.fixture].append(row)
        records = {row.fixture: row for row in connection.execute(self._of(TRANSCRIPT, fixtures))}
        rows = connection.execute(self._of(MATCH, fixtures))
        return {
            row.fixture: self._played(row, seats[row.fixture], records[row.fixture])
            for row in rows
            if row.fixture in records
        }

    def _played(self, match: Any, seats: Sequence[Any], transcript: Any) -> StoredMatch:
        record = self._unpacking.unpacked(match.fixture, transcript.record, transcript.dictionary)
        result = result_of(match.fixture, record)
        return StoredMatch(
            fixture=match.fixture,
            digest=digest_of(record),
            entries=result.header.entries,
            outcome=result.outcome,
            faults=result.faults,
            decisions=tuple(seat.decisions for seat in seats),
            thinking_us=tuple(seat.thinking_us for seat in seats),
            stored_ms=match.stored_ms,
            tries=tuple(getattr(seat, "tries", 0) for seat in seats),  # an early store has no such columns
            tokens=tuple(getattr(seat, "tokens", 0) for seat in seats),
        )

    def _of(self, table: sql.Table, fixtures: Sequence[str]) -> sql.Select[Any]:
        return sql.select(table).where(table.c.league == self._league, table.c.fixture.in_(fixtures))
