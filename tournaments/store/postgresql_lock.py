"""A PostgreSQL server lets only one runner play a league. There a runner may be on any machine.

The lock belongs to the session that took it and ends with this session, however it ends. A runner writes through this
session only, so it can no longer write once another runner may have the lock.

A server that restarts ends all sessions. Then the runner takes the lock again in a new session. Each runner of a league
gets a number when it takes the lock for the first time (a fencing token). If the last number is another one, another
runner has had the lock meanwhile, and the first one ends: it does not know what the other has played.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

import sqlalchemy as sql

from tournaments.store.address import StoreAway
from tournaments.store.run_lock import LockHeld, LockLost
from tournaments.store.schema import RUNNER

_TAKE = sql.text(
    """
    SELECT pg_try_advisory_lock(:key), set_config('tcp_keepalives_idle', '10', false),
    set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false)
    """
)
"""Also lets the server notice within 25 s that the machine of a runner is gone, and free the lock."""

# The server shows a key of 64 bits as two numbers of 32.
_HOLDER = sql.text(
    """
    SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) | objid::bigint = :key AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """
)
_HAS_LOCK = "referee has the lock"


class RunnerConnections:
    """The connections through which a league's runner writes, one after the other. Each first takes the lock."""

    def __init__(self, engine: sql.Engine, league: str) -> None:
        """Nobody else may use the engine."""
        self.engine = engine
        self._league = league
        self._number: int | None = None

    @contextmanager
    def connection(self) -> Iterator[sql.Connection]:
        """A connection with the lock: the same as before, unless that was lost.

        Raises:
            LockHeld: another runner has the lock, and this one never had it; the text names the other.
            LockLost: another runner has taken the lock since this one lost it.
            StoreAway: the server has not yet noticed that the connection was lost.
        """
        with self.engine.connect() as connection:
            if _HAS_LOCK not in connection.info:
                with connection.begin():
                    self._take(connection)
                connection.info[_HAS_LOCK] = True
            yield connection

    def _take(self, connection: sql.Connection) -> None:
        is_taken = connection.scalar(_TAKE, _key(connection, self._league))
        last = connection.scalar(sql.select(RUNNER.c.number).where(RUNNER.c.league == self._league)) or 0
        playing = (None if is_taken else holder(connection, self._league)) or "another runner"
        if self._number is None:
            if not is_taken:
                raise LockHeld(f"{playing} is playing this league; wait for it, or stop it first")
            connection.execute(sql.delete(RUNNER).where(RUNNER.c.league == self._league))
            connection.execute(sql.insert(RUNNER), {"league": self._league, "number": last + 1})
            self._number = last + 1
        elif self._number != last:
            raise LockLost(
                f"the connection to the store was lost, and {playing} has taken over this league meanwhile;"
                " what this run had not stored yet is played again"
            )
        elif not is_taken:  # the number is ours, so the lock is, too
            raise StoreAway("the server of the store still keeps the lock of a connection that was lost")


def holder(connection: sql.Connection, league: str) -> str | None:
    """The name of the session that has the lock on a league; None if none has. The lock is not touched."""
    found: str | None = connection.scalar(_HOLDER, _key(connection, league))
    return found


def _key(connection: sql.Connection, league: str) -> dict[str, int]:
    # A database may have a store in each of its schemas, so the schema is part of the lock's name.
    name = f"referee {connection.dialect.default_schema_name} {league}"
    return {"key": int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)}
