"""The connections to a store, its transactions and locks, and one sentence for each of their errors.

**SQLite.** The file of a store has one name, and stays the same file while a command writes it. SQLite keeps its log
beside the name by which it opened the file, and so does the referee with the run lock. A file with two names would have
two logs and two locks, and what a killed run left in one log would be lost. Links that SQLite follows (symbolic ones)
do no harm.

**PostgreSQL.** The server lets only one runner play a league. There a runner may be on any machine. The lock belongs to
the session that took it and ends with this session, however it ends. A runner writes through this session only, so it
can no longer write once another runner may have the lock.

A server that restarts ends all sessions. Then the runner takes the lock again in a new session. Each runner of a league
gets a number when it takes the lock for the first time (a fencing token). If the last number is another one, another
runner has had the lock meanwhile, and the first one ends: it does not know what the other has played.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from referee.core.errors import Stopped, WrongUse, with_causes
from tournaments.store.address import address_without_password, engine, store_file
from tournaments.store.run_lock import LockHeld, LockLost
from tournaments.store.schema import RUNNER, STORE_FORMAT, check_number, create, lock_schema, number_of, own_tables
from tournaments.store.store_errors import PATIENCE_S, StoreAway, StoreError, hint, is_busy, kind_of

_TAKE = sql.text(
    """
    SELECT pg_try_advisory_lock(:key), set_config('tcp_keepalives_idle', '10', false),
    set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false)
    """
)
"""Also lets the server notice within 25 s that the machine of a runner is gone, and free the lock."""

# The server shows a key of 64 bits as two numbers of 32.
_HOLDER = sql.text(
    """
    SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) | objid::bigint = :key AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """
)
_HAS_LOCK = "referee has the lock"


class RunnerConnections:
    """The connections through which a league's runner writes, one after the other. Each first takes the lock."""

    def __init__(self, engine: sql.Engine, league: str) -> None:
        """Nobody else may use the engine."""
        self.engine = engine
        self._league = league
        self._number: int | None = None

    @contextmanager
    def connection(self) -> Iterator[sql.Connection]:
        """A connection with the lock: the same as before, unless that was lost.

        Raises:
            LockHeld: another runner has the lock, and this one never had it; the text names the other.
            LockLost: another runner has taken the lock since this one lost it.
            StoreAway: the server has not yet noticed that the connection was lost.
        """
        with self.engine.connect() as connection:
            if _HAS_LOCK not in connection.info:
                with connection.begin():
                    self._take(connection)
                connection.info[_HAS_LOCK] = True
            yield connection

    def _take(self, connection: sql.Connection) -> None:
        is_taken = connection.scalar(_TAKE, _key(connection, self._league))
        last = connection.scalar(sql.select(RUNNER.c.number).where(RUNNER.c.league == self._league)) or 0
        playing = (None if is_taken else holder(connection, self._league)) or "another runner"
        if self._number is None:
            if not is_taken:
                raise LockHeld(f"{playing} is playing this league; wait for it, or stop it first")
            connection.execute(sql.delete(RUNNER).where(RUNNER.c.league == self._league))
            connection.execute(sql.insert(RUNNER), {"league": self._league, "number": last + 1})
            self._number = last + 1
        elif self._number != last:
            raise LockLost(
                f"the connection to the store was lost, and {playing} has taken over this league meanwhile;"
                " what this run had not stored yet is played again"
            )
        elif not is_taken:  # the number is ours, so the lock is, too
            raise StoreAway("the server of the store still keeps the lock of a connection that was lost")


def holder(connection: sql.Connection, league: str) -> str | None:
    """The name of the session that has the lock on a league; None if none has. The lock is not touched."""
    found: str | None = connection.scalar(_HOLDER, _key(connection, league))
    return found


def _key(connection: sql.Connection, league: str) -> dict[str, int]:
    # A database may have a store in each of its schemas, so the schema is part of the lock's name.
    name = f"referee {connection.dialect.default_schema_name} {league}"
    return {"key": int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)}


_MOUNTS = Path("/proc/self/mountinfo")  # proc(5)
_ESCAPED = re.compile(r"[ \t\n\\]")


class SeveralNames(WrongUse):
    """The file of a store has several names."""


