"""Batches that broke.

A store without them has lost nothing: a bot may break a few more. So their table is no part of the store's format, and
is made when it is needed.
"""

import sqlalchemy as sql

_BROKEN = sql.Table(
    "broken_batch",
    sql.MetaData(),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", sql.Text, nullable=False),
    sql.Column("line_up", sql.Text, nullable=False),
    sql.Column("culprit", sql.Text),
    sql.Column("reason", sql.Text, nullable=False),
    sql.Column("stored_ms", sql.BigInteger, nullable=False),
)
"""One row for each. `line_up` is the entries by seat, joined by `+`; `culprit` is the entry whose bot was to blame."""


def note(connection: sql.Connection, league: str, line_up: str, culprit: str | None, reason: str, now_ms: int) -> None:
    """Add a broken batch, unless it was added before."""
    _BROKEN.create(connection, checkfirst=True)
    same = (_BROKEN.c.league == league) & (_BROKEN.c.line_up == line_up) & (_BROKEN.c.stored_ms == now_ms)
    if connection.scalar(sql.select(_BROKEN.c.number).where(same)) is None:
        row = {"league": league, "line_up": line_up, "culprit": culprit, "reason": reason, "stored_ms": now_ms}
        connection.execute(sql.insert(_BROKEN), row)


def by_culprit(connection: sql.Connection, league: str) -> dict[str, int]:
    """How many batches each entry has broken; those that have broken none are left out."""
    if not sql.inspect(connection).has_table(_BROKEN.name):
        return {}
    count = sql.select(_BROKEN.c.culprit, sql.func.count().label("broken")).where(_BROKEN.c.league == league)
    rows = connection.execute(count.where(_BROKEN.c.culprit.is_not(None)).group_by(_BROKEN.c.culprit))
    return {row.culprit: row.broken for row in rows}
