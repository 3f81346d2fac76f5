"""The rows of what the organizer decided: reinstated bots, retried matches, and changes of the roster."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import sqlalchemy as sql

from tournaments.league.roster import OrganizerDecisions
from tournaments.store import waves
from tournaments.store.schema import ENTRY, MATCH, SEAT, TRANSCRIPT, VOID

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
        waves.changes(connection, league),
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
