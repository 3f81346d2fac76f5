"""The rows of the audit: who did what, and when."""

import sqlalchemy as sql

from tournaments.store.submission_tables import AUDIT


def note(connection: sql.Connection, league: str, now_ms: int, who: str, what: str, about: str) -> None:
    """Add a row."""
    row = {"league": league, "at_ms": now_ms, "who": who, "what": what, "about": about}
    connection.execute(sql.insert(AUDIT), row)
