"""The rows that the first run of a league pins: the league, its tables and its entries."""

from typing import Any

import sqlalchemy as sql
from msgspec.structs import asdict

from tournaments.league.model import TableSpec
from tournaments.store.database import insert_of
from tournaments.store.pinned_league import Content, Pinned
from tournaments.store.rows import text_of
from tournaments.store.schema import ENTRY, LEAGUE, TABLE

_FACTS = ("game", "rules_version", "draw_probability", "rehearsal", "seed")
"""What columns have as it is."""


def pin(connection: sql.Connection, name: str, pinned: Pinned, now_ms: int) -> None:
    """Pin what is not pinned yet of the league of this name. Of entries that are, the build output is noted anew."""
    facts = {fact: getattr(pinned, fact) for fact in _FACTS}
    league = {"league": name, **facts, "seed_sha256": pinned.commitment, "clock": text_of(pinned.clock)}
    tables = [
        {"league": name, **asdict(spec), "options": text_of(spec.options), "sides": text_of(spec.sides)}
        for spec in pinned.tables.values()
    ]
    entries = [
        {"league": name, "name": entry, "content": each.sources, "built": each.output, "terms": text_of(each.terms)}
        for entry, each in pinned.contents.items()
    ]
    insert = insert_of(connection.dialect.name)
    connection.execute(insert(LEAGUE).on_conflict_do_nothing(), league | {"stored_ms": now_ms})
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
        **{fact: getattr(league, fact) for fact in _FACTS},
        clock=league.clock,
        tables={row.name: _table(row) for row in connection.execute(_of(name, TABLE))},
        contents={row.name: Content(row.content, row.built, row.terms) for row in connection.execute(_of(name, ENTRY))},
    )


def _table(row: Any) -> TableSpec:
    return TableSpec(**{fact: getattr(row, fact) for fact in TableSpec.__struct_fields__})


def _of(name: str, table: sql.Table) -> sql.Select[Any]:
    return sql.select(table).where(table.c.league == name)
