"""Copies a store: all its leagues as they are at one moment, from SQLite or PostgreSQL to either. A run may go on.

The copy is one transaction, so it is there in full or not at all. After one that was interrupted the new store has no
rows, and the next one begins anew.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from ipaddress import ip_address
from typing import Any, cast

import msgspec
import sqlalchemy as sql

from referee.core.errors import WrongUse
from tournaments.store.address import is_missing, store_file, whereabouts
from tournaments.store.column_values import CheckedColumn
from tournaments.store.database import Database
from tournaments.store.schema import FLEET, LEAGUE, MATCH, RUNNER, STORE_FORMAT, TABLES
from tournaments.store.store_errors import StoreError

_COPIED = tuple(table for table in TABLES if table not in (RUNNER, FLEET, STORE_FORMAT))
"""All but what a run holds and heeds while it plays, which means nothing in another store."""

_AT_ONCE = 100
"""Rows in memory: a row may have a mebibyte."""


class CannotCopy(WrongUse):
    """There is no such store, or the copy may not be made there."""


def copy_store(old_url: str, new_url: str, *, in_the_clear: bool = False) -> dict[str, int]:
    """Copy a store into an empty one, and compare all rows by their digests. Returns by league how many results it has.

    A new file is for its owner alone before anything is in it. `in_the_clear` allows another machine without TLS.

    Raises:
        CannotCopy: there is no store at the old address; or the new one has rows, other users may read its file, or
            it is on another machine and the connection has no TLS.
        StoreError, WrongAddress: a store fails, or they differ at the end. Then nothing was copied.
    """
    if is_missing(old_url):
        raise CannotCopy(f"there is no store {whereabouts(old_url)}")
    file = store_file(new_url)
    if file is not None and file.exists() and file.stat().st_mode & 0o077:
        raise CannotCopy(f"{file} is there, and other users have rights on it; name a new file, or remove this one")
    with (
        closing(Database(old_url)) as old,
        closing(Database(new_url)) as new,
        old.snapshot() as source,
        new.writing() as target,
    ):
        _check_may_be_filled(target, whereabouts(new_url), in_the_clear=in_the_clear)
        for table in _COPIED:
            for rows in _rows(source, table):
                target.execute(sql.insert(table), [row._asdict() for row in rows])
            _count_on(target, table)
        differing = [table.name for table in _COPIED if _digest(source, table) != _digest(target, table)]
        if differing:
            raise StoreError(f"the copy differs from {old.place} in {', '.join(differing)}; nothing was copied")
        count = sql.select(sql.func.count()).where(MATCH.c.league == LEAGUE.c.league).scalar_subquery()
        leagues = target.execute(sql.select(LEAGUE.c.league, count).order_by(LEAGUE.c.league))
        return {row[0]: row[1] for row in leagues}


def _check_may_be_filled(target: sql.Connection, place: str, *, in_the_clear: bool) -> None:
    if any(target.scalar(sql.select(sql.exists(sql.select(table)))) for table in (*_COPIED, RUNNER, FLEET)):
        raise CannotCopy(f"the store {place} is not empty; name a new one")
    if not in_the_clear and _is_readable_on_the_way(target):
        raise CannotCopy(
            f"the connection to {place} has no TLS, and everybody on the way could read the copy; append"
            " ?sslmode=require to the address, or say that you want this (--yes)"
        )


def _rows(connection: sql.Connection, table: sql.Table) -> Iterator[Sequence[sql.Row[Any]]]:
    """The rows of a table as they are stored, sorted by their key."""
    # The types of the columns would check and decode.
    columns = [sql.type_coerce(each, cast("CheckedColumn", each.type).impl).label(each.name) for each in table.columns]
    query = sql.select(*columns).order_by(*table.primary_key)
    with connection.execution_options(yield_per=_AT_ONCE).execute(query) as result:
        yield from result.partitions()


def _digest(connection: sql.Connection, table: sql.Table) -> str:
    digest = sha256()
    for rows in _rows(connection, table):
        digest.update(msgspec.msgpack.encode([tuple(row) for row in rows]))
    return digest.hexdigest()


def _count_on(connection: sql.Connection, table: sql.Table) -> None:
    """Have PostgreSQL number the next row of a table after those that were copied, as SQLite does by itself."""
    column = table.autoincrement_column
    if connection.dialect.name == "postgresql" and column is not None:
        sequence = sql.func.pg_get_serial_sequence(table.name, column.name)
        last = sql.select(sql.func.coalesce(sql.func.max(sql.type_coerce(column, sql.Integer)), 0)).scalar_subquery()
        connection.execute(sql.select(sql.func.setval(sequence, last + 1, False)))


def _is_readable_on_the_way(connection: sql.Connection) -> bool:
    """Whether what is sent goes to another machine unencrypted."""
    if connection.dialect.name == "sqlite":
        return False
    driver: Any = connection.connection.driver_connection  # of psycopg
    address = driver.info.hostaddr
    is_here = not address or driver.info.host.startswith("/") or ip_address(address).is_loopback
    return not (is_here or driver.pgconn.ssl_in_use)
