"""Answers that took long to compute, kept beside what they were computed from.

A store without them has lost nothing. So their table is no part of the store's format, and is made when it is needed.
"""

import sqlalchemy as sql

_ANSWER = sql.Table(
    "answer",
    sql.MetaData(),
    sql.Column("league", sql.Text, primary_key=True),
    sql.Column("question", sql.Text, primary_key=True),
    sql.Column("key", sql.Text, nullable=False),
    sql.Column("answer", sql.LargeBinary, nullable=False),
)
"""The last answer to each question about a league. `key` is a digest of all that it was computed from."""


def recall(connection: sql.Connection, league: str, question: str, key: str) -> bytes | None:
    """The answer that was kept under this key; None if there is none."""
    if not sql.inspect(connection).has_table(_ANSWER.name):
        return None
    return connection.scalar(sql.select(_ANSWER.c.answer).where(*_is(league, question), _ANSWER.c.key == key))


def keep(connection: sql.Connection, league: str, question: str, key: str, answer: bytes) -> None:
    """Keep an answer instead of the last one to this question."""
    _ANSWER.create(connection, checkfirst=True)
    connection.execute(sql.delete(_ANSWER).where(*_is(league, question)))
    row = {"league": league, "question": question, "key": key, "answer": answer}
    connection.execute(sql.insert(_ANSWER), row)


def _is(league: str, question: str) -> tuple[sql.ColumnElement[bool], ...]:
    return (_ANSWER.c.league == league, _ANSWER.c.question == question)
