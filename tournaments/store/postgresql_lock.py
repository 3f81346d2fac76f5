"""A PostgreSQL server lets only one runner play a league. There a runner may be on any machine.

The lock belongs to the session that took it and ends with this session, however it ends. A runner writes through this
session only, so it can no longer write once another runner may have the lock.

A server that restarts ends all sessions. Then the runner takes the lock again in a new session. Each runner of a league
gets a number when it takes the lock for the first time (a fencing token). If the last number is another one, another
runner has had the lock meanwhile, and the first one ends: it does not know what the other has played.
"""

from hashlib import sha256

import sqlalchemy as sql

from tournaments.store.address import StoreAway
from tournaments.store.run_lock import LockHeld, LockLost
from tournaments.store.schema import RUNNER

_TAKE = sql.text("SELECT pg_try_advisory_lock(:key)")
# The server shows a key of 64 bits as two numbers of 32.
_HOLDER = sql.text(
    """
    SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) | objid::bigint = :key AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """
)
_NOTICE_LOSS = sql.text(
    """
    SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false)
    """
)
"""Lets the server notice within 25 s that the machine of a runner is gone, and free the lock."""


class RunnerSession:
    """The session of a league's runner. It has the lock, and all that the runner writes goes through it."""

    def __init__(self, engine: sql.Engine, league: str) -> None:
        """Take the lock on a league, and the next number.

        Raises:
            LockHeld: another runner holds it; the text names that runner.
        """
        self._engine = engine
        self._league = league
        self._connection = engine.connect()
        try:
            with self._connection.begin():
                if not _take(self._connection, league):
                    playing = holder(self._connection, league) or "another runner"
                    raise LockHeld(f"{playing} is playing this league; wait for it, or stop it first")
                self._number = _last_number(self._connection, league) + 1
                self._connection.execute(sql.delete(RUNNER).where(RUNNER.c.league == league))
                self._connection.execute(sql.insert(RUNNER), {"league": league, "number": self._number})
        except BaseException:
            self._connection.close()
            raise

    def connection(self) -> sql.Connection:
        """The connection with the lock. If it was lost, there is a new one, with the lock again.

        Raises:
            LockLost: another runner has taken the lock meanwhile.
            StoreAway: the server has not yet noticed that the connection was lost.
        """
        if self._connection.invalidated:  # it would connect again by itself, but without the lock
            self._take_again()
        return self._connection

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _take_again(self) -> None:
        connection = self._engine.connect()
        try:
            with connection.begin():
                is_taken = _take(connection, self._league)
                if _last_number(connection, self._league) != self._number:
                    playing = holder(connection, self._league)
                    raise LockLost(
                        f"the connection to the store was lost, and {playing or 'another runner'} has taken over this"
                        " league meanwhile; what this run had not stored yet is played again"
                    )
                if not is_taken:  # the number is ours, so the lock is, too
                    raise StoreAway("the server of the store still keeps the lock of a connection that was lost")
        except BaseException:
            connection.invalidate()  # it must not go back into the pool with the lock
            connection.close()
            raise
        self._connection.close()
        self._connection = connection


def holder(connection: sql.Connection, league: str) -> str | None:
    """The name of the session that has the lock on a league; None if none has. The lock is not touched."""
    found: str | None = connection.scalar(_HOLDER, _key(connection, league))
    return found


def _take(connection: sql.Connection, league: str) -> bool:
    """Try to take the lock on a league, for as long as the session of `connection` lasts. Returns whether it did."""
    connection.execute(_NOTICE_LOSS)
    return bool(connection.scalar(_TAKE, _key(connection, league)))


def _last_number(connection: sql.Connection, league: str) -> int:
    return connection.scalar(sql.select(RUNNER.c.number).where(RUNNER.c.league == league)) or 0


def _key(connection: sql.Connection, league: str) -> dict[str, int]:
    # A database may have a store in each of its schemas, so the schema is part of the lock's name.
    name = f"referee {connection.dialect.default_schema_name} {league}"
    return {"key": int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)}
