"""The errors of a store, from those of SQLite and PostgreSQL: a full disk, a busy or damaged file, a lost server."""

import sqlite3
from typing import Any

from sqlalchemy.exc import DBAPIError, OperationalError

from referee.core.errors import OurFailure
from tournaments.store.column_values import DamagedValue

PATIENCE_S = 60
"""How long a statement waits for another program that is writing. Ours write for milliseconds; a minute also outlasts
somebody's copy or change in SQL, and a disk that stalls. A run must not end for less."""

_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)
"""What SQLite says of a disk without room, and of a file that may not grow."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR)
"""What SQLite says of pages that make no sense, and of tables that are not ours: our own statements have no errors."""

_DISK_FULL = "53100"
"""PostgreSQL's SQLSTATE for it."""

_KIND = 0xFF
"""The bits of an error code of SQLite that say what kind of error it is; the others say more about it."""


class StoreError(OurFailure):
    """The store failed. The write that failed left nothing behind; everything written before it is kept."""


class StoreAway(StoreError):
    """The server of the store cannot be reached, or the connection to it was lost. It may be back.

    If the connection was lost while a transaction was committed, the transaction may have been written.
    """


def is_busy(error: BaseException | None) -> bool:
    """Whether SQLite failed because somebody else uses the file."""
    code: int = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0)
    return code & _KIND == sqlite3.SQLITE_BUSY


def hint(error: Exception) -> str:
    """A hint for an error of a store, to be appended to it; empty if there is none."""
    cause: Any = getattr(error, "orig", None)
    code: int = getattr(cause, "sqlite_errorcode", 0)
    if code in _NO_ROOM or getattr(cause, "sqlstate", None) == _DISK_FULL:
        return "; free space on the disk, then the same command goes on"
    if is_busy(error):
        return f"; another program has kept it for {PATIENCE_S} s: when that has ended, the same command goes on"
    if code & _KIND in _DAMAGED or isinstance(error, DamagedValue | UnicodeDecodeError):
        return "; it is damaged: save what holds into a new store (referee league salvage)"
    return ""


def kind_of(error: Exception) -> type[StoreError]:
    """`StoreAway` if the server of a store cannot be reached or the connection was lost, else `StoreError`."""
    is_lost = isinstance(error, DBAPIError) and error.connection_invalidated
    state = getattr(error.orig, "sqlstate", "") if isinstance(error, OperationalError) else ""
    # psycopg gives no SQLSTATE where there is no connection. 57P0* is what a server says that shuts down, or starts.
    return StoreAway if is_lost or state is None or state.startswith("57P0") else StoreError
