"""What may be told of a league that is kept in a store: values of `tournaments.web.visibility` for one viewer.

with Shown(league, url) as shown:
    shown.refresh(now_ms)               # seldom: it reads all results, and keeps the tables in the store
    shown.to(Visitor()).standings()     # cheap: it reads what was kept

Tables are of the last refresh, and say of which moment they are. Everything else is of now. `to` is for one request:
what it has read once, it does not read again.
"""

from tournaments.web.queries.league_queries import LeagueQueries
from tournaments.web.queries.list_page import ListPage, NotThere, NotYet
from tournaments.web.queries.published_league import PublishedLeague, Pulse

__all__ = ["LeagueQueries", "ListPage", "NotThere", "NotYet", "PublishedLeague", "Pulse"]
