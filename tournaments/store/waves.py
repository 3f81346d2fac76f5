"""The waves that were issued, and the changes of the roster that the next one follows."""

import sqlalchemy as sql

from tournaments.league.model import Entry
from tournaments.league.roster import RosterChange
from tournaments.schedule.formats.issued_waves import IssuedWave
from tournaments.store.address import StoreError
from tournaments.store.rows import text_of
from tournaments.store.schema import CHANGE, ISSUE, LEAGUE

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


def let_others_wait(connection: sql.Connection, league: str) -> None:
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
    let_others_wait(connection, league)  # so that the number of waves stays right
    row = {
        "league": league,
        "name": name,
        "entry": None if entry is None else text_of(entry),
        "waves": connection.scalar(sql.select(sql.func.count()).where(ISSUE.c.league == league)) or 0,
        "stored_ms": now_ms,
        "wave": wave,
    }
    connection.execute(sql.insert(CHANGE), row)