class FileIdentity:
    """Whether a file is still the one that was written first."""

    def __init__(self, file: Path) -> None:
        """`file` is an absolute path without links. It need not exist yet."""
        self._file = file
        self._first: os.stat_result | None = None

    def check(self) -> None:
        """Do this before each write.

        Raises:
            SeveralNames: the file has several names. This is checked once: a later one harms nobody, since whoever
                would write by it is refused.
            StoreError: it is not the file that was written before.
        """
        try:
            found = self._file.stat()
        except OSError:
            found = None
        if self._first is None:
            if found is not None:
                _check_one_name(self._file, found)
            self._first = found
        elif found is None or not os.path.samestat(found, self._first):
            raise StoreError(
                f"the store {self._file} was removed or replaced while it was written; what was written since is not"
                " in it. Put the file back, or give the command again"
            )


def _check_one_name(file: Path, file_stat: os.stat_result) -> None:
    if file_stat.st_nlink > 1:
        raise SeveralNames(
            f"the store {file} is a file with {file_stat.st_nlink} names (hard links), and may have one; remove the"
            " others, or make a copy and name that (--store)"
        )
    if _is_mounted(file):
        raise SeveralNames(
            f"the store {file} is a file that is mounted without its folder, so it has two names; mount the folder"
        )


def _is_mounted(file: Path) -> bool:
    """Whether just this file is mounted from elsewhere, as into a container."""
    escaped = _ESCAPED.sub(lambda found: f"\\{ord(found[0]):03o}", str(file))
    try:
        mounts = _MOUNTS.read_text(errors="surrogateescape").splitlines()
    except OSError:
        return False
    return any(line.split(" ")[4] == escaped for line in mounts)


_SNAPSHOT = {"sqlite": "BEGIN", "postgresql": "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"}
"""Begins to read as if nothing were written meanwhile, by dialect."""

_REST_S = 0.01


_shared: dict[tuple[int, str], list[sql.Engine]] = {}
"""The connections of a process to each store on a server, once for each `Database` that uses them: a store with many
leagues has few. A SQLite file has none: its connections end with their `Database`, so the file may be replaced."""
_sharing = threading.Lock()


def _borrow(url: str) -> sql.Engine:
    if store_file(url) is not None:
        return engine(url)
    with _sharing:
        users = _shared.setdefault((os.getpid(), url), [])  # a fork must not use its parent's connections
        users.append(users[0] if users else engine(url))
        return users[0]


def _give_back(url: str) -> None:
    """The last user ends the connections. A pool does not close what is given back after its end."""
    with _sharing:
        users = _shared.get((os.getpid(), url), [])
        if len(users) == 1:
            users[0].dispose()
        del users[-1:]


