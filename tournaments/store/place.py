"""From the address of a store to connections, and to the file that locks it. SQLite or PostgreSQL."""

import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

_BACKENDS = ("sqlite", "postgresql")


class StoreError(Exception):
    """The store failed. Nothing of what was being written was kept; all that was written before was."""


class WrongAddress(StoreError):
    """An address that no store can have."""


def engine(url: str) -> sql.Engine:
    """The connections to the store at `url`; nothing is opened yet.

    Raises:
        WrongAddress: the address is not one of a store.
        StoreError: the driver for it is not installed.
    """
    place = _place(url)
    try:
        connections = sql.create_engine(place)
    except (SQLAlchemyError, ImportError) as error:
        raise StoreError(f"no store can be opened at {place}: {error}") from error
    if connections.dialect.name == "sqlite":
        sql.event.listen(connections, "connect", _set_up_sqlite)
    return connections


def lock_path(url: str, league: str) -> Path:
    """The file that is locked while a league is played: beside a SQLite file, else among the temporary files.

    Raises:
        WrongAddress: the address is not one of a store.
    """
    place = _place(url)
    if place.get_backend_name() == "sqlite" and place.database not in (None, "", ":memory:"):
        return Path(f"{place.database}.{league}.lock")
    name = sha256(f"{place} {league}".encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"referee-{name}.lock"


def _place(url: str) -> sql.URL:
    """The address, parsed; as text it hides the password."""
    try:
        place = sql.make_url(url)
    except SQLAlchemyError as error:
        raise WrongAddress(f"{url!r} is no address of a store; write sqlite:///FILE or postgresql://...") from error
    if place.get_backend_name() not in _BACKENDS:
        raise WrongAddress(f"{place}: stores are kept in {' or '.join(_BACKENDS)} only")
    return place


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """A commit is on disk when it returns (FULL), and readers do not stop the writer (WAL)."""
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
