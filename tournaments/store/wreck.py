"""A damaged SQLite file, read as far as it can be read.

SQLite refuses a query when it meets a page that makes no sense. So rows are asked for by their numbers, in stretches: a
stretch that is refused is halved, down to single rows. Only what lies on damaged pages is lost.
"""

import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tournaments.store.place import StoreError

_STRETCH = 256
"""How many rows are asked for at once."""

_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)

_SMALLEST = 64
"""No row takes fewer bytes of a store, with its part of all that goes with it. So a file's size bounds its rows."""


class Wreck:
    """What is left of a file. It is copied first, and the copy is read: looking at it must not change it.

    Attributes:
        lost: by table, how many numbers of rows could not be read. Some may never have been given to a row.
    """

    def __init__(self, path: Path) -> None:
        """Open a copy of the file in a folder of temporary files.

        Raises:
            StoreError: it cannot be copied, or not even its list of tables can be read.
        """
        self.lost: Counter[str] = Counter()
        self._stack = ExitStack()
        try:
            self._most = path.stat().st_size // _SMALLEST + 1
            self._connection = self._copied(path)
            rows = self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        except (OSError, sqlite3.Error) as error:
            self._stack.close()
            raise StoreError(f"nothing can be read of {path}: {error}") from error
        self.tables = frozenset(name for (name,) in rows)

    def _copied(self, path: Path) -> sqlite3.Connection:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-")))
        copy = folder / "store.sqlite"
        shutil.copyfile(path, copy)
        log = path.with_name(f"{path.name}-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
        connection = sqlite3.connect(copy, isolation_level=None)
        self._stack.callback(connection.close)
        connection.execute("PRAGMA writable_schema = ON")  # or a file that was cut short would be refused as a whole
        return connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def columns(self, table: str) -> frozenset[str]:
        """The names of a table's columns; none if the table is lost."""
        try:
            rows = self._connection.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
        except sqlite3.Error:
            return frozenset()
        return frozenset(name for (name,) in rows)

    def find(self, table: str, columns: Sequence[str], **key: object) -> tuple[Any, ...] | None:
        """A row by its key; None if it is not there, or cannot be read."""
        where = " AND ".join(f"{column} = ?" for column in key)
        query = f"SELECT {', '.join(columns)} FROM {table} WHERE {where}"  # noqa: S608 - our own names
        try:
            row: tuple[Any, ...] | None = self._connection.execute(query, tuple(key.values())).fetchone()
        except _UNREADABLE:
            return None
        return row

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The rows of a table that can be read, in the order in which they were written."""
        query = f"SELECT {', '.join(columns)} FROM {table} WHERE rowid BETWEEN ? AND ?"  # noqa: S608 - our own names
        last = self._last(table)
        for start in range(1, last + 1, _STRETCH):
            yield from self._read(table, query, start, min(start + _STRETCH - 1, last))

    def _read(self, table: str, query: str, first: int, last: int) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._connection.execute(query, (first, last)).fetchall()
        except _UNREADABLE:
            if first == last:
                self.lost[table] += 1
                return
            middle = (first + last) // 2
            yield from self._read(table, query, first, middle)
            yield from self._read(table, query, middle + 1, last)

    def _last(self, table: str) -> int:
        """A number that no readable row of the table is above, found by halving: the last rows may be the lost ones."""
        reachable, beyond = 0, self._most + 1
        while reachable < beyond - 1:
            middle = (reachable + beyond) // 2
            if self._has_rows_from(table, middle):
                reachable = middle
            else:
                beyond = middle
        return reachable

    def _has_rows_from(self, table: str, number: int) -> bool:
        """Whether there are rows with this number or a larger one, as far as can be read; damage counts as rows."""
        query = f"SELECT rowid FROM {table} WHERE rowid >= ? LIMIT 1"  # noqa: S608 - our own names
        try:
            return self._connection.execute(query, (number,)).fetchone() is not None
        except sqlite3.Error:
            return True
