"""Matches that are searched, a page at a time. Only the transcripts of the page are read."""

import contextlib
from collections.abc import Sequence, Set
from typing import Any, Literal, NamedTuple, TypeAlias

import sqlalchemy as sql

from tournaments.league.model import StoredMatch
from tournaments.store.database import Database
from tournaments.store.rows import seat_rows_by_fixture, stored_match
from tournaments.store.schema import MATCH, SEAT, TRANSCRIPT
from tournaments.store.store_errors import StoreError
from tournaments.store.transcript_packing import Unpacking

_INDEXES = (
    "CREATE INDEX IF NOT EXISTS match_searched ON match (league, deal DESC, fixture, ending, league_table)",
    "CREATE INDEX IF NOT EXISTS seat_searched ON seat (league, entry, fixture, fault, seat, place)",
)
"""They have all that a search asks for, so that a search that finds nothing reads no row. A store without them has lost
nothing."""


MatchResult: TypeAlias = Literal["won", "lost", "drawn"]
"""The result of a match for one seat. It is drawn if all places are equal, unless all seats are one side."""


class MatchSearch(NamedTuple):
    """Which matches are looked for. None: it does not matter.

    Attributes:
        bots: the names of entries; one of them has a seat in it.
        others: the names of entries; one of them has another seat in it.
        result: its result for one of `bots`.
        ending: how it ended.
        fault: the kind of fault that cut it short; with `bots`, that of one of these.
        table: the name of the table.
        deal: the number of the deal, from 0.
        seat: the number of a seat, from 0; with `bots`, one that one of these has, and with `fault`, the one at fault.
        as_one: the names of the tables where all seats are one side.
    """

    bots: Sequence[str] | None = None
    others: Sequence[str] | None = None
    result: MatchResult | None = None
    ending: str | None = None
    fault: str | None = None
    table: str | None = None
    deal: int | None = None
    seat: int | None = None
    as_one: Sequence[str] = ()

    @property
    def asks_for_result(self) -> bool:
        """Whether it depends on how matches ended."""
        return any(each is not None for each in (self.result, self.ending, self.fault))


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
        if untold is not None and search.asks_for_result:
            conditions.append(self._may_know_result(untold))
        if before_ms is not None:
            conditions.append(MATCH.c.stored_ms < before_ms)
        query = sql.select(MATCH.c.fixture).where(*conditions)
        with self._database.snapshot() as connection:
            fixtures = connection.scalars(query.order_by(MATCH.c.deal.desc(), MATCH.c.fixture).limit(most)).all()
            found = self._read(connection, fixtures)
        return [found[fixture] for fixture in fixtures if fixture in found]

    def beside(self, place: ListCursor, before_ms: int | None = None) -> tuple[str | None, str | None]:
        """The fixtures just before and just after this place in the list of all matches; None where there is none."""
        conditions = [MATCH.c.league == self._league]
        conditions += [] if before_ms is None else [MATCH.c.stored_ms < before_ms]
        same, query = MATCH.c.deal == place.deal, sql.select(MATCH.c.fixture).limit(1)
        above = sql.or_(MATCH.c.deal > place.deal, sql.and_(same, MATCH.c.fixture < place.fixture))
        below = sql.or_(MATCH.c.deal < place.deal, sql.and_(same, MATCH.c.fixture > place.fixture))
        with self._database.snapshot() as connection:
            return (
                connection.scalar(query.where(*conditions, above).order_by(MATCH.c.deal, MATCH.c.fixture.desc())),
                connection.scalar(query.where(*conditions, below).order_by(MATCH.c.deal.desc(), MATCH.c.fixture)),
            )

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
        found += [] if search.deal is None else [MATCH.c.deal == search.deal]
        found += [] if search.ending is None else [MATCH.c.ending == search.ending]
        seats = self._seats(search)
        if seats:
            fixtures = sql.select(SEAT.c.fixture).where(SEAT.c.league == self._league, *seats)
            found.append(MATCH.c.fixture.in_(fixtures))
        if search.result in {"won", "drawn"}:
            decided = sql.or_(self._has_last_places(), MATCH.c.league_table.in_(search.as_one))
            found.append(decided if search.result == "won" else sql.not_(decided))
        if after is not None:
            later = sql.and_(MATCH.c.deal == after.deal, MATCH.c.fixture > after.fixture)
            found.append(sql.or_(MATCH.c.deal < after.deal, later))
        return found

    def _has_last_places(self) -> sql.ColumnElement[bool]:
        """The condition that a seat of the match has another place than the first."""
        last = sql.select(SEAT.c.fixture).where(
            SEAT.c.league == self._league, SEAT.c.fixture == MATCH.c.fixture, SEAT.c.place > 1
        )
        return last.correlate(MATCH).exists()

    def _may_know_result(self, untold: HiddenResults) -> sql.ColumnElement[bool]:
        """The condition that the searcher may know how a match ended."""
        own_deals = sql.select(SEAT.c.fixture).where(SEAT.c.league == self._league, SEAT.c.entry.in_(untold.remote))
        return sql.or_(
            MATCH.c.league_table.not_in(untold.tables),
            MATCH.c.deal < untold.first_deal,
            MATCH.c.fixture.in_(own_deals),
        )

    def _seats(self, search: MatchSearch) -> list[sql.ColumnElement[bool]]:
        """The conditions on one of the seats of a match."""
        pairs = ((SEAT.c.fault, search.fault), (SEAT.c.seat, search.seat))
        found = [column == value for column, value in pairs if value is not None]
        found += [] if search.bots is None else [SEAT.c.entry.in_(search.bots)]
        if search.result is not None:
            found.append(SEAT.c.place > 1 if search.result == "lost" else SEAT.c.place == 1)
        if search.others is not None:
            other = SEAT.alias()
            beside = (other.c.league == self._league, other.c.fixture == SEAT.c.fixture, other.c.seat != SEAT.c.seat)
            found.append(sql.select(other.c.seat).where(*beside, other.c.entry.in_(search.others)).exists())
        return found

    def _read(self, connection: sql.Connection, fixtures: Sequence[str]) -> dict[str, StoredMatch]:
        """The results of some fixtures, by id. One without transcript or seats, in a damaged store, is none."""
        these = (SEAT.c.league == self._league, SEAT.c.fixture.in_(fixtures))
        seats = seat_rows_by_fixture(connection, *these)
        records = {row.fixture: row for row in connection.execute(self._of(TRANSCRIPT, fixtures))}
        return {
            row.fixture: stored_match(row, self._unpacked(records[row.fixture]), seats[row.fixture])
            for row in connection.execute(self._of(MATCH, fixtures))
            if row.fixture in records and row.fixture in seats
        }

    def _unpacked(self, row: Any) -> bytes:
        return self._unpacking.unpacked(row.fixture, row.record, row.dictionary)

    def _of(self, table: sql.Table, fixtures: Sequence[str]) -> sql.Select[Any]:
        return sql.select(table).where(table.c.league == self._league, table.c.fixture.in_(fixtures))
