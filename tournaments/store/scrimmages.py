"""The requested scrimmages and their states. Their matches are kept apart from the store."""

from collections.abc import Callable, Iterator, Set

import msgspec
import sqlalchemy as sql

from tournaments.league.scrimmages import Scrimmage, ScrimmageRequest, Stage
from tournaments.league.submissions import UNDER_WAY, SubmissionRefused
from tournaments.store.database import Database
from tournaments.store.rows import value_of
from tournaments.store.submission_tables import SCRIMMAGE, SCRIMMAGE_DEAL, SUBMISSION, next_number

_OLDEST_FIRST = (SCRIMMAGE.c.asked_ms, SCRIMMAGE.c.number)

Refusals = Callable[[list[Scrimmage]], Iterator[str]]
"""Says why another scrimmage is refused, from those that its author has asked for so far."""


class Scrimmages:
    """The scrimmages of one league. Every method raises `StoreError` if the store fails."""

    def __init__(self, database: Database, league: str) -> None:
        self._database = database
        self._league = league

    def waiting_leagues(self) -> Set[str]:
        """The leagues of the store, whichever, with an unfinished submission or a scrimmage that waits."""
        unfinished = sql.select(SUBMISSION.c.league).where(SUBMISSION.c.state.in_(sorted(UNDER_WAY)))
        waiting = sql.select(SCRIMMAGE.c.league).where(SCRIMMAGE.c.stage == "waiting")
        with self._database.reading() as connection:
            return set(connection.scalars(sql.union(unfinished, waiting)))

    def ask(self, author: str, request: ScrimmageRequest, now_ms: int, refusals: Refusals) -> Scrimmage:
        """Keep what an author asks for.

        Raises:
            SubmissionRefused: it is refused. Nothing is written.
        """
        with self._database.writing() as connection:
            reasons = list(refusals(self._all(connection, SCRIMMAGE.c.author == author)))
            if reasons:
                raise SubmissionRefused(reasons)
            row = msgspec.structs.asdict(request) | {
                "against": msgspec.json.encode(request.against).decode(),
                "league": self._league,
                "number": next_number(connection, SCRIMMAGE, self._league, author),
                "author": author,
                "stage": "waiting",
                "reason": "",
                "asked_ms": now_ms,
                "changed_ms": now_ms,
            }
            del row["match"]
            number = connection.execute(sql.insert(SCRIMMAGE).returning(SCRIMMAGE.c.number), row).scalar_one()
            if request.match:
                connection.execute(sql.insert(SCRIMMAGE_DEAL), {"number": number, "match": request.match})
            (found,) = self._all(connection, SCRIMMAGE.c.number == number)
            return found

    def of(self, author: str) -> list[Scrimmage]:
        """The scrimmages that an author has asked for, the oldest first."""
        return self._read(SCRIMMAGE.c.author == author)

    def waiting(self) -> list[Scrimmage]:
        """Those that wait to be played, the oldest first."""
        return self._read(SCRIMMAGE.c.stage == "waiting")

    def end(self, number: int, stage: Stage, reason: str, now_ms: int) -> None:
        """Note that a scrimmage was played, or why it was not."""
        with self._database.writing() as connection:
            this = (SCRIMMAGE.c.league == self._league) & (SCRIMMAGE.c.number == number)
            connection.execute(sql.update(SCRIMMAGE).where(this).values(stage=stage, reason=reason, changed_ms=now_ms))

    def _read(self, which: sql.ColumnElement[bool]) -> list[Scrimmage]:
        with self._database.reading() as connection:
            return self._all(connection, which)

    def _all(self, connection: sql.Connection, which: sql.ColumnElement[bool]) -> list[Scrimmage]:
        mine = (SCRIMMAGE.c.league == self._league) & which
        rows = connection.execute(sql.select(SCRIMMAGE).where(mine).order_by(*_OLDEST_FIRST)).all()
        deals_query = sql.select(SCRIMMAGE_DEAL).where(SCRIMMAGE_DEAL.c.number.in_([row.number for row in rows]))
        deals: dict[int, str] = {row.number: row.match for row in connection.execute(deals_query)}
        return [value_of(Scrimmage, row, match=deals.get(row.number, "")) for row in rows]
