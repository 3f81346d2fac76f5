"""The status of the nodes of a league's run, for viewers. A store without it has lost nothing."""

import msgspec
import sqlalchemy as sql

from tournaments.league.status import Fleet
from tournaments.store.schema import FLEET


def note_nodes(connection: sql.Connection, league: str, fleet: Fleet) -> None:
    """Keep how the nodes are now, instead of how they were."""
    forget(connection, league)
    connection.execute(sql.insert(FLEET), {"league": league, "content": msgspec.json.encode(fleet).decode()})


def forget_nodes(connection: sql.Connection, league: str) -> None:
    """Forget the nodes of a run that is over."""
    connection.execute(sql.delete(FLEET).where(FLEET.c.league == league))


def read_nodes(connection: sql.Connection, league: str) -> Fleet | None:
    """How the nodes were when that was last noted; None if there are none."""
    content: Fleet | None = connection.scalar(sql.select(FLEET.c.content).where(FLEET.c.league == league))
    return content