class Database:
    """A store as a place of rows, whichever league they belong to.

    Attributes:
        url: its address. It may have a password.
        place: the address without passwords.
        engine: makes the connections.
    """

    def __init__(self, url: str) -> None:
        """Look at the store; nothing is written.

        Raises:
            StoreError: it cannot be opened, or has another number than `schema.FORMAT`.
        """
        self.url = url
        self.place = address_without_password(url)
        self.engine = _borrow(url)
        self._is_open = True
        file = store_file(url)
        self._file = None if file is None else FileIdentity(file)
        self._runner: RunnerConnections | None = None
        self._has_tables = False
        self._is_prepared = False
        try:
            self.is_empty()
        except StoreError:
            self.close()
            raise

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.engine.dialect.name

    def lock(self, league: str) -> None:
        """Be the league's only runner, as `Store.lock` says."""
        self.prepare()
        if self.dialect == "postgresql":
            with self._telling("locked"):
                self._runner = self._runner or RunnerConnections(engine(self.url), league)
                with self._runner.connection():
                    pass

    def holder(self, league: str) -> str | None:
        """A league's runner, as in `Store.holder`."""
        if self.dialect != "postgresql":
            return None
        with self._telling("read"), self.engine.connect() as connection:
            return holder(connection, league)

    def close(self) -> None:
        """Close its connections that no other league of a store uses. A second time this does nothing."""
        if self._runner is not None:
            self._runner.engine.dispose()
        if self._file is not None:
            self.engine.dispose()
        elif self._is_open:
            self._is_open = False
            _give_back(self.url)

    def is_empty(self) -> bool:
        """Whether the store has no tables yet. The first write makes them (`prepare`).

        Raises:
            StoreError: it has tables, and another number than `schema.FORMAT`, or none.
        """
        if not self._has_tables:
            with self._telling("opened"), self.engine.connect() as connection:
                self._look_for_tables(connection)
        return not self._has_tables

    def _look_for_tables(self, connection: sql.Connection) -> None:
        there = own_tables(connection)
        if there:
            number = number_of(connection) if STORE_FORMAT.name in there else None
            check_number(self.place, number, there[0])
            self._has_tables = True

    @contextmanager
    def reading(self) -> Iterator[sql.Connection]:
        """A connection to read from.

        Raises:
            StoreError: the store is empty.
        """
        with self._telling("read"):
            if self.is_empty():
                raise StoreError(f"the store {self.place} is empty; run a league first (`referee league run`)")
            with self.engine.connect() as connection:
                yield connection

    @contextmanager
    def snapshot(self) -> Iterator[sql.Connection]:
        """A connection to read from as if nothing were written meanwhile."""
        with self.reading() as connection:
            connection.exec_driver_sql(_SNAPSHOT[self.dialect])
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sql.Connection]:
        """A connection in a transaction: all of it is written, or nothing. An empty store gets its tables first.

        Raises:
            SeveralNames: the file of the store has several names.
        """
        self._check_file()
        self.prepare()
        with self._transaction() as connection:
            yield connection

    @contextmanager
    def _transaction(self) -> Iterator[sql.Connection]:
        with self._telling("written"), self._writer() as connection, connection.begin():
            if self.dialect == "sqlite":
                # It begins as a writer. One that first read and then wrote would be refused at once, without waiting,
                # if somebody else wrote in between.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    def prepare(self) -> None:
        """Make the tables of an empty store, in one transaction.

        Raises:
            StoreError: somebody else has just made those of another number.
        """
        if self._is_prepared:
            return
        self._check_file()
        self._write_to_log_first()
        if self.is_empty():
            with self._transaction() as connection:
                lock_schema(connection)
                self._look_for_tables(connection)
                if not self._has_tables:
                    create(connection)
            self._has_tables = True
        self._is_prepared = True

    def _write_to_log_first(self) -> None:
        """Have SQLite write to a log first, which it remembers: readers and the writer then work at once.

        If several do this with a new file at the same time, SQLite refuses some of them without waiting.
        """
        ends = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self._outside("PRAGMA journal_mode = WAL", "written")
            except StoreError as error:
                if time.monotonic() > ends or not is_busy(error.__cause__):
                    raise
            time.sleep(_REST_S)

    def shrink(self) -> None:
        """Have SQLite write the whole file anew, without the room that it no longer needs."""
        self._outside("VACUUM", "made smaller")

    def _outside(self, statement: str, verb: str) -> None:
        """Run a statement of SQLite that cannot be part of a transaction."""
        if self.dialect == "sqlite":
            with self._telling(verb), self.engine.connect() as connection:
                connection.exec_driver_sql(statement)

    def _check_file(self) -> None:
        if self._file is not None:
            self._file.check()

    def _writer(self) -> AbstractContextManager[sql.Connection]:
        return self.engine.connect() if self._runner is None else self._runner.connection()

    @contextmanager
    def _telling(self, verb: str) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, UnicodeDecodeError) as error:  # the latter of words in its schema
            for each in with_causes(error):
                if isinstance(each, Stopped):  # an error of tidying up after it has taken its place
                    raise each from None
            # PostgreSQL appends the statement to its message.
            sentence, _, _ = str(getattr(error, "orig", None) or error).partition("\nLINE ")
            reason = " ".join(sentence.split())
            raise kind_of(error)(f"the store {self.place} could not be {verb}: {reason}{hint(error)}") from error


def insert_of(dialect: str) -> Callable[[sql.Table], Any]:
    """The insert of a dialect. Only that dialect is imported: PostgreSQL's takes longer than to read a short league."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        return postgresql.insert
    from sqlalchemy.dialects import sqlite  # noqa: PLC0415

    return sqlite.insert
