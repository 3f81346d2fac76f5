"""The disk and the store, as they fail: connections of SQLite whose statements and commits fail as the world says."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import sqlalchemy as sql

from tests.nights.faults import COMMIT_FAILS, COMMIT_UNHEARD, CUT_OFF, DISK_FULL
from tests.nights.world import World
from tournaments.store.run_lock import FileLock

_WRITES = ("INSERT", "UPDATE", "CREATE", "ALTER", "DELETE")


class Disk:
    """Opens the connections of all stores while it is mounted."""

    def __init__(self, world: World) -> None:
        self.world = world

    @contextmanager
    def mounted(self) -> Iterator[None]:
        """Have every store opened on this disk until the context ends."""
        sql.event.listen(sql.Engine, "do_connect", self._connect)
        try:
            with self._stepwise(FileLock, "take"), self._stepwise(FileLock, "write"), self._stepwise(Path, "mkdir"):
                yield
        finally:
            sql.event.remove(sql.Engine, "do_connect", self._connect)

    @contextmanager
    def _stepwise(self, kind: type, name: str) -> Iterator[None]:
        """Have a method be a step of the runner, before and after it. Of a runner that was killed, nothing happens."""
        usual = getattr(kind, name)

        def step(*words: Any, **how: Any) -> Any:
            if self.world.is_dead:
                return None
            self.world.step()
            result = usual(*words, **how)
            self.world.step()
            return result

        with patch.object(kind, name, step):
            yield

    def _connect(self, _dialect: object, _record: object, _words: object, how: dict[str, Any]) -> None:
        self.step()
        how["factory"] = self._connection

    def _connection(self, *words: Any, **how: Any) -> "_Connection":
        return _Connection(self, *words, **how)

    def step(self, statement: str = "") -> None:
        """A statement begins.

        Raises:
            sqlite3.OperationalError: the store cannot be reached, or the disk is full and the statement writes.
        """
        self.world.step()
        if self.world.lasts(CUT_OFF):
            self.world.strike(CUT_OFF)
            raise _error("unable to open database file", sqlite3.SQLITE_CANTOPEN)
        if statement.startswith(_WRITES) and self.world.lasts(DISK_FULL):
            self.world.strike(DISK_FULL)
            raise _error("database or disk is full", sqlite3.SQLITE_FULL)


class _Connection(sqlite3.Connection):
    def __init__(self, disk: Disk, *words: Any, **how: Any) -> None:
        super().__init__(*words, **how)
        self._disk = disk

    def cursor(self, *_: Any) -> "_Cursor":  # type: ignore[override]
        return _Cursor(self, self._disk)

    def commit(self) -> None:
        disk = self._disk
        if not self.in_transaction:
            return
        disk.step("INSERT")
        if disk.world.happens(COMMIT_FAILS):
            raise _error("disk I/O error", sqlite3.SQLITE_IOERR_WRITE)
        super().commit()
        disk.world.step()
        if disk.world.happens(COMMIT_UNHEARD):
            raise _error("disk I/O error", sqlite3.SQLITE_IOERR)


class _Cursor(sqlite3.Cursor):
    def __init__(self, connection: _Connection, disk: Disk) -> None:
        super().__init__(connection)
        self._disk = disk

    def execute(self, statement: str, *values: Any) -> "_Cursor":
        self._disk.step(statement)
        super().execute(statement, *values)
        return self

    def executemany(self, statement: str, *values: Any) -> "_Cursor":
        self._disk.step(statement)
        super().executemany(statement, *values)
        return self


def _error(sentence: str, code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(sentence)
    error.sqlite_errorcode = code
    return error
