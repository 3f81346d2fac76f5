"""The rows of what was decided and never changes: the issued waves, the closed deals, and what the organizer decided.

The organizer changes the roster, reinstates bots, retries matches and makes results void. The next wave follows from
all of that. A deal that is closed once stays closed.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import sqlalchemy as sql

from tournaments.league.deals import OPEN, ClosedDeals
from tournaments.league.model import Entry
from tournaments.league.roster import OrganizerDecisions, RosterChange
from tournaments.schedule.formats.issued_waves import IssuedWave
from tournaments.store.rows import text_of
from tournaments.store.schema import CHANGE, ENTRY, ISSUE, LEAGUE, MATCH, SEAT, TRANSCRIPT, VOID
from tournaments.store.store_errors import StoreError

_ISSUES = sql.select(ISSUE.c.wave).where(ISSUE.c.league == sql.bindparam("of")).order_by(ISSUE.c.number)
_CHANGES = sql.select(CHANGE).where(CHANGE.c.league == sql.bindparam("of")).order_by(CHANGE.c.number)


def issues(connection: sql.Connection, league: str) -> list[IssuedWave]:
    """All waves of a league, in order."""
    return list(connection.scalars(_ISSUES, {"of": league}))


def times_ms(connection: sql.Connection, league: str) -> list[int]:
    """When each wave of a league was issued, in order."""
    return list(
        connection.scalars(sql.select(ISSUE.c.stored_ms).where(ISSUE.c.league == league).order_by(ISSUE.c.number))
    )


def lock_league_row(connection: sql.Connection, league: str) -> None:
    """Let every other transaction that decides something about the league wait until this one ends.

    Of SQLite only one process writes at a time anyway.
    """
    if connection.dialect.name != "sqlite":
        row = sql.select(LEAGUE.c.league).where(LEAGUE.c.league == league)
        connection.execute(row.with_for_update(key_share=True))  # matches may be stored meanwhile


def let_matches_wait(connection: sql.Connection, league: str) -> None:
    """The same, and no match of the league is stored until then."""
    if connection.dialect.name != "sqlite":
        connection.execute(sql.select(LEAGUE.c.league).where(LEAGUE.c.league == league).with_for_update())


def issue(connection: sql.Connection, league: str, number: int, wave: IssuedWave, now_ms: int) -> None:
    """Store a wave."""
    row = {"league": league, "number": number, "wave": text_of(wave), "stored_ms": now_ms}
    connection.execute(sql.insert(ISSUE), row)


def changes(connection: sql.Connection, league: str) -> tuple[RosterChange, ...]:
    """All changes of the roster, in order."""
    rows = connection.execute(_CHANGES, {"of": league}).all()
    if any(row.entry is not None and row.entry.name != row.name for row in rows):
        raise StoreError(f"the roster of {league} is damaged: a bot is entered under the name of another")
    return tuple(RosterChange(row.name, row.entry, row.waves, row.stored_ms, row.wave) for row in rows)


def change(
    connection: sql.Connection, league: str, name: str, entry: Entry | None, now_ms: int, wave: int | None = None
) -> None:
    """Note that a bot was entered, or withdrawn if there is no entry: `wave` was under way then."""
    lock_league_row(connection, league)  # so that the number of waves stays right
    row = {
        "league": league,
        "name": name,
        "entry": None if entry is None else text_of(entry),
        "waves": connection.scalar(sql.select(sql.func.count()).where(ISSUE.c.league == league)) or 0,
        "stored_ms": now_ms,
        "wave": wave,
    }
    connection.execute(sql.insert(CHANGE), row)


_CLOSED = sql.select(LEAGUE.c.closed_deals, LEAGUE.c.closed_ms).where(LEAGUE.c.league == sql.bindparam("of"))


def read_closed_deals(connection: sql.Connection, league: str) -> ClosedDeals:
    """How far the deals of a league are closed. In a store that was never asked to close any, none is."""
    row = connection.execute(_CLOSED, {"of": league}).first()
    return OPEN if row is None else ClosedDeals(*row)


def close_deals_below(connection: sql.Connection, league: str, deals: int) -> None:
    """Close all deals with a lower number."""
    fewer = (LEAGUE.c.league == league) & (LEAGUE.c.closed_deals < deals)
    connection.execute(sql.update(LEAGUE).where(fewer).values(closed_deals=deals))


def close_league(connection: sql.Connection, league: str, now_ms: int) -> None:
    """Close the whole league, unless it is closed."""
    open_ = (LEAGUE.c.league == league) & LEAGUE.c.closed_ms.is_(None)
    connection.execute(sql.update(LEAGUE).where(open_).values(closed_ms=now_ms))


_OUTAGE = "the organizer has it played again: an outage"

_FORGIVE = (
    sql.update(VOID)
    .where(VOID.c.league == sql.bindparam("of"), VOID.c.fixture == sql.bindparam("id"))
    .values(counts=False)
)
_REINSTATED = sql.select(ENTRY.c.name, ENTRY.c.reinstated_ms, ENTRY.c.reinstated_deal).where(
    ENTRY.c.league == sql.bindparam("of"), ENTRY.c.reinstated_ms.is_not(None)
)


class Reinstatement(NamedTuple):
    """A bot is exempt from suspension.

    Attributes:
        since_ms: when the organizer said so, in milliseconds since 1970 (UTC).
        deal: the first deal on which it is exempt: the first one that was open then.
    """

    since_ms: int
    deal: int


def read(connection: sql.Connection, league: str) -> OrganizerDecisions:
    """All that was decided so far."""
    return OrganizerDecisions(
        changes(connection, league),
        {entry: found.deal for entry, found in reinstated(connection, league).items()},
        _retried(connection, league),
    )


def reinstated(connection: sql.Connection, league: str) -> dict[str, Reinstatement]:
    """The entries that are exempt from suspension."""
    rows = connection.execute(_REINSTATED, {"of": league})
    return {name: Reinstatement(since_ms, deal) for name, since_ms, deal in rows}


def reinstate(connection: sql.Connection, league: str, entry: str, now_ms: int, deal: int) -> bool:
    """Exempt an entry from suspension on a deal and all after it.

    An entry that is exempt stays exempt as it is. Returns whether the league knows the entry.
    """
    one = (ENTRY.c.league == league) & (ENTRY.c.name == entry)
    new = sql.update(ENTRY).where(one, ENTRY.c.reinstated_ms.is_(None))
    connection.execute(new.values(reinstated_ms=now_ms, reinstated_deal=deal))
    return connection.execute(sql.select(ENTRY.c.name).where(one)).first() is not None


def retry(connection: sql.Connection, league: str, fixtures: Collection[str]) -> None:
    """Let no void match of these fixtures count any more."""
    connection.execute(_FORGIVE, [{"of": league, "id": fixture} for fixture in fixtures])


def void_results(connection: sql.Connection, league: str, fixtures: Collection[str], now_ms: int) -> None:
    """Delete the results of these fixtures, and note a void match of each, which does not count."""
    for table in (TRANSCRIPT, SEAT, MATCH):
        one = (table.c.league == sql.bindparam("of")) & (table.c.fixture == sql.bindparam("id"))
        connection.execute(sql.delete(table).where(one), [{"of": league, "id": fixture} for fixture in fixtures])
    void = {"league": league, "reason": _OUTAGE, "stored_ms": now_ms, "busy": False, "counts": False, "forgiven": ""}
    connection.execute(sql.insert(VOID), [void | {"fixture": fixture} for fixture in fixtures])


def _retried(connection: sql.Connection, league: str) -> Mapping[str, int]:
    """By fixture, how many of its void matches counted before it was taken up again."""
    query = (
        sql.select(VOID.c.fixture, sql.func.count().label("voids"))
        .where(VOID.c.league == league, ~VOID.c.counts, ~VOID.c.busy, VOID.c.forgiven == "")
        .group_by(VOID.c.fixture)
    )
    return {row.fixture: row.voids for row in connection.execute(query)}
