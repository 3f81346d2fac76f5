"""The address of a store, SQLite or PostgreSQL: its connections, and the file that locks it."""

import contextlib
import os
import socket
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from referee.core.errors import WrongUse
from referee.core.text import is_utf8
from tournaments.store.store_errors import PATIENCE_S, StoreError

_DRIVERS = {"sqlite": "pysqlite", "postgresql": "psycopg"}
_SECRETS = ("password", "sslpassword")
"""Parameters after the question mark that libpq also reads passwords from."""


_LOG_BYTES = 64 << 20
"""A log of SQLite (`-wal`) that a long reader let grow is cut to this size when the reader has ended."""


_NOTICE_LOSS = {"connect_timeout": 10, "keepalives_idle": 10, "keepalives_interval": 5, "tcp_user_timeout": 25_000}
"""Parameters of libpq. A server that does not answer any more is noticed after 25 s, and not after hours."""


class WrongAddress(WrongUse):
    """The address cannot be that of a store."""


def engine(url: str) -> sql.Engine:
    """The connections to the store at `url`; nothing is opened yet.

    A connection that waited in the pool is tested before it is used: the server may have been restarted since.

    Raises:
        WrongAddress: the address is not one of a store, or its folder does not exist.
        StoreError: the driver for it is not installed.
    """
    place = _place(url)
    if not _is_on_server(place):
        _check_folder(_file(place))
    backend = place.get_backend_name()
    driver = _DRIVERS[backend]
    # This name is shown to anyone who lists the server's sessions, or asks for a lock that we hold.
    named = {"application_name": f"referee {os.getpid()}@{socket.gethostname()}"}
    usual = {name: value for name, value in _NOTICE_LOSS.items() if name not in place.query}
    how = usual | named if backend == "postgresql" else {"timeout": PATIENCE_S}
    address = _opened(place).set(drivername=f"{backend}+{driver}")
    try:
        connections = sql.create_engine(address, connect_args=how, pool_pre_ping=backend == "postgresql")
    except ImportError as error:
        reason = " ".join(str(error).split())
        raise StoreError(
            f"the store {address_without_password(url)} cannot be opened without {driver} ({reason});"
            f" install referee[{backend}]"
        ) from error
    if backend == "sqlite":
        file = _file(place)
        sql.event.listen(connections, "do_connect", lambda *_: _make_private(file))
        sql.event.listen(connections, "connect", _set_up_sqlite)
    return connections


def _make_private(file: Path) -> None:
    """Make the file of a new store readable for its owner only. SQLite gives its logs the same rights."""
    with contextlib.suppress(OSError):  # it is there; or SQLite says what is wrong
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def address_without_password(url: str) -> str:
    """The address as messages show it, without passwords.

    Raises:
        WrongAddress: the address is not one of a store.
    """
    return _url_text(_place(url))


def whereabouts(url: str) -> str:
    """Where a store is, as people may look for it: the whole path of a file, or the address without passwords.

    Raises:
        WrongAddress: the address is not one of a store.
    """
    place = _place(url)
    return _url_text(place) if _is_on_server(place) else str(Path(place.database or "").absolute())


def store_file(url: str) -> Path | None:
    """The file of a store, an absolute path without links; None if it is kept on a server.

    Raises:
        WrongAddress: the address is not one of a store.
    """
    place = _place(url)
    return None if _is_on_server(place) else _file(place)


def is_missing(url: str) -> bool:
    """Whether a store is a file that does not exist. A command that only reads must not open it: that would create it.

    Raises:
        WrongAddress: the address is not one of a store, or its folder does not exist.
    """
    file = store_file(url)
    if file is None:
        return False
    _check_folder(file)
    return not file.exists()


