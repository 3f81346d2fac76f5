"""Batches that broke. A store without them has lost nothing: a bot may break a few more."""

import sqlalchemy as sql

from tournaments.store.schema import BROKEN_BATCH


def note_broken_batch(
    connection: sql.Connection, league: str, line_up: str, culprit: str | None, reason: str, now_ms: int
) -> None:
    """Add a broken batch, unless it was added before."""
    row = {"league": league, "line_up": line_up, "culprit": culprit, "reason": reason, "stored_ms": now_ms}
    same = (BROKEN_BATCH.c.league == league) & (BROKEN_BATCH.c.line_up == line_up)
    if connection.scalar(sql.select(BROKEN_BATCH.c.number).where(same, BROKEN_BATCH.c.stored_ms == now_ms)) is None:
        connection.execute(sql.insert(BROKEN_BATCH), row)


def broken_batches(connection: sql.Connection, league: str) -> dict[str, int]:
    """How many batches each entry has broken; those that have broken none are left out."""
    count = sql.select(BROKEN_BATCH.c.culprit, sql.func.count().label("broken")).where(BROKEN_BATCH.c.league == league)
    rows = connection.execute(count.where(BROKEN_BATCH.c.culprit.is_not(None)).group_by(BROKEN_BATCH.c.culprit))
    return {row.culprit: row.broken for row in rows}
