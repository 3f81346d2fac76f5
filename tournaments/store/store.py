"""What is kept of a league, and how it is written and read: one transaction for each match.

A store can hold several leagues, each under its name. Only the transcripts are authoritative: digests and outcomes are
read from the stored records and from nothing else. The other columns are there for queries in SQL.
"""

import contextlib
import heapq
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from types import TracebackType
from typing import Any, Self

import msgspec
import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from referee.match.clock import Clock
from referee.match.transcript import Transcript, digest_of
from tournaments.model import Finished, League, Played, StoredVoid
from tournaments.pins import Content, Pinned, hold_builds, hold_to
from tournaments.store import answers, session_lock
from tournaments.store.place import StoreError, engine, is_full, shown
from tournaments.store.rows import (
    Kept,
    Row,
    bytes_of,
    content_of,
    result_of,
    seat_rows,
    table_of,
    text_of,
    transcript_of,
)
from tournaments.store.schema import (
    ENTRY,
    FORMAT,
    LEAGUE,
    MATCH,
    SEAT,
    TABLE,
    TRANSCRIPT,
    VOID,
    create,
    format_of,
    missing,
)

_SNAPSHOT = {"sqlite": "BEGIN", "postgresql": "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"}
"""Begins to read as if nothing were written meanwhile, by dialect."""

_INSERT = {table: sql.insert(table) for table in (SEAT, TRANSCRIPT, VOID)}
_UPDATE_BUILT = (
    sql.update(ENTRY)
    .where(ENTRY.c.league == sql.bindparam("of"), ENTRY.c.name == sql.bindparam("entry"))
    .values(built=sql.bindparam("now"))
)
_FORGIVE = (
    sql.update(VOID)
    .where(VOID.c.league == sql.bindparam("of"), VOID.c.fixture == sql.bindparam("id"))
    .values(counts=False)
)