def lock_path(url: str, league: str) -> Path:
    """The file that is locked while a league is played: beside a SQLite file, or else in the folder of temporary files.

    The former follows links, so the lock belongs to the file and not to one of its names. The latter belongs to the
    user and only excludes the user's other runners on this machine; `Store.lock` excludes all others.

    Raises:
        WrongAddress: the address is not one of a store, or its folder does not exist.
    """
    place, file = _place(url), store_file(url)
    if file is not None:
        _check_folder(file)
        return Path(f"{file}.{league}.lock")
    name = sha256(f"{_url_text(place)} {league} {os.getuid()}".encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"referee-{name}.lock"


def service_lock(url: str, league: str) -> Path:
    """The file that is locked while a league is served, beside that of its runs.

    Raises:
        WrongAddress: as `lock_path`.
    """
    lock = lock_path(url, league)
    return lock.with_name(f"{lock.stem}.serve{lock.suffix}")


def logs_folder(url: str, league: str) -> Path:
    """The folder for what the bots of a league write: beside a SQLite file, or else in the current folder.

    Raises:
        WrongAddress: the address is not one of a store.
    """
    file = store_file(url)
    return Path(f"{league}.logs").resolve() if file is None else file.with_name(f"{file.name}.{league}.logs")


def trees_folder(url: str) -> Path:
    """The folder where the bots of a store are unpacked: beside a SQLite file, or else in the current folder.

    Raises:
        WrongAddress: the address is not one of a store.
    """
    file = store_file(url)
    if file is None:
        return Path(f"referee-{sha256(address_without_password(url).encode()).hexdigest()[:16]}.bots").resolve()
    return file.with_name(f"{file.name}.bots")


def _place(url: str) -> sql.URL:
    """The address, parsed."""
    form = "write sqlite:///FILE or postgresql://..."
    if not is_utf8(url):
        raise WrongAddress("the address of the store is not UTF-8; rename its file or folder")
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
        raise WrongAddress(f"{_url_text(place)}: stores are kept in {' or '.join(_DRIVERS)} only")
    if driver not in ("", _DRIVERS[backend]):
        raise WrongAddress(f"{_url_text(place)}: the driver {driver} is not used for stores; {form}")
    if backend == "sqlite":
        _check_names_a_file(place)
    return place


def _check_names_a_file(place: sql.URL) -> None:
    """A store in memory would end with the command, and parameters could give one file another name."""
    if place.host or place.username or place.query or place.database in (None, "", ":memory:"):
        raise WrongAddress(
            f"{_url_text(place)} names no file; write sqlite:///FILE, with one more slash before a whole path:"
            " sqlite:////FOLDER/FILE"
        )
    if not is_utf8(str(_file(place))):
        raise WrongAddress(f"{_file(place)}: the name of the store's folder is not UTF-8; rename it")


def _check_folder(file: Path) -> None:
    """Check that the file of a store can be where its address says.

    Raises:
        WrongAddress: its folder does not exist, or the file is a folder itself.
    """
    if file.is_dir():
        raise WrongAddress(f"{file} is a folder; name a file for the store (--store)")
    if not file.parent.is_dir():
        raise WrongAddress(
            f"the store {file} has no folder: {file.parent} does not exist or is a file; make it, or name another"
            " store (--store)"
        )


def _opened(place: sql.URL) -> sql.URL:
    """The address with which a store is opened: read-only for a file of SQLite in a folder that is not writable.

    SQLite reads its log (`-wal`) by an index (`-shm`), which it would create in the folder. Without a log the address
    must say that nobody writes, or SQLite would look for a log.

    Raises:
        StoreError: there is a log without an index.
    """
    if _is_on_server(place) or os.access((path := _file(place)).parent, os.W_OK):
        return place
    log, index = Path(f"{path}-wal"), Path(f"{path}-shm")
    has_log = log.exists() and log.stat().st_size > 0
    if has_log and not index.exists():
        raise StoreError(
            f"{log} has matches that cannot be read where nothing may be written;"
            " copy both files to another folder and name the copy (--store)"
        )
    how = {"mode": "ro"} if has_log else {"immutable": "1"}
    return place.set(database=path.as_uri(), query={**how, "uri": "true"})


def _is_on_server(place: sql.URL) -> bool:
    return place.get_backend_name() != "sqlite"


def _file(place: sql.URL) -> Path:
    """The file of a store in SQLite, without links."""
    return Path(place.database or "").resolve()


def _url_text(place: sql.URL) -> str:
    return place.difference_update_query(_SECRETS).render_as_string(hide_password=True)


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """Make a commit return only when it is on disk, and have SQLite enforce foreign keys and cut its log.

    The driver begins no transactions of its own: the store does, and says which will write.
    """
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("synchronous = FULL", "foreign_keys = ON", f"journal_size_limit = {_LOG_BYTES}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
