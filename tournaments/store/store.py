"""The store of a league, written and read with one transaction for each group of matches.

A store can hold several leagues, each under its name. The transcripts are authoritative: results, with their outcomes
and digests, are read from the stored records. One question is answered from the other columns, because reading all
records takes long: which fixtures have results and who was at fault (`offenders`). `kept` gives both, so that a caller
can compare them.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, Self

import msgspec
import sqlalchemy as sql

from referee.match.transcript import Transcript, digest_of
from tournaments.league.model import FinishedMatch, League, StoredMatch, StoredVoid
from tournaments.league.status import Fleet
from tournaments.store import result_rows, rows, transcript_packing
from tournaments.store.accounts import People
from tournaments.store.counts import StoreCounts
from tournaments.store.database import Database, insert_of
from tournaments.store.decision_rows import DecisionStore
from tournaments.store.league_calendar import LeagueCalendar
from tournaments.store.match_search import Matches
from tournaments.store.pinned_league import Content, Pinned, check_builds, check_pins, keep_pins
from tournaments.store.prune_rows import Pruning
from tournaments.store.result_rows import Page, pages
from tournaments.store.rows import FixtureRows, Row, bytes_of, result_of, seat_rows, transcript_of
from tournaments.store.schema import BROKEN_BATCH, FLEET, LEAGUE, MATCH, SEAT, TRANSCRIPT, VOID
from tournaments.store.scrimmages import Scrimmages
from tournaments.store.side_tables import TableCache
from tournaments.store.submissions import Submissions
from tournaments.store.transcript_packing import NumberedDictionary, Unpacking
from tournaments.store.trees import Trees

_INSERT = {table: sql.insert(table) for table in (SEAT, TRANSCRIPT, VOID)}


class Store(DecisionStore):
    """The part of a store that belongs to one league. The caller gives all times, in milliseconds since 1970 (UTC).

    Opening a store writes nothing. The first write makes the tables of an empty one.

    Every method raises `StoreError` if the store fails or its content cannot be read.
    """

    def __init__(self, url: str, league: str) -> None:
        super().__init__(Database(url), league)
        self._newest: NumberedDictionary | None = None
        self._unpacking = Unpacking(self._database, league)

    @property
    def url(self) -> str:
        """Its address. It may have a password, so never print it."""
        return self._database.url

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever written into it, for any league. Then nothing but `pinned` can be read."""
        return self._database.is_empty()

    def prepare(self) -> None:
        """Let an empty store be read, as one without the league."""
        self._database.prepare()

    @property
    def trees(self) -> Trees:
        """The trees of bots in this store, of all its leagues."""
        return Trees(self._database)

    @property
    def submissions(self) -> Submissions:
        """The submissions to the league."""
        return Submissions(self._database, self._league)

    @property
    def matches(self) -> Matches:
        """The matches of the league, to be searched."""
        return Matches(self._database, self._league, self._unpacking)

    @property
    def table_cache(self) -> TableCache:
        """The stored tables of the league that take long to compute."""
        return TableCache(self._database, self._league)

    @property
    def scrimmages(self) -> Scrimmages:
        """The scrimmages that authors asked for."""
        return Scrimmages(self._database, self._league)

    @property
    def people(self) -> People:
        """The people of this store, for all its leagues."""
        return People(self._database)

    @property
    def calendar(self) -> LeagueCalendar:
        """When the league is played and takes bots."""
        return LeagueCalendar(self._database, self._league)

    @property
    def pruning(self) -> Pruning:
        """What only people read of its matches, to be made smaller."""
        return Pruning(self._database, self._unpacking, self._league)

    def lock(self) -> None:
        """Be the league's only runner on any machine, until the store is closed.

        This is for a store on a server, which is then written through one connection only. If this connection is lost,
        the next write takes the lock again; it raises `LockLost` if another runner took the lock meanwhile. A SQLite
        file is locked by `lock_path` instead.

        Raises:
            LockHeld: another runner plays the league; the text names that runner.
        """
        self._database.lock(self._league)

    def holder(self) -> str | None:
        """The league's runner, if the store is on a server and has one, by the name that `lock` gave it."""
        return self._database.holder(self._league)

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The pinned league

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
            contents: the contents of its bots, by entry.
            drawn: 32 random bytes; they become the seed at the first run if the file gives none.
            now_ms: the current time.
            accept_builds: whether build output may have changed. The present output is pinned instead.

        Raises:
            LeagueChanged: something has changed that must stay the same; nothing is written.
        """
        before = self.pinned()
        if before is not None:
            check_pins(before, league, contents)
            if not accept_builds:
                check_builds(before, contents)
        pinned = Pinned(
            game=league.game,
            rules_version=league.rules_version,
            draw_probability=league.draw_probability,
            rehearsal=league.rehearsal,
            seed=before.seed if before else league.seed or drawn.hex(),
            clock=league.clock,
            tables={table.name: table for table in league.tables},
            contents=dict(contents),
            rules=league.play_rules,
        )
        with self._database.writing() as connection:
            rows.pin(connection, self._league, pinned, now_ms)
            stored = rows.read(connection, self._league)
            assert stored is not None  # noqa: S101 - it was just pinned
            if before is None:  # somebody who submits a bot may have been faster, with another seed or another file
                check_pins(stored, league, contents)
        tables = {table.name: table for table in keep_pins(league, stored).tables}
        every = {**stored.contents, **pinned.contents}
        return msgspec.structs.replace(pinned, seed=stored.seed, tables=tables, contents=every, rules=stored.rules)

    def pinned(self) -> Pinned | None:
        """The pinned league, with all tables and entries that it ever had; None before the first run."""
        if self.is_empty:
            return None
        with self._database.reading() as connection:
            return rows.read(connection, self._league)

    # Matches

    def save(self, matches: Sequence[FinishedMatch], now_ms: int, voids: Sequence[StoredVoid] = ()) -> int:
        """Store matches, and note which were void: all of it in one transaction, or nothing.

        A match whose fixture has a result already changes nothing, and neither do the voids that were stored last.

        Returns:
            How many matches are new.
        """
        newest = self._dictionary() if matches else None
        new_voids = [] if voids and self.voids()[-len(voids) :] == tuple(voids) else voids
        found = [(match, {"fixture": match.fixture.id}, *self.rows_of(match)) for match in matches]
        with self._database.writing() as connection:
            added = self._add_matches(connection, [key | row | {"stored_ms": now_ms} for _, key, row, _ in found])
            ids = {row.fixture for row in added}
            new = [each for each in found if each[0].fixture.id in ids]
            self._insert(connection, SEAT, [key | seat for _, key, _, seats in new for seat in seats])
            self._insert(connection, TRANSCRIPT, [key | bytes_of(match, newest) for match, key, _, _ in new])
            self._insert(connection, VOID, [msgspec.structs.asdict(void) for void in new_voids])
        return len(new)

    def _dictionary(self) -> NumberedDictionary | None:
        """The dictionary that transcripts are packed with; None while the league has too few of them.

        It is stored before any match that needs it, in a transaction of its own.
        """
        if self._newest is None:
            with self._database.writing() as connection:
                newest = transcript_packing.newest(connection, self._league)
            self._newest = newest
        return self._newest

    def rows_of(self, match: FinishedMatch) -> tuple[Row, list[Row]]:
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

    def fixture_rows(self, after: str = "", upto: str | None = None) -> Iterator[FixtureRows]:
        """All that is stored of every fixture, sorted by its id, a few at a time in memory.

        No transaction stays open while the caller works. So a fixture that is stored meanwhile may or may not be there,
        but each fixture is there in full or not at all.

        Only fixtures whose id comes after `after`, up to `upto`; None: to the end.
        """
        for page in pages(self._database, self._league, (MATCH, SEAT, TRANSCRIPT), after, upto):
            yield from self._kept_of(page)

    def _kept_of(self, page: Page) -> Iterator[FixtureRows]:
        for fixture, of_fixture in groupby(
            heapq.merge(*page, key=lambda it: it[1].fixture), key=lambda it: it[1].fixture
        ):
            parts: defaultdict[str, list[Any]] = defaultdict(list)
            for table, row in of_fixture:
                parts[table.name].append(row)
            record, metadata = (
                self._unpacking.parts(parts[TRANSCRIPT.name][0]) if parts[TRANSCRIPT.name] else (None, None)
            )
            yield FixtureRows(
                fixture,
                match=dict(parts[MATCH.name][0]._mapping) if parts[MATCH.name] else None,
                seats={row.seat: dict(row._mapping) for row in parts[SEAT.name]},
                record=record,
                transcript=None if record is None or metadata is None else transcript_of(fixture, record, metadata),
            )

    def played_leagues(self) -> Mapping[str, int | None]:
        """The leagues of the store, whichever, that have results, and when each was closed; None: it is open."""
        has_match = sql.exists().where(MATCH.c.league == LEAGUE.c.league)
        with self._database.reading() as connection:
            rows = connection.execute(sql.select(LEAGUE.c.league, LEAGUE.c.closed_ms).where(has_match))
            return {row.league: row.closed_ms for row in rows}

    def results(self) -> list[StoredMatch]:
        """Every result, sorted by fixture. A result that is stored meanwhile may or may not be there.

        Equal entries, outcomes, faults and counts of decisions are the same objects. A long league has few of them.
        """
        return result_rows.read(self._database, self._league, self._unpacking)

    def offenders(self) -> Iterator[tuple[str, frozenset[str]]]:
        """For every result, sorted by fixture: its id, and the entries whose fault cut it short.

        This is what the columns say. Nothing is unpacked, so a run of a long league starts at once. Only a few are in
        memory at a time.
        """
        of_match = sql.and_(SEAT.c.league == MATCH.c.league, SEAT.c.fixture == MATCH.c.fixture)
        query = (
            sql.select(MATCH.c.fixture, sql.type_coerce(SEAT.c.entry, sql.Text))
            .join_from(MATCH, SEAT, of_match & SEAT.c.fault.is_not(None), isouter=True)
            .where(MATCH.c.league == self._league)
            .order_by(MATCH.c.fixture)
        )
        with self._database.reading() as connection:
            for fixture, seats in groupby(connection.execute(query).yield_per(1_000), key=itemgetter(0)):
                yield fixture, frozenset(entry for _, entry in seats if entry is not None)

    def transcript(self, fixture: str) -> Transcript | None:
        """The transcript of a fixture, None if it has no result."""
        query = sql.select(TRANSCRIPT).where(TRANSCRIPT.c.league == self._league, TRANSCRIPT.c.fixture == fixture)
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else transcript_of(fixture, *self._unpacking.parts(row))

    def transcripts(self) -> Iterator[tuple[str, Transcript]]:
        """Every transcript with the id of its fixture, sorted by that id, a few at a time in memory.

        Nothing stays open while the caller works, so what is stored meanwhile may or may not be there.
        """
        for (page,) in pages(self._database, self._league, (TRANSCRIPT,)):
            for _, row in page:
                yield row.fixture, transcript_of(row.fixture, *self._unpacking.parts(row))

    def sandboxes(self) -> dict[str, int]:
        """How many matches were played in each kind of sandbox, by name; empty where no bot was in a folder."""
        query = sql.select(MATCH.c.sandbox, sql.func.count().label("matches")).where(MATCH.c.league == self._league)
        with self._database.reading() as connection:
            rows = connection.execute(query.group_by(MATCH.c.sandbox).order_by(MATCH.c.sandbox)).all()
        return {row.sandbox: row.matches for row in rows}

    @contextmanager
    def counting(self) -> Iterator[StoreCounts]:
        """Questions about the results that the database answers, all about the moment of the first question."""
        with self._database.snapshot() as connection:
            yield StoreCounts(connection, self._league)

    def note_broken_batch(self, entries: Sequence[str], culprit: str | None, reason: str, now_ms: int) -> None:
        """Note that matches which these entries played at once do not count; whose bot was to blame, if any was.

        If this was noted before, nothing changes.
        """
        row = {"league": self._league, "line_up": "+".join(entries), "stored_ms": now_ms}
        same = sql.and_(*(BROKEN_BATCH.c[column] == value for column, value in row.items()))
        with self._database.writing() as connection:
            if connection.scalar(sql.select(BROKEN_BATCH.c.number).where(same)) is None:
                connection.execute(sql.insert(BROKEN_BATCH), row | {"culprit": culprit, "reason": reason})

    def broken_batches(self) -> dict[str, int]:
        """How many batches each entry has broken; those that have broken none are left out."""
        culprit = BROKEN_BATCH.c.culprit
        query = sql.select(culprit, sql.func.count().label("broken")).where(BROKEN_BATCH.c.league == self._league)
        with self._database.reading() as connection:
            found = connection.execute(query.where(culprit.is_not(None)).group_by(culprit))
            return {row.culprit: row.broken for row in found}

    def note_fleet(self, fleet: Fleet) -> None:
        """Note how the nodes are that play the league."""
        with self._database.writing() as connection:
            connection.execute(sql.delete(FLEET).where(FLEET.c.league == self._league))
            connection.execute(
                sql.insert(FLEET), {"league": self._league, "content": msgspec.json.encode(fleet).decode()}
            )

    def forget_fleet(self) -> None:
        """Forget the nodes of a run that is over."""
        if self.fleet() is not None:
            with self._database.writing() as connection:
                connection.execute(sql.delete(FLEET).where(FLEET.c.league == self._league))

    def fleet(self) -> Fleet | None:
        """How the nodes were when that was last noted; None if there are none."""
        with self._database.reading() as connection:
            content: Fleet | None = connection.scalar(sql.select(FLEET.c.content).where(FLEET.c.league == self._league))
            return content

    def voids(self) -> tuple[StoredVoid, ...]:
        """Every void match, oldest first."""
        with self._database.reading() as connection:
            columns = (VOID.c.fixture, VOID.c.reason, VOID.c.stored_ms, VOID.c.busy, VOID.c.counts, VOID.c.forgiven)
            query = sql.select(*columns).where(VOID.c.league == self._league).order_by(VOID.c.number)
            return tuple(StoredVoid(*row) for row in connection.execute(query))

    # How it is done

    def _add_matches(self, connection: sql.Connection, rows: Sequence[Row]) -> Sequence[sql.Row[Any]]:
        """Insert rows for this league, except those whose key is there already; the keys of those inserted."""
        return (
            connection.execute(self._insert_new, [row | {"league": self._league} for row in rows]).all() if rows else ()
        )

    @cached_property
    def _insert_new(self) -> Any:
        """The statement that inserts matches, except those whose key is there already.

        Made once, since making it costs as much as running it. `rowcount` is -1 on psycopg after DO NOTHING, so it asks
        for the row itself.
        """
        insert = insert_of(self._database.dialect)
        return insert(MATCH).on_conflict_do_nothing().returning(*MATCH.primary_key)

    def _insert(self, connection: sql.Connection, table: sql.Table, rows: Sequence[Row]) -> None:
        if rows:
            connection.execute(_INSERT[table], [row | {"league": self._league} for row in rows])
