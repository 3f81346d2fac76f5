"""The rows that the first run of a league pins: the league, its tables and its entries."""

from typing import Any

import msgspec
import sqlalchemy as sql

from referee.match.clock import Clock
from tournaments.store.database import insert_of
from tournaments.store.pinned_league import Pinned
from tournaments.store.rows import content_of, table_of, text_of
from tournaments.store.schema import ENTRY, LEAGUE, TABLE

_UPDATE_BUILT = (
    sql.update(ENTRY)
    .where(ENTRY.c.league == sql.bindparam("of"), ENTRY.c.name == sql.bindparam("entry"))
    .values(built=sql.bindparam("now"))
)


def pin(connection: sql.Connection, name: str, pinned: Pinned, now_ms: int) -> None:
    """Pin what is not pinned yet of the league of this name. Of entries that are, the build output is noted anew."""
    league = {
        "league": name,
        "game": pinned.game,
        "rules_version": pinned.rules_version,
        "rehearsal": pinned.rehearsal,
        "seed": pinned.seed,
        "seed_sha256": pinned.commitment,
        "clock": text_of(pinned.clock),
        "stored_ms": now_ms,
    }
    _add(connection, LEAGUE, league)
    for table, spec in pinned.tables.items():
        row = {"name": table, "seats": spec.seats, "options": text_of(spec.options), "seating": spec.seating}
        _add(connection, TABLE, {"league": name, **row})
    for entry, content in pinned.contents.items():
        row = {"content": content.sources, "built": content.output, "terms": text_of(content.terms)}
        _add(connection, ENTRY, {"league": name, "name": entry, **row})
        connection.execute(_UPDATE_BUILT, {"of": name, "entry": entry, "now": content.output})


def read(connection: sql.Connection, name: str) -> Pinned | None:
    """The pinned league of this name; None if there is none."""
    league = connection.execute(_of(name, LEAGUE)).first()
    if league is None:
        return None
    return Pinned(
        game=league.game,
        rules_version=league.rules_version,
        rehearsal=league.rehearsal,
        seed=league.seed,
        clock=msgspec.json.decode(league.clock, type=Clock),
        tables={row.name: table_of(row) for row in connection.execute(_of(name, TABLE))},
        contents={row.name: content_of(row) for row in connection.execute(_of(name, ENTRY))},
    )


def _of(name: str, table: sql.Table) -> sql.Select[Any]:
    return sql.select(table).where(table.c.league == name)


def _add(connection: sql.Connection, table: sql.Table, row: dict[str, Any]) -> None:
    """Insert a row, unless its key is there already."""
    connection.execute(insert_of(connection.dialect.name)(table).on_conflict_do_nothing(), row)
