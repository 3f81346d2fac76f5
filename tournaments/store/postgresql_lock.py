"""A lock that a PostgreSQL server keeps, for runners on different machines.

The lock belongs to the session that took it and ends with this session, however it ends. A runner writes through this
session only, so it can no longer write once another runner may have the lock.
"""

from hashlib import sha256

import sqlalchemy as sql

from tournaments.store.run_lock import LockHeld

_TAKE = sql.text("SELECT pg_try_advisory_lock(:key)")
# The server shows a key of 64 bits as two numbers of 32.
_HOLDER = sql.text(
    """
    SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) | objid::bigint = :key AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """
)


def take(connection: sql.Connection, league: str) -> None:
    """Take the lock on a league, for as long as the session of `connection` lasts.

    Raises:
        LockHeld: another runner holds it; the text names that runner.
    """
    with connection.begin():
        if not connection.scalar(_TAKE, _key(connection, league)):
            playing = holder(connection, league) or "another runner"
            raise LockHeld(f"{playing} is playing this league; wait for it, or stop it first")


def holder(connection: sql.Connection, league: str) -> str | None:
    """The name of the session that has the lock on a league; None if none has. The lock is not touched."""
    found: str | None = connection.scalar(_HOLDER, _key(connection, league))
    return found


def _key(connection: sql.Connection, league: str) -> dict[str, int]:
    # A database may have a store in each of its schemas, so the schema is part of the lock's name.
    name = f"referee {connection.dialect.default_schema_name} {league}"
    return {"key": int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)}
