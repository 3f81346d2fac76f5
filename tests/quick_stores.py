"""Makes stores of SQLite quick, in the processes of the tests only."""

from typing import Any

import sqlalchemy as sql

from tournaments.store import address, database

_open = address.engine
with sql.create_engine("sqlite://").connect() as _connection:  # the first connection makes a dialect complete
    _dialect = _connection.dialect
_statements: dict[Any, Any] = {}


def engine(url: str) -> sql.Engine:
    """The connections to a store: no commit waits for the disk, and each statement is compiled once for all stores.

    A process that is killed loses nothing by that, only a machine that fails does. The claim that a commit waits for
    the disk is tested with `address.engine`.
    """
    connections = _open(url)
    if connections.dialect.name == "sqlite":
        connections.dialect = _dialect  # a statement is compiled for a dialect, so all stores must have the same one
        connections.update_execution_options(compiled_cache=_statements)
        sql.event.listen(connections, "connect", _wait_for_no_disk)
    return connections


def _wait_for_no_disk(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA synchronous = OFF")


def make_quick() -> None:
    """Have every store that this process opens opened so."""
    setattr(database, "engine", engine)  # noqa: B010 - it is imported there, and not meant to be found
