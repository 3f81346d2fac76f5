"""The tables of a store. A row belongs to the league it names; a match and its seats to its fixture."""

import sqlalchemy as sql
from sqlalchemy.schema import CreateColumn

FORMAT = 1
"""The format that is written and read here. A change of the tables that is more than a new column with a server default
raises it; stores of another format are refused."""

SCHEMA = sql.MetaData()
# Sorted by code point in every database, whatever language it sorts by otherwise.
Text = sql.Text().with_variant(sql.Text(collation="C"), "postgresql")
Milliseconds = sql.BigInteger


def _of_match() -> sql.ForeignKeyConstraint:
    return sql.ForeignKeyConstraint(["league", "fixture"], ["match.league", "match.fixture"])


LEAGUE = sql.Table(
    "league",
    SCHEMA,
    sql.Column("league", Text, primary_key=True),
    sql.Column("game", Text, nullable=False),
    sql.Column("rules_version", sql.Integer, nullable=False),
    sql.Column("rehearsal", sql.Boolean, nullable=False),
    sql.Column("seed", Text, nullable=False),
    sql.Column("seed_sha256", Text, nullable=False),
    sql.Column("clock", Text, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
)
"""What the first run pinned. `clock` is JSON."""

TABLE = sql.Table(
    "league_table",
    SCHEMA,
    sql.Column("league", sql.ForeignKey("league.league"), primary_key=True),
    sql.Column("name", Text, primary_key=True),
    sql.Column("seats", sql.Integer, nullable=False),
    sql.Column("options", Text, nullable=False),
    sql.Column("seating", Text, nullable=False, server_default="distinct"),
)
"""All tables a league ever had. `options` is JSON."""

ENTRY = sql.Table(
    "entry",
    SCHEMA,
    sql.Column("league", sql.ForeignKey("league.league"), primary_key=True),
    sql.Column("name", Text, primary_key=True),
    sql.Column("content", Text, nullable=False),
    sql.Column("reinstated_ms", Milliseconds),
)
"""All entries a league ever had. `content` is the tree digest; `reinstated_ms` is set while exempt from suspension."""

MATCH = sql.Table(
    "match",
    SCHEMA,
    sql.Column("league", sql.ForeignKey("league.league"), primary_key=True),
    sql.Column("fixture", Text, primary_key=True),
    sql.Column("league_table", Text, nullable=False),
    sql.Column("deal", sql.Integer, nullable=False),
    sql.Column("rotation", sql.Integer, nullable=False),
    sql.Column("ending", Text, nullable=False),
    sql.Column("digest", Text, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
)
"""One row a result. `digest` is of the record as it was when it was stored."""

SEAT = sql.Table(
    "seat",
    SCHEMA,
    sql.Column("league", Text, primary_key=True),
    sql.Column("fixture", Text, primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("entry", Text, nullable=False),
    sql.Column("place", sql.Integer, nullable=False),
    sql.Column("fault", Text),
    sql.Column("decisions", sql.Integer, nullable=False),
    sql.Column("thinking_us", sql.BigInteger, nullable=False),
    _of_match(),
)
"""Who played where, and how. `fault` is what cut the match short, if this seat did."""

TRANSCRIPT = sql.Table(
    "transcript",
    SCHEMA,
    sql.Column("league", Text, primary_key=True),
    sql.Column("fixture", Text, primary_key=True),
    sql.Column("record", sql.LargeBinary, nullable=False),
    sql.Column("aside", sql.LargeBinary, nullable=False),
    _of_match(),
)
"""The canonical record and the aside, as JSON bytes."""

VOID = sql.Table(
    "void",
    SCHEMA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", sql.ForeignKey("league.league"), nullable=False, index=True),
    sql.Column("fixture", Text, nullable=False),
    sql.Column("reason", Text, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
)
"""Matches that failed through our fault. A fixture may be here several times, and have a result as well."""


_FORMAT = sql.Table(
    "store_format", sql.MetaData(), sql.Column("format", sql.Integer, primary_key=True, autoincrement=False)
)
"""One row, the number. Not part of `SCHEMA`, since every format has it."""

_WRITTEN = sql.select(sql.func.max(_FORMAT.c.format))


def format_of(connection: sql.Connection) -> int | None:
    """The format of a store, None if nothing of it is there yet.

    Stores were made before they had numbers. Their tables are those of format 1, so that is what they are.
    """
    inspector = sql.inspect(connection)
    written = connection.scalar(_WRITTEN) if inspector.has_table(_FORMAT.name) else None
    if written is None and not SCHEMA.tables.keys().isdisjoint(inspector.get_table_names()):
        return 1
    return written


def missing(connection: sql.Connection) -> tuple[list[sql.Table], list[sql.Column[object]]]:
    """The tables that are not there, in the order to make them, and the columns that those lack which are there."""
    found = sql.inspect(connection).get_multi_columns(filter_names=list(SCHEMA.tables))
    there = {name: {column["name"] for column in columns} for (_, name), columns in found.items()}
    return (
        [table for table in SCHEMA.sorted_tables if table.name not in there],
        [
            column
            for table in SCHEMA.sorted_tables
            for column in table.columns
            if table.name in there and column.name not in there[table.name]
        ],
    )


def create(connection: sql.Connection) -> None:
    """Make what a store lacks: number, tables, and columns that came later, which are those with a server default.

    Begins the transaction that it is done in; who wants to do it at the same time waits for its end.
    """
    for statement in _FIRST[connection.dialect.name]:
        connection.exec_driver_sql(statement)
    _FORMAT.create(connection, checkfirst=True)
    if connection.scalar(_WRITTEN) is None:
        connection.execute(sql.insert(_FORMAT), {"format": FORMAT})
    tables, columns = missing(connection)
    for column in columns:
        added = CreateColumn(column).compile(dialect=connection.dialect)
        connection.execute(sql.text(f"ALTER TABLE {column.table} ADD COLUMN {added}"))
    for table in tables:
        table.create(connection)


_FIRST = {
    # Readers do not stop the writer, which then stays so. The driver alone would begin no transaction to make tables.
    "sqlite": ("PRAGMA journal_mode = WAL", "BEGIN IMMEDIATE"),
    # A server lets two make a table of one name, and one of them fail; the number is any that others hardly use.
    "postgresql": ("SELECT pg_advisory_xact_lock(7234298814)",),
}
"""What is done before a store is made."""