class Store:
    """The part of a store that belongs to one league. The caller gives all times, in milliseconds since 1970 (UTC).

    Opening a store writes nothing; `open_league` makes the tables and columns that it lacks.

    Every method raises `StoreError` if the store fails or its content cannot be read.
    """

    def __init__(self, url: str, league: str) -> None:
        self._league = league
        self._engine = engine(url)
        self._place = shown(url)
        self._locked: sql.Connection | None = None
        dialect = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        # Made once, since making them costs as much as running them. `rowcount` is -1 on psycopg after DO NOTHING, so
        # they ask for the row itself.
        self._insert_new = {
            table: dialect.insert(table).on_conflict_do_nothing().returning(*table.primary_key)
            for table in (LEAGUE, TABLE, ENTRY, MATCH)
        }
        try:
            with self._telling("opened"), self._engine.connect() as connection:
                self._hold_to_format(connection)
        except StoreError:
            self.close()
            raise

    def _hold_to_format(self, connection: sql.Connection) -> None:
        found = format_of(connection)
        if found not in (None, FORMAT):
            raise StoreError(
                f"the store {self._place} has format {found}, and this Referee knows format {FORMAT} only;"
                " open it with the Referee that made it, or name another store (--store)"
            )
        foreign = sorted({column.table.name for column in missing(connection)[1] if column.server_default is None})
        if foreign:
            raise StoreError(
                f"in {self._place} there is a table {foreign[0]!r} that is not Referee's;"
                " name another database or file (--store)"
            )

    def lock(self) -> None:
        """Be the league's only runner on any machine, until the store is closed or its connection is lost.

        This is for a store on a server, which is then written through that connection only. A SQLite file is locked by
        `lock_path` instead.

        Raises:
            LockHeld: another runner plays the league; the text names that runner.
        """
        if self._engine.dialect.name == "postgresql":
            with self._telling("locked"):
                self._locked = self._engine.connect()
                session_lock.take(self._locked, self._league)

    def close(self) -> None:
        """Close all connections."""
        if self._locked is not None:
            self._locked.close()
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # What is pinned

    def open_league(
        self,
        league: League,
        contents: Mapping[str, Content],
        drawn: bytes,
        now_ms: int,
        *,
        accept_builds: bool = False,
    ) -> Pinned:
        """Pin the league at its first run, and hold it to this at later runs. Added bots and tables are pinned too.

        Args:
            league: from the league file; it must have the name that this store was opened for.
            contents: what its bots consist of, by entry.
            drawn: 32 random bytes; they become the seed at the first run if the file gives none.
            now_ms: the current time.
            accept_builds: whether build output may have changed. What is there now is pinned instead.

        Raises:
            LeagueChanged: something has changed that must stay the same; nothing is written.
        """
        with self._writing() as connection:
            create(connection)
        before = self.pinned()
        if before is not None:
            hold_to(before, league, contents)
            if not accept_builds:
                hold_builds(before, contents)
        pinned = Pinned(
            game=league.game,
            rules_version=league.rules_version,
            rehearsal=league.rehearsal,
            seed=before.seed if before else league.seed or drawn.hex(),
            clock=league.clock,
            tables={table.name: table for table in league.tables},
            contents=dict(contents),
        )
        with self._writing() as connection:
            self._pin(connection, pinned, now_ms)
        return pinned

    def _pin(self, connection: sql.Connection, pinned: Pinned, now_ms: int) -> None:
        league = {
            "game": pinned.game,
            "rules_version": pinned.rules_version,
            "rehearsal": pinned.rehearsal,
            "seed": pinned.seed,
            "seed_sha256": pinned.commitment,
            "clock": text_of(pinned.clock),
            "stored_ms": now_ms,
        }
        self._add(connection, LEAGUE, league)
        for name, table in pinned.tables.items():
            options = text_of(table.options)
            row = {"name": name, "seats": table.seats, "options": options, "seating": table.seating}
            self._add(connection, TABLE, row)
        for name, content in pinned.contents.items():
            row = {"content": content.sources, "built": content.output, "terms": text_of(content.terms)}
            self._add(connection, ENTRY, {"name": name, **row})
            connection.execute(_UPDATE_BUILT, {"of": self._league, "entry": name, "now": content.output})

    def pinned(self) -> Pinned | None:
        """What the first run pinned, with all tables and entries that the league ever had; None before that run."""
        with self._reading() as connection:
            tables, columns = missing(connection)
            if tables:
                return None
            if columns:
                raise StoreError(
                    f"the store {self._place} was made by an earlier Referee and lacks"
                    f" {', '.join(map(str, columns))}; run the league (`referee league run`), which adds what it lacks"
                )
            league = connection.execute(self._of(LEAGUE)).first()
            specs = connection.execute(self._of(TABLE)).all()
            entries = connection.execute(self._of(ENTRY)).all()
        if league is None:
            return None
        return Pinned(
            game=league.game,
            rules_version=league.rules_version,
            rehearsal=league.rehearsal,
            seed=league.seed,
            clock=msgspec.json.decode(league.clock, type=Clock),
            tables={row.name: table_of(row) for row in specs},
            contents={row.name: content_of(row) for row in entries},
        )

    def reinstate(self, entry: str, now_ms: int) -> bool:
        """Exempt an entry from suspension for good; whether the store knows the entry."""
        change = (
            sql.update(ENTRY)
            .where(ENTRY.c.league == self._league, ENTRY.c.name == entry)
            .values(reinstated_ms=now_ms)
            .returning(ENTRY.c.name)
        )
        with self._writing() as connection:
            return connection.execute(change).first() is not None

    def reinstated(self) -> frozenset[str]:
        """The entries that are exempt from suspension."""
        with self._reading() as connection:
            rows = connection.execute(self._of(ENTRY).where(ENTRY.c.reinstated_ms.is_not(None))).all()
        return frozenset(row.name for row in rows)

    # What was played

    def save(self, matches: Sequence[Finished], now_ms: int, voids: Sequence[StoredVoid] = ()) -> int:
        """Store matches, and note which were void: all of it in one transaction, or nothing.

        A match whose fixture has a result already changes nothing.

        Returns:
            How many matches are new.
        """
        found = [(match, {"fixture": match.fixture.id}, *self.rows_of(match)) for match in matches]
        with self._writing() as connection:
            added = self._add(connection, MATCH, *(key | row | {"stored_ms": now_ms} for _, key, row, _ in found))
            ids = {row.fixture for row in added}
            new = [each for each in found if each[0].fixture.id in ids]
            self._insert(connection, SEAT, [key | seat for _, key, _, seats in new for seat in seats])
            self._insert(connection, TRANSCRIPT, [key | bytes_of(match) for match, key, _, _ in new])
            self._insert(connection, VOID, [msgspec.structs.asdict(void) for void in voids])
        return len(new)

    def rows_of(self, match: Finished) -> tuple[Row, list[Row]]:
        """The row of a match and those of its seats, in order, without league, fixture, and the time of storing."""
        result = result_of(match.fixture.id, match.record)
        row = {
            "league_table": match.fixture.table,
            "deal": match.fixture.deal,
            "rotation": match.fixture.rotation,
            "ending": result.outcome.ending,
            "digest": digest_of(match.record),
            "sandbox": match.sandbox or "",
        }
        return row, seat_rows(match, result)

    def kept(self) -> Iterator[Kept]:
        """All that is stored of every fixture, sorted by its id, a few at a time in memory."""
        with self._reading() as connection:
            connection.exec_driver_sql(_SNAPSHOT[self._engine.dialect.name])
            tables = [self._sorted(connection, table) for table in (MATCH, SEAT, TRANSCRIPT)]
            for fixture, rows in groupby(heapq.merge(*tables, key=_fixture), key=_fixture):
                parts: defaultdict[str, list[Any]] = defaultdict(list)
                for table, row in rows:
                    parts[table.name].append(row)
                yield self._kept(fixture, parts[MATCH.name], parts[SEAT.name], parts[TRANSCRIPT.name])

    def _sorted(self, connection: sql.Connection, table: sql.Table) -> Iterator[tuple[sql.Table, Any]]:
        rows = connection.execute(self._of(table).order_by(table.c.fixture)).yield_per(100)
        return ((table, row) for row in rows)

    def _kept(self, fixture: str, match: list[Any], seats: list[Any], transcript: list[Any]) -> Kept:
        return Kept(
            fixture,
            match=dict(match[0]._mapping) if match else None,
            seats={row.seat: dict(row._mapping) for row in seats},
            record=transcript[0].record if transcript else None,
            transcript=transcript_of(transcript[0]) if transcript else None,
        )

    def results(self) -> list[Played]:
        """Every result, in no particular order."""
        query = (
            sql.select(MATCH.c.fixture, MATCH.c.stored_ms, TRANSCRIPT.c.record)
            .join_from(MATCH, TRANSCRIPT)
            .where(MATCH.c.league == self._league)
        )
        with self._reading() as connection:
            played = [
                (fixture, stored_ms, digest_of(record), result_of(fixture, record))
                for fixture, stored_ms, record in connection.execute(query).yield_per(1_000)
            ]
            # Read the seats after the matches: a match stored in between is then missing above, not its seats here.
            seats = self._read_seats(connection)
        return [
            Played(
                fixture=fixture,
                digest=digest,
                entries=result.header.entries,
                outcome=result.outcome,
                faults=result.faults,
                decisions=tuple(decisions for decisions, _ in seats[fixture]),
                thinking_us=tuple(thinking_us for _, thinking_us in seats[fixture]),
                stored_ms=stored_ms,
            )
            for fixture, stored_ms, digest, result in played
        ]

    def offenders(self) -> Iterator[tuple[str, frozenset[str]]]:
        """For every result: the fixture's id, and the entries whose fault cut it short; a few at a time in memory."""
        query = sql.select(TRANSCRIPT.c.fixture, TRANSCRIPT.c.record).where(TRANSCRIPT.c.league == self._league)
        with self._reading() as connection:
            for fixture, record in connection.execute(query).yield_per(1_000):
                result = result_of(fixture, record)
                yield fixture, frozenset(result.header.entries[fault.seat] for fault in result.faults)

    def record_digests(self) -> dict[str, str]:
        """By fixture, the digest that its record has now, in no particular order. Nothing is decoded."""
        query = sql.select(TRANSCRIPT.c.fixture, TRANSCRIPT.c.record).where(TRANSCRIPT.c.league == self._league)
        with self._reading() as connection:
            return {fixture: digest_of(record) for fixture, record in connection.execute(query).yield_per(1_000)}

    def _read_seats(self, connection: sql.Connection) -> Mapping[str, list[tuple[int, int]]]:
        """By fixture and seat: how many decisions the seat had, and how long they took in microseconds."""
        query = (
            sql.select(SEAT.c.fixture, SEAT.c.decisions, SEAT.c.thinking_us)
            .where(SEAT.c.league == self._league)
            .order_by(SEAT.c.fixture, SEAT.c.seat)
        )
        seats: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for fixture, decisions, thinking_us in connection.execute(query).yield_per(1_000):
            seats[fixture].append((decisions, thinking_us))
        return seats

    def transcript(self, fixture: str) -> Transcript | None:
        """The transcript of a fixture, None if it has no result."""
        with self._reading() as connection:
            row = connection.execute(self._of(TRANSCRIPT).where(TRANSCRIPT.c.fixture == fixture)).first()
        return None if row is None else transcript_of(row)

    def transcripts(self) -> Iterator[tuple[str, Transcript]]:
        """Every transcript with the id of its fixture, sorted by that id, a few at a time in memory."""
        query = self._of(TRANSCRIPT).order_by(TRANSCRIPT.c.fixture)
        with self._reading() as connection:
            for row in connection.execute(query).yield_per(100):
                yield row.fixture, transcript_of(row)

    def sandboxes(self) -> dict[str, int]:
        """How many matches were played in each kind of sandbox, by name; empty where no bot was in a folder."""
        query = sql.select(MATCH.c.sandbox, sql.func.count().label("matches")).where(MATCH.c.league == self._league)
        with self._reading() as connection:
            rows = connection.execute(query.group_by(MATCH.c.sandbox).order_by(MATCH.c.sandbox)).all()
        return {row.sandbox: row.matches for row in rows}

    def voids(self) -> tuple[StoredVoid, ...]:
        """Every void match, oldest first."""
        with self._reading() as connection:
            rows = connection.execute(self._of(VOID).order_by(VOID.c.number)).all()
        return tuple(StoredVoid(row.fixture, row.reason, row.stored_ms, row.busy, row.counts) for row in rows)

    def retry(self, fixtures: Collection[str]) -> None:
        """Let no void match of these fixtures count any more. They stay in the store."""
        if fixtures:
            with self._writing() as connection:
                connection.execute(_FORGIVE, [{"of": self._league, "id": fixture} for fixture in fixtures])

    # What took long to compute

    def recall(self, question: str, key: str) -> bytes | None:
        """The kept answer to a question, if it has this key, which is a digest of all that it was computed from."""
        with self._reading() as connection:
            return answers.recall(connection, self._league, question, key)

    def keep(self, question: str, key: str, answer: bytes) -> None:
        """Keep an answer instead of the last one to this question. Where nothing can be written, nothing happens."""
        with contextlib.suppress(StoreError), self._writing() as connection:
            answers.keep(connection, self._league, question, key, answer)

    # How it is done

    def _of(self, table: sql.Table) -> sql.Select[Any]:
        return sql.select(table).where(table.c.league == self._league)

    def _add(self, connection: sql.Connection, table: sql.Table, *rows: Row) -> Sequence[sql.Row[Any]]:
        """Insert rows for this league, except those whose key is there already; the keys of those inserted."""
        own = [row | {"league": self._league} for row in rows]
        return connection.execute(self._insert_new[table], own).all() if own else ()

    def _insert(self, connection: sql.Connection, table: sql.Table, rows: Sequence[Row]) -> None:
        """Insert rows for this league."""
        if rows:
            connection.execute(_INSERT[table], [row | {"league": self._league} for row in rows])

    @contextmanager
    def _reading(self) -> Iterator[sql.Connection]:
        with self._telling("read"), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sql.Connection]:
        with self._telling("written"), self._writer() as connection, connection.begin():
            yield connection

    @contextmanager
    def _writer(self) -> Iterator[sql.Connection]:
        if self._locked is not None:
            if self._locked.invalidated:  # it would reconnect, but without the lock
                raise StoreError(f"the store {self._place} is no longer written: the connection with the lock was lost")
            yield self._locked
        else:
            with self._engine.connect() as connection:
                yield connection

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            # PostgreSQL appends the statement to its message.
            sentence, _, _ = str(getattr(error, "orig", None) or error).partition("\nLINE ")
            reason = " ".join(sentence.split())
            hint = "; free space on the disk, then the same command goes on" if is_full(error) else ""
            raise StoreError(f"the store {self._place} could not be {what}: {reason}{hint}") from error


def _fixture(found: tuple[sql.Table, Any]) -> str:
    fixture: str = found[1].fixture
    return fixture
