"""The connections to a store, its transactions, and one sentence for each of their errors."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from referee.core.errors import Stopped
from tournaments.store import postgresql_lock
from tournaments.store.address import PATIENCE_S, StoreError, engine, hint, is_busy, kind_of, shown, store_file
from tournaments.store.file_identity import FileIdentity
from tournaments.store.schema import STORE_FORMAT, check_number, create, keep_others_out, number_of, own_tables

_SNAPSHOT = {"sqlite": "BEGIN", "postgresql": "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"}
"""Begins to read as if nothing were written meanwhile, by dialect."""

_REST_S = 0.01


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
        self.place = shown(url)
        self.engine = engine(url)
        file = store_file(url)
        self._file = None if file is None else FileIdentity(file)
        self._runner: postgresql_lock.RunnerConnections | None = None
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
                self._runner = self._runner or postgresql_lock.RunnerConnections(engine(self.url), league)
                with self._runner.connection():
                    pass

    def holder(self, league: str) -> str | None:
        """A league's runner, as in `Store.holder`."""
        if self.dialect != "postgresql":
            return None
        with self._telling("read"), self.engine.connect() as connection:
            return postgresql_lock.holder(connection, league)

    def close(self) -> None:
        """Close all connections."""
        if self._runner is not None:
            self._runner.engine.dispose()
        self.engine.dispose()

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
                keep_others_out(connection)
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

    def _outside(self, statement: str, what: str) -> None:
        """Run a statement of SQLite that cannot be part of a transaction."""
        if self.dialect == "sqlite":
            with self._telling(what), self.engine.connect() as connection:
                connection.exec_driver_sql(statement)

    def _check_file(self) -> None:
        if self._file is not None:
            self._file.check()

    def _writer(self) -> AbstractContextManager[sql.Connection]:
        return self.engine.connect() if self._runner is None else self._runner.connection()

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, UnicodeDecodeError) as error:  # the latter of words in its schema
            _raise_stop(error)
            # PostgreSQL appends the statement to its message.
            sentence, _, _ = str(getattr(error, "orig", None) or error).partition("\nLINE ")
            reason = " ".join(sentence.split())
            raise kind_of(error)(f"the store {self.place} could not be {what}: {reason}{hint(error)}") from error


def _raise_stop(error: BaseException | None) -> None:
    """Raise the signal that ended a call of the driver, if an error of its tidying up has taken its place."""
    while error is not None:
        if isinstance(error, Stopped):
            raise error
        error = error.__cause__ or error.__context__


def insert_of(dialect: str) -> Callable[[sql.Table], Any]:
    """The insert of a dialect. Only that dialect is imported: PostgreSQL's takes longer than to read a short league."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        return postgresql.insert
    from sqlalchemy.dialects import sqlite  # noqa: PLC0415

    return sqlite.insert
