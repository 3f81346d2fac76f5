"""The connections to a store, its transactions, and one sentence for each of their errors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from tournaments.store import postgresql_lock
from tournaments.store.address import StoreAway, StoreError, engine, hint, is_away, shown, store_file
from tournaments.store.file_identity import FileIdentity
from tournaments.store.schema import (
    KNOWN,
    columns_of,
    create,
    create_submissions,
    create_trees,
    format_of,
    keep_others_out,
    missing,
)

_SNAPSHOT = {"sqlite": "BEGIN", "postgresql": "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"}
"""Begins to read as if nothing were written meanwhile, by dialect."""


_Step: TypeAlias = Callable[[sql.Connection], None]
"""Makes tables that a store lacks."""


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
            StoreError: it cannot be opened, or is not of a format that is known here.
        """
        self.url = url
        self.place = shown(url)
        self.engine = engine(url)
        file = store_file(url)
        self._file = None if file is None else FileIdentity(file)
        self._locked: postgresql_lock.RunnerSession | None = None
        self._made: set[_Step] = set()
        try:
            with self._telling("opened"), self.engine.connect() as connection:
                self.check_format(connection)
            self._look_at_file()
        except StoreError:
            self.close()
            raise

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.engine.dialect.name

    def lock(self, league: str) -> None:
        """Be the league's only runner, as `Store.lock` says."""
        if self.dialect == "postgresql":
            with self._telling("locked"):
                self._locked = postgresql_lock.RunnerSession(self.engine, league)

    def holder(self, league: str) -> str | None:
        """A league's runner, as in `Store.holder`."""
        if self.dialect != "postgresql":
            return None
        with self.reading() as connection:
            return postgresql_lock.holder(connection, league)

    def close(self) -> None:
        """Close all connections."""
        if self._locked is not None:
            self._locked.close()
        self.engine.dispose()

    def check_format(self, connection: sql.Connection) -> None:
        """Check that the store is of a format that is known here.

        Raises:
            StoreError: it is of another one, or its tables are somebody else's.
        """
        there = columns_of(connection)
        found = format_of(connection, there)
        if found not in (None, *KNOWN):
            *others, last = map(str, KNOWN)
            raise StoreError(
                f"the store {self.place} has format {found}, and this Referee knows formats"
                f" {', '.join(others)} and {last} only; open it with the Referee that made it, or name another store"
                " (--store)"
            )
        foreign = sorted({column.table.name for column in missing(there)[1] if column.server_default is None})
        if foreign:
            raise StoreError(
                f"in {self.place} there is a table {foreign[0]!r} that is not Referee's;"
                " name another database or file (--store)"
            )

    @contextmanager
    def reading(self) -> Iterator[sql.Connection]:
        """A connection to read from."""
        self._look_at_file()
        with self._telling("read"), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[sql.Connection]:
        """A connection to read from as if nothing were written meanwhile."""
        with self.reading() as connection:
            connection.exec_driver_sql(_SNAPSHOT[self.dialect])
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sql.Connection]:
        """A connection in a transaction: all of it is written, or nothing.

        Raises:
            SeveralNames: the file of the store has several names.
        """
        self._check_file()
        with self._telling("written"), self._writer() as connection, connection.begin():
            if self.dialect == "sqlite":
                # It begins as a writer. One that first read and then wrote would be refused at once, without waiting,
                # if somebody else wrote in between.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    def complete(self) -> None:
        """Make the tables and columns that the store lacks, in one transaction.

        Raises:
            StoreError: it is of a format that is not known here.
        """
        self._make(create)

    def complete_for_trees(self) -> None:
        """Make these, and the tables for trees of bots, all in one transaction.

        Raises:
            StoreError: it is of a format that is not known here.
        """
        self._make(create, create_trees)

    def complete_for_submissions(self) -> None:
        """Make all of these, and the tables for submissions, all in one transaction.

        Raises:
            StoreError: it is of a format that is not known here.
        """
        self._make(create, create_trees, create_submissions)

    def _make(self, *steps: _Step) -> None:
        if self._made.issuperset(steps):  # what was made stays; to look for it would keep other writers out
            return
        self._check_file()
        # SQLite is to write to a log first, which it remembers: readers and the writer then work at once.
        self._outside("PRAGMA journal_mode = WAL", "written")
        with self.writing() as connection:
            keep_others_out(connection)
            self.check_format(connection)
            for step in steps:
                step(connection)
        self._made.update(steps)

    def shrink(self) -> None:
        """Have SQLite write the whole file anew, without the room that it no longer needs."""
        self._outside("VACUUM", "made smaller")

    def _outside(self, statement: str, what: str) -> None:
        """Run a statement of SQLite that cannot be part of a transaction."""
        if self.dialect == "sqlite":
            with self._telling(what), self.engine.connect() as connection:
                connection.exec_driver_sql(statement)

    def _look_at_file(self) -> None:
        """Make sure that what is read now is the file that is there now."""
        if self._file is not None and self._file.is_another():
            self.engine.dispose()

    def _check_file(self) -> None:
        if self._file is not None:
            self._file.check()

    @contextmanager
    def _writer(self) -> Iterator[sql.Connection]:
        if self._locked is not None:
            yield self._locked.connection()
        else:
            with self.engine.connect() as connection:
                yield connection

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            # PostgreSQL appends the statement to its message.
            sentence, _, _ = str(getattr(error, "orig", None) or error).partition("\nLINE ")
            reason = " ".join(sentence.split())
            kind = StoreAway if is_away(error) else StoreError
            raise kind(f"the store {self.place} could not be {what}: {reason}{hint(error)}") from error


def insert_of(dialect: str) -> Callable[[sql.Table], Any]:
    """The insert of a dialect. Only that dialect is imported: PostgreSQL's takes longer than to read a short league."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        return postgresql.insert
    from sqlalchemy.dialects import sqlite  # noqa: PLC0415

    return sqlite.insert
