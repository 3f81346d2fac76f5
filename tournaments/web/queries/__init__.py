"""Reads from a store the data that one viewer may see of a league, as values of `tournaments.web.visibility`.

with PublishedLeague(league, url) as shown:
    shown.refresh(now_ms)               # seldom: it reads all results, and stores the tables
    shown.to(Visitor()).standings()     # cheap: it reads the stored tables

Tables are of the last refresh, and give its time. Everything else is current. `to` is for one request: it reads
nothing twice.
"""

from tournaments.web.queries.build_views import STANDINGS_COLUMNS, StandingsQuery
from tournaments.web.queries.league_queries import ENTRY_COLUMNS, LeagueQueries
from tournaments.web.queries.list_page import BadQuery, ListPage, NotThere, NotYet
from tournaments.web.queries.published_league import PublishedLeague, Pulse
from tournaments.web.queries.request_state import last_minute

__all__ = [
    "ENTRY_COLUMNS",
    "STANDINGS_COLUMNS",
    "BadQuery",
    "LeagueQueries",
    "ListPage",
    "NotThere",
    "NotYet",
    "PublishedLeague",
    "Pulse",
    "StandingsQuery",
    "last_minute",
]
