"""What was decided and never changes: the issued waves, the closed deals, and what the organizer decided.

The organizer changes the roster, reinstates bots, retries matches and makes results void. The next wave follows from
all of that. A deal that is closed once stays closed.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

import sqlalchemy as sql

from referee.core.text import several
from tournaments.league.deals import OPEN, ClosedDeals
from tournaments.league.model import Entry
from tournaments.league.roster import OrganizerDecisions, RosterChange
from tournaments.league.submissions import ORGANIZER
from tournaments.schedule.formats.issued_waves import IssuedWave
from tournaments.store.database import Database
from tournaments.store.rows import text_of, value_of
from tournaments.store.schema import CHANGE, ENTRY, ISSUE, LEAGUE, MATCH, SEAT, TRANSCRIPT, VOID
from tournaments.store.store_errors import StoreError
from tournaments.store.submission_tables import note

_OUTAGE = "the organizer has it played again: an outage"


class Reinstatement(NamedTuple):
    """A bot is exempt from suspension.

    Attributes:
        since_ms: when the organizer said so, in milliseconds since 1970 (UTC).
        deal: the first deal on which it is exempt: the first one that was open then.
    """

    since_ms: int
    deal: int


class DecisionStore:
    """What was decided about one league. Every method raises `StoreError` if the store fails."""

    def __init__(self, database: Database, league: str) -> None:
        self._database = database
        self._league = league

    @contextmanager
    def _deciding(self, *, matches_wait: bool = False) -> Iterator[sql.Connection]:
        """A connection in a transaction that is alone, as `be_alone` says."""
        with self._database.writing() as connection:
            be_alone(connection, self._league, matches_wait=matches_wait)
            yield connection

    # What the organizer decides

    def decisions(self) -> OrganizerDecisions:
        """All that the organizer decided so far."""
        with self._database.reading() as connection:
            return self._decisions(connection)

    def _decisions(self, connection: sql.Connection) -> OrganizerDecisions:
        reinstated = {entry: found.deal for entry, found in self._reinstated(connection).items()}
        return OrganizerDecisions(changes(connection, self._league), reinstated, self._retried(connection))

    def reinstate(self, entry: str, now_ms: int, first_deal: Callable[[], int]) -> bool:
        """Exempt an entry from suspension for good, on a deal and all after it.

        `first_deal` reads the league, and says which deal that is. Nobody stores or decides anything meanwhile. An
        entry that is exempt stays exempt as it is. Returns whether the store knows the entry.
        """
        one = (ENTRY.c.league == self._league) & (ENTRY.c.name == entry)
        with self._deciding(matches_wait=True) as connection:
            new = sql.update(ENTRY).where(one, ENTRY.c.reinstated_ms.is_(None))
            connection.execute(new.values(reinstated_ms=now_ms, reinstated_deal=first_deal()))
            return connection.execute(sql.select(ENTRY.c.name).where(one)).first() is not None

    def reinstated(self) -> dict[str, Reinstatement]:
        """The entries that are exempt from suspension."""
        with self._database.reading() as connection:
            return self._reinstated(connection)

    def _reinstated(self, connection: sql.Connection) -> dict[str, Reinstatement]:
        columns = ENTRY.c.name, ENTRY.c.reinstated_ms, ENTRY.c.reinstated_deal
        query = sql.select(*columns).where(ENTRY.c.league == self._league, ENTRY.c.reinstated_ms.is_not(None))
        return {name: Reinstatement(since_ms, deal) for name, since_ms, deal in connection.execute(query)}

    def retry(self, fixtures: Callable[[], Collection[str]]) -> int:
        """Let no void match of some fixtures count any more; they stay stored. Returns how many fixtures they are.

        `fixtures` reads the league, and says which. Nobody decides anything meanwhile.
        """
        one = (VOID.c.league == self._league) & (VOID.c.fixture == sql.bindparam("id"))
        with self._deciding() as connection:
            taken_up = fixtures()
            if taken_up:
                connection.execute(
                    sql.update(VOID).where(one).values(counts=False), [{"id": each} for each in taken_up]
                )
            return len(taken_up)

    def _retried(self, connection: sql.Connection) -> Mapping[str, int]:
        """By fixture, how many of its void matches counted before it was taken up again."""
        query = (
            sql.select(VOID.c.fixture, sql.func.count().label("voids"))
            .where(VOID.c.league == self._league, ~VOID.c.counts, ~VOID.c.busy, VOID.c.forgiven == "")
            .group_by(VOID.c.fixture)
        )
        return {row.fixture: row.voids for row in connection.execute(query)}

    def void_results(self, fixtures: Callable[[], Collection[str]], span: range, now_ms: int) -> int:
        """Make results of a span of time void, and note that in the audit. Returns how many.

        `fixtures` reads the league, and says which. Nobody stores or decides anything meanwhile. The void matches do
        not count.
        """
        with self._deciding(matches_wait=True) as connection:
            spoiled = fixtures()
            if spoiled:
                for table in (TRANSCRIPT, SEAT, MATCH):
                    one = (table.c.league == self._league) & (table.c.fixture == sql.bindparam("id"))
                    connection.execute(sql.delete(table).where(one), [{"id": fixture} for fixture in spoiled])
                void = {"league": self._league, "reason": _OUTAGE, "stored_ms": now_ms}
                void |= {"busy": False, "counts": False, "forgiven": ""}
                connection.execute(sql.insert(VOID), [void | {"fixture": fixture} for fixture in spoiled])
                first, end = (datetime.fromtimestamp(ms / 1000, UTC).isoformat() for ms in (span.start, span.stop))
                about = f"{several(len(spoiled), 'match', 'matches')} from {first} until {end}"
                note(connection, self._league, now_ms, ORGANIZER, "retry-faults", about)
            return len(spoiled)

    # The roster and the issued waves

    def changes(self) -> tuple[RosterChange, ...]:
        """All changes of the roster, in the order in which they were made."""
        with self._database.reading() as connection:
            return changes(connection, self._league)

    def change(
        self, name: str, entry: Entry | None, now_ms: int, wave: Callable[[], int | None] = lambda: None
    ) -> None:
        """Enter a bot, or note that one was withdrawn if there is no entry. This needs no lock.

        `wave` reads the league, and says in which wave none of the bot's matches counts. Nobody stores or decides
        anything meanwhile. If it raises an error, nothing is changed.
        """
        with self._deciding(matches_wait=True) as connection:
            change(connection, self._league, name, entry, now_ms, wave())

    def issues(self) -> list[IssuedWave]:
        """All waves that were issued, in order."""
        with self._database.reading() as connection:
            return issues(connection, self._league)

    def issue_times(self) -> list[int]:
        """When each of these waves was issued."""
        query = sql.select(ISSUE.c.stored_ms).where(ISSUE.c.league == self._league).order_by(ISSUE.c.number)
        with self._database.reading() as connection:
            return list(connection.scalars(query))

    def issue(self, number: int, wave: IssuedWave, decisions: OrganizerDecisions, now_ms: int, closed: int = 0) -> bool:
        """Store a wave under its number, unless the organizer decided more than is `decisions`; whether it was.

        With it, all deals with a lower number than `closed` are closed: those of the waves that have ended. To store
        the same wave again changes nothing.
        """
        with self._deciding() as connection:
            if issues(connection, self._league)[number:] == [wave]:
                return True
            if self._decisions(connection) != decisions:
                return False
            row = {"league": self._league, "number": number, "wave": text_of(wave), "stored_ms": now_ms}
            connection.execute(sql.insert(ISSUE), row)
            self._close_below(connection, closed)
            return True

    # Closed deals

    def closing(self) -> ClosedDeals:
        """Which deals are closed."""
        with self._database.reading() as connection:
            return closed_deals(connection, self._league)

    def close_deals(self, below: int, decisions: OrganizerDecisions) -> None:
        """Close all deals with a lower number for good, unless the organizer decided more than is `decisions`."""
        with self._deciding() as connection:
            if self._decisions(connection) == decisions:
                self._close_below(connection, below)

    def _close_below(self, connection: sql.Connection, deals: int) -> None:
        fewer = (LEAGUE.c.league == self._league) & (LEAGUE.c.closed_deals < deals)
        connection.execute(sql.update(LEAGUE).where(fewer).values(closed_deals=deals))

    def close_league(self, now_ms: int) -> None:
        """Close the whole league, for good, unless it is closed."""
        is_open = (LEAGUE.c.league == self._league) & LEAGUE.c.closed_ms.is_(None)
        with self._database.writing() as connection:
            connection.execute(sql.update(LEAGUE).where(is_open).values(closed_ms=now_ms))


# The parts of a transaction


def be_alone(connection: sql.Connection, league: str, *, matches_wait: bool = False) -> None:
    """Let every other transaction that decides something about the league wait until this one ends.

    With `matches_wait`, no match of the league is stored until then, either. Of SQLite only one process writes at a
    time anyway.
    """
    if connection.dialect.name != "sqlite":
        row = sql.select(LEAGUE.c.league).where(LEAGUE.c.league == league)
        connection.execute(row.with_for_update(key_share=not matches_wait))


def issues(connection: sql.Connection, league: str) -> list[IssuedWave]:
    """All waves of a league, in order."""
    return list(connection.scalars(sql.select(ISSUE.c.wave).where(ISSUE.c.league == league).order_by(ISSUE.c.number)))


def changes(connection: sql.Connection, league: str) -> tuple[RosterChange, ...]:
    """All changes of the roster, in order."""
    rows = connection.execute(sql.select(CHANGE).where(CHANGE.c.league == league).order_by(CHANGE.c.number)).all()
    if any(row.entry is not None and row.entry.name != row.name for row in rows):
        raise StoreError(f"the roster of {league} is damaged: a bot is entered under the name of another")
    return tuple(value_of(RosterChange, row) for row in rows)


def change(
    connection: sql.Connection, league: str, name: str, entry: Entry | None, now_ms: int, wave: int | None = None
) -> None:
    """Note that a bot was entered, or withdrawn if there is no entry: `wave` was under way then."""
    be_alone(connection, league)  # so that the number of waves stays right
    row = {
        "league": league,
        "name": name,
        "entry": None if entry is None else text_of(entry),
        "waves": connection.scalar(sql.select(sql.func.count()).where(ISSUE.c.league == league)) or 0,
        "stored_ms": now_ms,
        "wave": wave,
    }
    connection.execute(sql.insert(CHANGE), row)


def closed_deals(connection: sql.Connection, league: str) -> ClosedDeals:
    """How far the deals of a league are closed. In a store that was never asked to close any, none is."""
    query = sql.select(LEAGUE.c.closed_deals, LEAGUE.c.closed_ms).where(LEAGUE.c.league == league)
    row = connection.execute(query).first()
    return OPEN if row is None else ClosedDeals(*row)
