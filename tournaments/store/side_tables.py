"""The tables that a store can do without: broken batches, the status of nodes, and answers that took long to compute.

A store without them has lost nothing: a bot may break a few more batches, viewers see no nodes, and the answers are
computed again. The answers are stored beside the data they were computed from.
"""

import contextlib
from collections.abc import Mapping

import msgspec
import sqlalchemy as sql
import zstandard

from tournaments.league.status import Fleet
from tournaments.store.database import Database
from tournaments.store.schema import ANSWER, BROKEN_BATCH, FLEET


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


def note_nodes(connection: sql.Connection, league: str, fleet: Fleet) -> None:
    """Keep how the nodes are now, instead of how they were."""
    forget_nodes(connection, league)
    connection.execute(sql.insert(FLEET), {"league": league, "content": msgspec.json.encode(fleet).decode()})


def forget_nodes(connection: sql.Connection, league: str) -> None:
    """Forget the nodes of a run that is over."""
    connection.execute(sql.delete(FLEET).where(FLEET.c.league == league))


def read_nodes(connection: sql.Connection, league: str) -> Fleet | None:
    """How the nodes were when that was last noted; None if there are none."""
    content: Fleet | None = connection.scalar(sql.select(FLEET.c.content).where(FLEET.c.league == league))
    return content


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
