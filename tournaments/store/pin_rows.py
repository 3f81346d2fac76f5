"""The rows that the first run of a league pins: the league, its tables and its entries."""

from typing import Any

import msgspec
import sqlalchemy as sql

from referee.match.clock import Clock
from tournaments.store.database import insert_of
from tournaments.store.pinned_league import Pinned
from tournaments.store.rows import content_of, table_of, text_of
from tournaments.store.schema import ENTRY, LEAGUE, TABLE


def pin(connection: sql.Connection, name: str, pinned: Pinned, now_ms: int) -> None:
    """Pin what is not pinned yet of the league of this name. Of entries that are, the build output is noted anew."""
    league = {
        "league": name,
        "game": pinned.game,
        "rules_version": pinned.rules_version,
        "draw_probability": pinned.draw_probability,
        "rehearsal": pinned.rehearsal,
        "seed": pinned.seed,
        "seed_sha256": pinned.commitment,
        "clock": text_of(pinned.clock),
        "stored_ms": now_ms,
    }
    tables = [
        {
            "league": name,
            "name": table,
            "seats": spec.seats,
            "options": text_of(spec.options),
            "seating": spec.seating,
            "luck": spec.luck,
            "sides": text_of(spec.sides),
            "deals_sides": spec.deals_sides,
        }
        for table, spec in pinned.tables.items()
    ]
    entries = [
        {"league": name, "name": entry, "content": each.sources, "built": each.output, "terms": text_of(each.terms)}
        for entry, each in pinned.contents.items()
    ]
    insert = insert_of(connection.dialect.name)
    connection.execute(insert(LEAGUE).on_conflict_do_nothing(), league)
    connection.execute(insert(TABLE).on_conflict_do_nothing(), tables)
    if entries:  # a league that takes submissions may have none yet
        add = insert(ENTRY)
        built = {"built": add.excluded.built}
        connection.execute(add.on_conflict_do_update(index_elements=ENTRY.primary_key, set_=built), entries)


def read(connection: sql.Connection, name: str) -> Pinned | None:
    """The pinned league of this name; None if there is none."""
    league = connection.execute(_of(name, LEAGUE)).first()
    if league is None:
        return None
    return Pinned(
        game=league.game,
        rules_version=league.rules_version,
        draw_probability=league.draw_probability,
        rehearsal=league.rehearsal,
        seed=league.seed,
        clock=msgspec.json.decode(league.clock, type=Clock),
        tables={row.name: table_of(row) for row in connection.execute(_of(name, TABLE))},
        contents={row.name: content_of(row) for row in connection.execute(_of(name, ENTRY))},
    )


def _of(name: str, table: sql.Table) -> sql.Select[Any]:
    return sql.select(table).where(table.c.league == name)
