"""Which deals of a league are closed. A deal that is closed once stays closed."""

import sqlalchemy as sql

from tournaments.league.deals import OPEN, ClosedDeals
from tournaments.store.schema import LEAGUE

_CLOSED = sql.select(LEAGUE.c.closed_deals, LEAGUE.c.closed_ms).where(LEAGUE.c.league == sql.bindparam("of"))


def read_closed_deals(connection: sql.Connection, league: str) -> ClosedDeals:
    """How far the deals of a league are closed. In a store that was never asked to close any, none is."""
    row = connection.execute(_CLOSED, {"of": league}).first()
    return OPEN if row is None else ClosedDeals(*row)


def close_deals_below(connection: sql.Connection, league: str, deals: int) -> None:
    """Close all deals with a lower number."""
    fewer = (LEAGUE.c.league == league) & (LEAGUE.c.closed_deals < deals)
    connection.execute(sql.update(LEAGUE).where(fewer).values(closed_deals=deals))


def close_league(connection: sql.Connection, league: str, now_ms: int) -> None:
    """Close the whole league, unless it is closed."""
    open_ = (LEAGUE.c.league == league) & LEAGUE.c.closed_ms.is_(None)
    connection.execute(sql.update(LEAGUE).where(open_).values(closed_ms=now_ms))
