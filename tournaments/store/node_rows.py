"""The status of the nodes of a league's run, for viewers.

A store without it has lost nothing. So its table is no part of the store's format, and is made when it is needed.
"""

import msgspec
import sqlalchemy as sql

from tournaments.league.status import Fleet

_FLEET = sql.Table(
    "fleet",
    sql.MetaData(),
    sql.Column("league", sql.Text, primary_key=True),
    sql.Column("content", sql.Text, nullable=False),
)
"""One row for each league that is played on many machines. `content` is JSON."""


def note(connection: sql.Connection, league: str, fleet: Fleet) -> None:
    """Keep how the nodes are now, instead of how they were."""
    _FLEET.create(connection, checkfirst=True)
    forget(connection, league)
    connection.execute(sql.insert(_FLEET), {"league": league, "content": msgspec.json.encode(fleet).decode()})


def forget(connection: sql.Connection, league: str) -> None:
    """Forget the nodes of a run that is over."""
    if is_there(connection):
        connection.execute(sql.delete(_FLEET).where(_FLEET.c.league == league))


def read(connection: sql.Connection, league: str) -> Fleet | None:
    """How the nodes were when that was last noted; None if there are none."""
    if not is_there(connection):
        return None
    content = connection.scalar(sql.select(_FLEET.c.content).where(_FLEET.c.league == league))
    return None if content is None else msgspec.json.decode(content, type=Fleet)


def is_there(connection: sql.Connection) -> bool:
    """Whether nodes of any league were ever noted."""
    return sql.inspect(connection).has_table(_FLEET.name)
