"""Which deals of a league are closed. A deal that is closed once stays closed."""

import sqlalchemy as sql

from tournaments.league.closed_deals import OPEN, ClosedDeals
from tournaments.store.schema import LEAGUE, columns_of


def read(connection: sql.Connection, league: str) -> ClosedDeals:
    """How far the deals of a league are closed. In a store that was never asked to close any, none is."""
    if not _can_tell(connection):
        return OPEN
    row = connection.execute(
        sql.select(LEAGUE.c.closed_deals, LEAGUE.c.closed_ms).where(LEAGUE.c.league == league)
    ).first()
    return OPEN if row is None else ClosedDeals(*row)


def close_below(connection: sql.Connection, league: str, deals: int) -> None:
    """Close all deals with a lower number."""
    fewer = (LEAGUE.c.league == league) & (LEAGUE.c.closed_deals < deals)
    connection.execute(sql.update(LEAGUE).where(fewer).values(closed_deals=deals))


def close(connection: sql.Connection, league: str, now_ms: int) -> None:
    """Close the whole league, unless it is closed."""
    open_ = (LEAGUE.c.league == league) & LEAGUE.c.closed_ms.is_(None)
    connection.execute(sql.update(LEAGUE).where(open_).values(closed_ms=now_ms))


def _can_tell(connection: sql.Connection) -> bool:
    """Whether the store has the columns: one that an earlier Referee made gets them from the next run."""
    return LEAGUE.c.closed_ms.name in columns_of(connection).get(LEAGUE.name, ())
