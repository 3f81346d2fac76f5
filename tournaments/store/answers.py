"""Answers that took long to compute, kept beside what they were computed from.

A store without them has lost nothing. So their table is no part of the store's format, and is made when it is needed.
"""

from collections.abc import Mapping

import sqlalchemy as sql

_ANSWER = sql.Table(
    "answer",
    sql.MetaData(),
    sql.Column("league", sql.Text, primary_key=True),
    sql.Column("key", sql.Text, nullable=False),
    sql.Column("answer", sql.LargeBinary, nullable=False),
)
"""The last answer for each league. `key` is a digest of all that it was computed from."""


def recall(connection: sql.Connection, league: str, key: str) -> bytes | None:
    """The answer that was kept under this key; None if there is none."""
    if not sql.inspect(connection).has_table(_ANSWER.name):
        return None
    query = sql.select(_ANSWER.c.answer).where(_ANSWER.c.league == league, _ANSWER.c.key == key)
    return connection.scalar(query)


def keep(connection: sql.Connection, league: str, key: str, answer: bytes) -> None:
    """Keep an answer instead of the last one of the league."""
    _ANSWER.create(connection, checkfirst=True)
    row: Mapping[str, object] = {"league": league, "key": key, "answer": answer}
    connection.execute(sql.delete(_ANSWER).where(_ANSWER.c.league == league))
    connection.execute(sql.insert(_ANSWER), row)
