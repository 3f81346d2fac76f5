"""The tables of a store. A row belongs to the league it names; a match and its seats to its fixture."""

import sqlalchemy as sql
from sqlalchemy.schema import CreateColumn

SCHEMA = sql.MetaData()
Text = sql.Text
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


def create(connection: sql.Connection) -> None:
    """Make what a store lacks: the tables, and columns that came later, which are those with a server default."""
    SCHEMA.create_all(connection)
    for table in SCHEMA.sorted_tables:
        there = {column["name"] for column in sql.inspect(connection).get_columns(table.name)}
        for column in table.columns:
            if column.name not in there and column.server_default is not None:
                added = CreateColumn(column).compile(dialect=connection.dialect)
                connection.execute(sql.text(f"ALTER TABLE {table.name} ADD COLUMN {added}"))
