"""Answers that took long to compute, kept beside what they were computed from.

A store without them has lost nothing. So their table is no part of the store's format, and is made when it is needed.
"""

from collections.abc import Mapping, Sequence

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
    if not _is_there(connection):
        return None
    return connection.scalar(sql.select(_ANSWER.c.answer).where(*_is(league, question), _ANSWER.c.key == key))


def key(connection: sql.Connection, league: str, question: str) -> str | None:
    """The key of the answer to a question; None if there is none."""
    if not _is_there(connection):
        return None
    return connection.scalar(sql.select(_ANSWER.c.key).where(*_is(league, question)))


def kept(connection: sql.Connection, league: str, questions: Sequence[str]) -> dict[str, bytes]:
    """The answers to these questions, whatever their keys; those that there are, as of one moment."""
    if not _is_there(connection):
        return {}
    query = sql.select(_ANSWER.c.question, _ANSWER.c.answer)
    query = query.where(_ANSWER.c.league == league, _ANSWER.c.question.in_(questions))
    return {row.question: row.answer for row in connection.execute(query)}


def keep(connection: sql.Connection, league: str, question: str, key: str, answer: bytes) -> None:
    """Keep an answer instead of the last one to this question."""
    _ANSWER.create(connection, checkfirst=True)
    connection.execute(sql.delete(_ANSWER).where(*_is(league, question)))
    _add(connection, league, key, {question: answer})


def keep_all(connection: sql.Connection, league: str, begin: str, key: str, answers: Mapping[str, bytes]) -> None:
    """Keep these answers by question, instead of all whose questions begin so."""
    _ANSWER.create(connection, checkfirst=True)
    connection.execute(
        sql.delete(_ANSWER).where(_ANSWER.c.league == league, _ANSWER.c.question.startswith(begin, autoescape=True))
    )
    _add(connection, league, key, answers)


def _add(connection: sql.Connection, league: str, key: str, answers: Mapping[str, bytes]) -> None:
    rows = [
        {"league": league, "question": question, "key": key, "answer": answer} for question, answer in answers.items()
    ]
    connection.execute(sql.insert(_ANSWER), rows)


def _is_there(connection: sql.Connection) -> bool:
    return sql.inspect(connection).has_table(_ANSWER.name)


def _is(league: str, question: str) -> tuple[sql.ColumnElement[bool], ...]:
    return (_ANSWER.c.league == league, _ANSWER.c.question == question)
