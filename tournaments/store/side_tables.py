"""The answers about a league that took long to compute, stored beside the data they were computed from.

A store without them has lost nothing: they are computed again.
"""

import contextlib
from collections.abc import Mapping

import sqlalchemy as sql
import zstandard

from tournaments.store.database import Database
from tournaments.store.schema import ANSWER


class TableCache:
    """The answers about one league, by question. Every method raises `StoreError` if the store fails.

    Each has a key, a digest of all that it was computed from. Answers that were put there at once have the same key,
    and those that are taken at once are as of one moment.
    """

    def __init__(self, database: Database, league: str) -> None:
        self._database = database
        self._league = league

    def key(self, question: str) -> str | None:
        """The key of the answer to a question; None if there is none."""
        with self._database.reading() as connection:
            return connection.scalar(sql.select(ANSWER.c.key).where(self._is, ANSWER.c.question == question))

    def put(self, begin: str, key: str, answers: Mapping[str, bytes]) -> None:
        """Keep these answers, whose questions all begin so, instead of all whose questions begin so."""
        packer = zstandard.ZstdCompressor(level=1)
        rows = [
            {"league": self._league, "question": question, "key": key, "answer": packer.compress(answer)}
            for question, answer in answers.items()
        ]
        replaced = sql.delete(ANSWER).where(self._is, ANSWER.c.question.startswith(begin, autoescape=True))
        with self._database.writing() as connection:
            connection.execute(replaced)
            if rows:
                connection.execute(sql.insert(ANSWER), rows)

    def take(self, *questions: str, key: str | None = None) -> dict[str, bytes]:
        """Those of the answers to these questions that there are and can be read; with a key, those that have it."""
        query = sql.select(ANSWER.c.question, ANSWER.c.answer).where(self._is, ANSWER.c.question.in_(questions))
        if key is not None:
            query = query.where(ANSWER.c.key == key)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        unpacker = zstandard.ZstdDecompressor()
        found = {}
        for question, answer in rows:
            with contextlib.suppress(zstandard.ZstdError):
                found[question] = unpacker.decompress(answer)
        return found

    @property
    def _is(self) -> sql.ColumnElement[bool]:
        return ANSWER.c.league == self._league
