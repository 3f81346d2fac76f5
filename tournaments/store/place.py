"""What follows from the address of a store, SQLite or PostgreSQL: its connections, and the file that locks it."""

import os
import socket
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from referee.core.errors import OurFailure, WrongUse

_DRIVERS = {"sqlite": "pysqlite", "postgresql": "psycopg"}
_SECRETS = ("password", "sslpassword")
"""Parameters after the question mark that libpq also reads passwords from."""


class StoreError(OurFailure):
    """The store failed. The write that failed left nothing behind; everything written before it is kept."""


class WrongAddress(WrongUse):
    """The address cannot be that of a store."""


def engine(url: str) -> sql.Engine:
    """The connections to the store at `url`; nothing is opened yet.

    Raises:
        WrongAddress: the address is not one of a store.
        StoreError: the driver for it is not installed.
    """
    place = _place(url)
    backend = place.get_backend_name()
    driver = _DRIVERS[backend]
    # This name is shown to anyone who lists the server's sessions, or asks for a lock that we hold.
    named = {"application_name": f"referee {os.getpid()}@{socket.gethostname()}"} if backend == "postgresql" else {}
    try:
        connections = sql.create_engine(place.set(drivername=f"{backend}+{driver}"), connect_args=named)
    except ImportError as error:
        reason = " ".join(str(error).split())
        raise StoreError(
            f"the store {shown(url)} cannot be opened without {driver} ({reason}); install referee[{backend}]"
        ) from error
    if backend == "sqlite":
        sql.event.listen(connections, "connect", _set_up_sqlite)
    return connections


def shown(url: str) -> str:
    """The address as messages show it, without passwords.

    Raises:
        WrongAddress: the address is not one of a store.
    """
    return _shown(_place(url))


def lock_path(url: str, league: str) -> Path:
    """The file that is locked while a league is played: beside a SQLite file, or else in the folder of temporary files.

    The latter belongs to the user and only excludes the user's other runners on this machine; `Store.lock` excludes all
    others.

    Raises:
        WrongAddress: the address is not one of a store.
    """
    place = _place(url)
    if place.get_backend_name() == "sqlite" and place.database not in (None, "", ":memory:"):
        return Path(f"{place.database}.{league}.lock")
    name = sha256(f"{_shown(place)} {league} {os.getuid()}".encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"referee-{name}.lock"


def _place(url: str) -> sql.URL:
    """The address, parsed."""
    form = "write sqlite:///FILE or postgresql://..."
    try:
        place = sql.make_url(url)
    except (SQLAlchemyError, ValueError) as error:
        # An address that cannot be parsed may have a password anywhere.
        named = repr(url) if set(url).isdisjoint("@:=") else "what is given"
        raise WrongAddress(f"{named} is no address of a store; {form}") from error
    backend, _, driver = place.drivername.partition("+")
    if backend == "postgresql" and url.count("@") > 1:
        raise WrongAddress("the address of the store has more than one @; write %40 for an @ in a password")
    if backend not in _DRIVERS:
        raise WrongAddress(f"{_shown(place)}: stores are kept in {' or '.join(_DRIVERS)} only")
    if driver not in ("", _DRIVERS[backend]):
        raise WrongAddress(f"{_shown(place)}: the driver {driver} is not used for stores; {form}")
    return place


def _shown(place: sql.URL) -> str:
    return place.difference_update_query(_SECRETS).render_as_string(hide_password=True)


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """Make a commit return only when it is on disk, and have SQLite enforce foreign keys."""
    cursor = connection.cursor()
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
