"""The results of a league, from its records; and the data in columns, because reading all records takes long."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar

import sqlalchemy as sql

from referee.match.transcript import digest_of
from tournaments.league.model import StoredMatch
from tournaments.store.database import Database
from tournaments.store.row_pages import paged
from tournaments.store.rows import result_of
from tournaments.store.schema import MATCH, SEAT, TRANSCRIPT
from tournaments.store.transcript_unpacking import Unpacking

_T = TypeVar("_T")
_Seats: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""By seat: how many decisions it had, how long they took in microseconds, how many tries and tokens they took."""


def read(database: Database, league: str, unpacking: Unpacking) -> list[StoredMatch]:
    """Every result, sorted by fixture. Equal parts of them are the same object.

    Results come and go, but never change. So they are read page by page, and no transaction stays open while they are
    decoded. A result that is stored meanwhile may or may not be there.
    """
    one = _OneOfEach()
    query = (
        sql.select(MATCH.c.fixture, MATCH.c.stored_ms, TRANSCRIPT.c.record, TRANSCRIPT.c.dictionary)
        .join_from(MATCH, TRANSCRIPT)
        .where(MATCH.c.league == league)
    )
    return [
        StoredMatch(
            fixture=fixture,
            digest=digest_of(record),
            entries=one.of(result.header.entries),
            outcome=one.of(result.outcome),
            faults=one.of(result.faults),
            decisions=one.of(decisions),
            thinking_us=thinking_us,
            stored_ms=stored_ms,
            tries=one.of(tries),
            tokens=one.of(tokens),
        )
        for rows in paged(database, query, MATCH.c.fixture)
        for seats in (_seats(database, league, rows[0].fixture, rows[-1].fixture),)
        for fixture, stored_ms, packed, number in rows
        for record in (unpacking.unpacked(fixture, packed, number),)
        if fixture in seats  # or it has just become void
        for decisions, thinking_us, tries, tokens in (seats[fixture],)
        for result in (result_of(fixture, record, len(decisions)),)
    ]


def offenders(connection: sql.Connection, league: str) -> Iterator[tuple[str, frozenset[str]]]:
    """For every result, sorted by fixture: its id, and the entries whose fault cut it short, as the columns say."""
    at_fault = sql.and_(SEAT.c.league == MATCH.c.league, SEAT.c.fixture == MATCH.c.fixture, SEAT.c.fault.is_not(None))
    query = (
        sql.select(MATCH.c.fixture, sql.type_coerce(SEAT.c.entry, sql.Text))
        .join_from(MATCH, SEAT, at_fault, isouter=True)
        .where(MATCH.c.league == league)
        .order_by(MATCH.c.fixture)
    )
    for fixture, rows in groupby(connection.execute(query).yield_per(1_000), key=itemgetter(0)):
        yield fixture, frozenset(entry for _, entry in rows if entry is not None)


def _seats(database: Database, league: str, first: str, last: str) -> dict[str, _Seats]:
    """The seats of the results from the first fixture to the last, by fixture."""
    with database.reading() as connection:
        query = (
            sql.select(SEAT.c.fixture, SEAT.c.decisions, SEAT.c.thinking_us, SEAT.c.tries, SEAT.c.tokens)
            .where(SEAT.c.league == league, SEAT.c.fixture >= first, SEAT.c.fixture <= last)
            .order_by(SEAT.c.fixture, SEAT.c.seat)
        )
        rows = connection.execute(query).all()
    found: dict[str, _Seats] = {}
    for fixture, seats in groupby(rows, key=itemgetter(0)):
        _, decisions, thinking_us, tries, tokens = zip(*seats, strict=True)
        found[fixture] = decisions, thinking_us, tries, tokens
    return found


class _OneOfEach:
    """Keeps one object of all that are equal, so that the others need no memory."""

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}

    def of(self, value: _T) -> _T:
        """The first object that was equal to this one."""
        found: _T = self._known.setdefault(value, value)
        return found
