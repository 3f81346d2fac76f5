"""A lock that a PostgreSQL server keeps, for runners on different machines.

The lock belongs to the session that took it and ends with this session, however it ends. A runner writes through this
session only, so it can no longer write once another runner may have the lock.

A server that restarts ends all sessions. Then the runner takes the lock again in a new session. Each runner of a league
gets a number when it takes the lock for the first time (a fencing token). If the last number is another one, another
runner has had the lock meanwhile, and the first one ends: it does not know what the other has played.
"""

from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sql

from tournaments.store.address import StoreAway
from tournaments.store.run_lock import LockHeld, LockLost
from tournaments.store.schema import keep_others_out

_RUNNER = sql.Table(
    "runner",
    sql.MetaData(),
    sql.Column("league", sql.Text, primary_key=True),
    sql.Column("number", sql.Integer, nullable=False),
)
"""The number of the last runner of each league. Only stores on a server need it, so it is made when it is needed."""

_TAKE = sql.text("SELECT pg_try_advisory_lock(:key)")
_SESSION = sql.text("SELECT pid || ' ' || backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
# The server shows a key of 64 bits as two numbers of 32.
_HOLDER = sql.text(
    """
    SELECT application_name AS name, pid || ' ' || backend_start AS session
    FROM pg_stat_activity JOIN pg_locks USING (pid)
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


class _Holder(NamedTuple):
    """What is known of the session that has the lock. A user of the server may not see the sessions of others."""

    name: str | None
    session: str | None


class RunnerSession:
    """The session of a league's runner. It has the lock, and all that the runner writes goes through it."""

    def __init__(self, engine: sql.Engine, league: str) -> None:
        """Take the lock on a league.

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
                self._number = _next_number(self._connection, league)
                self._session = self._connection.scalar(_SESSION)
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
                if not _take(connection, self._league):
                    self._judge(_holder(connection, self._league))
                if connection.scalar(_last_number(self._league)) != self._number:
                    raise _lost("another runner")
                session = connection.scalar(_SESSION)
        except BaseException:
            connection.invalidate()  # it must not go back into the pool with the lock
            connection.close()
            raise
        self._connection.close()
        self._connection, self._session = connection, session

    def _judge(self, other: _Holder | None) -> None:
        """Refuse to go on without the lock.

        Raises:
            LockLost: another runner has it.
            StoreAway: the lost connection still has it.
        """
        if other is None or other.session == self._session:
            raise StoreAway("the server of the store still keeps the lock of a connection that was lost")
        raise _lost(other.name or "another runner")


def holder(connection: sql.Connection, league: str) -> str | None:
    """The name of the session that has the lock on a league; None if none has. The lock is not touched."""
    found = _holder(connection, league)
    return None if found is None else found.name


def _holder(connection: sql.Connection, league: str) -> _Holder | None:
    row = connection.execute(_HOLDER, _key(connection, league)).first()
    return None if row is None else _Holder(*row)


def _take(connection: sql.Connection, league: str) -> bool:
    """Try to take the lock on a league, for as long as the session of `connection` lasts. Returns whether it did."""
    connection.execute(_NOTICE_LOSS)
    return bool(connection.scalar(_TAKE, _key(connection, league)))


def _next_number(connection: sql.Connection, league: str) -> int:
    """Note one more runner of a league. Returns its number."""
    if not sql.inspect(connection).has_table(_RUNNER.name):
        keep_others_out(connection)
        _RUNNER.create(connection, checkfirst=True)
    mine = sql.update(_RUNNER).where(_RUNNER.c.league == league)
    number: int | None = connection.scalar(mine.values(number=_RUNNER.c.number + 1).returning(_RUNNER.c.number))
    if number is None:
        number = 1
        connection.execute(sql.insert(_RUNNER), {"league": league, "number": number})
    return number


def _last_number(league: str) -> sql.Select[Any]:
    return sql.select(_RUNNER.c.number).where(_RUNNER.c.league == league)


def _lost(whom: str) -> LockLost:
    return LockLost(
        f"the connection to the store was lost, and {whom} has taken over this league meanwhile; what this run had not"
        " stored yet is played again"
    )


def _key(connection: sql.Connection, league: str) -> dict[str, int]:
    # A database may have a store in each of its schemas, so the schema is part of the lock's name.
    name = f"referee {connection.dialect.default_schema_name} {league}"
    return {"key": int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)}
