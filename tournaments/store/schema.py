"""The tables of a store. A row belongs to the league it names; a match and its seats to its fixture."""

from collections.abc import Mapping, Set
from typing import Any, TypeAlias

import sqlalchemy as sql
from sqlalchemy.schema import CreateColumn

from tournaments.store.address import PATIENCE_S
from tournaments.store.submission_tables import SUBMISSIONS

FORMAT = 2
"""The format that is written and read here. Any change of the tables raises the number, except a new column with a
server default. Format 2 has packed transcripts."""

WITH_TREES = 3
"""The format of a store that has trees of bots: format 2 with three tables more. The first tree makes it, in one
transaction; the number keeps earlier Referees from losing trees. Other stores do without these tables."""

WITH_SUBMISSIONS = 4
"""The format of a store to which bots were submitted: format 3 with the tables of `submission_tables.py`. The first
submission, or the first author, makes it."""

OLDER = (1,)
"""The formats that the next run makes into `FORMAT`, all of it in one transaction. All others are refused."""

KNOWN = (*OLDER, FORMAT, WITH_TREES, WITH_SUBMISSIONS)
"""All formats that are not refused."""

SCHEMA = sql.MetaData()
TREES = sql.MetaData()
# Text is sorted by code point in every database, even if the database sorts by a language otherwise.
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
    sql.Column("closed_deals", sql.Integer, nullable=False, server_default="0"),
    sql.Column("closed_ms", Milliseconds, server_default=sql.null()),
)
"""What the first run pinned. `clock` is JSON. Deals with a lower number than `closed_deals` are closed; `closed_ms` is
set when the whole league is."""

TABLE = sql.Table(
    "league_table",
    SCHEMA,
    sql.Column("league", sql.ForeignKey("league.league"), primary_key=True),
    sql.Column("name", Text, primary_key=True),
    sql.Column("seats", sql.Integer, nullable=False),
    sql.Column("options", Text, nullable=False),
    sql.Column("seating", Text, nullable=False, server_default="distinct"),
    sql.Column("luck", Text, nullable=False, server_default="common"),
)
"""All tables a league ever had. `options` is JSON."""

ENTRY = sql.Table(
    "entry",
    SCHEMA,
    sql.Column("league", sql.ForeignKey("league.league"), primary_key=True),
    sql.Column("name", Text, primary_key=True),
    sql.Column("content", Text, nullable=False),
    sql.Column("built", Text, nullable=False, server_default=""),
    sql.Column("reinstated_ms", Milliseconds),
    sql.Column("reinstated_deal", sql.Integer, nullable=False, server_default="0"),
    sql.Column("terms", Text, nullable=False, server_default="{}"),
)
"""All entries a league ever had. `content` is the digest of its sources, `built` that of what building made (empty
where that is not known yet); `reinstated_ms` is set while exempt from suspension, and `reinstated_deal` is the first
deal on which it is; `terms` is JSON, what it was entered with."""

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
    sql.Column("sandbox", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,  # kept in the order of the key: smaller by half, and read faster; in old stores it is not
)
"""One row for each result. `digest` is that of the record when it was stored; `sandbox` is what the bots in folders ran
in, empty if that is not known or there were none."""

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
    sql.Column("tries", sql.BigInteger, nullable=False, server_default="0"),
    sql.Column("tokens", sql.BigInteger, nullable=False, server_default="0"),
    _of_match(),
    sqlite_with_rowid=False,
)
"""One row for each seat of a match. `fault` is the kind of fault, if this seat's fault cut the match short."""

TRANSCRIPT = sql.Table(
    "transcript",
    SCHEMA,
    sql.Column("league", Text, primary_key=True),
    sql.Column("fixture", Text, primary_key=True),
    sql.Column("record", sql.LargeBinary, nullable=False),
    sql.Column("aside", sql.LargeBinary, nullable=False),
    sql.Column("dictionary", sql.Integer, nullable=False, server_default="0"),
    _of_match(),
)
"""The canonical record and the aside, as JSON bytes: packed with the league's dictionary of that number (`packing.py`),
or plain if the number is 0."""

DICTIONARY = sql.Table(
    "dictionary",
    SCHEMA,
    sql.Column("league", sql.ForeignKey("league.league"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("content", sql.LargeBinary, nullable=False),
)
"""What transcripts are packed with. A row never changes."""

VOID = sql.Table(
    "void",
    SCHEMA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", sql.ForeignKey("league.league"), nullable=False, index=True),
    sql.Column("fixture", Text, nullable=False),
    sql.Column("reason", Text, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
    sql.Column("busy", sql.Boolean, nullable=False, server_default=sql.false()),
    sql.Column("counts", sql.Boolean, nullable=False, server_default=sql.true()),
    sql.Column("forgiven", Text, nullable=False, server_default=""),
)
"""Matches that do not count. A fixture may be here several times, and have a result as well. `busy` says whether the
machine was too busy; `counts`, whether the void brings its fixture nearer to being abandoned; `forgiven` names the bot
that was unavailable and was forgiven."""

MAY_LACK = frozenset({TABLE.c.luck, ENTRY.c.reinstated_deal, SEAT.c.tries, SEAT.c.tokens, VOID.c.forgiven})
"""Columns that a store may lack and is read all the same: it has the default in all rows. The next run adds them."""


ISSUE = sql.Table(
    "issue",
    SCHEMA,
    sql.Column("league", sql.ForeignKey("league.league"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("wave", Text, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
)
"""The waves that were issued, in formats that decide by results, numbered from 0. `wave` is JSON. A row never
changes, unless the organizer takes the wave back: then it loses its line-ups."""

CHANGE = sql.Table(
    "change",
    SCHEMA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", sql.ForeignKey("league.league"), nullable=False, index=True),
    sql.Column("name", Text, nullable=False),
    sql.Column("entry", Text),
    sql.Column("waves", sql.Integer, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
    sql.Column("wave", sql.Integer, server_default=sql.null()),
)
"""Who was entered or withdrawn since the league file was written, in order. `entry` is JSON, or nothing for a bot that
was withdrawn; `waves` says how many waves had been issued by then; `wave` is the number of the one that was under way
when the bot was withdrawn, if any was."""

TREE = sql.Table(
    "tree",
    TREES,
    sql.Column("digest", Text, primary_key=True),
    sql.Column("content", sql.LargeBinary, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
)
"""The trees of bots, whichever league they are for, by their digest. `content` is packed JSON: which files there are,
and of which pieces each consists. A row never changes."""

PIECE = sql.Table(
    "piece",
    TREES,
    sql.Column("digest", Text, primary_key=True),
    sql.Column("content", sql.LargeBinary, nullable=False),
)
"""Pieces of files, packed, by the SHA-256 of what they are unpacked. A row never changes."""

TREE_PIECE = sql.Table(
    "tree_piece",
    TREES,
    sql.Column("tree", sql.ForeignKey("tree.digest"), primary_key=True),
    sql.Column("piece", sql.ForeignKey("piece.digest"), primary_key=True, index=True),
)
"""Which pieces a tree needs. A piece that no tree needs may be deleted."""

_FORMAT = sql.Table(
    "store_format", sql.MetaData(), sql.Column("format", sql.Integer, primary_key=True, autoincrement=False)
)
"""One row with the number of the format. This table is not part of `SCHEMA`, since every format has it."""

_SORTED = SCHEMA.sorted_tables

Columns: TypeAlias = Mapping[str, Set[str]]
"""The names of columns, by the name of their table."""

_WRITTEN = sql.select(sql.func.max(_FORMAT.c.format))

_SEEN = "columns"
"""The key under which a connection has the columns that it has seen."""

_COLUMNS = """
SELECT t.name, c.name FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table'
"""


def format_of(connection: sql.Connection, there: Columns) -> int | None:
    """The format of a store that has these columns; None if none of its tables exists yet.

    Early stores have no format number. Their tables are those of format 1, so they count as format 1.
    """
    written = connection.scalar(_WRITTEN) if _FORMAT.name in there else None
    if written is None and not SCHEMA.tables.keys().isdisjoint(there):
        return 1
    return written


def missing(there: Columns) -> tuple[list[sql.Table], list[sql.Column[object]]]:
    """The missing tables, in the order to make them, and the columns that existing tables lack."""
    return (
        [table for table in _SORTED if table.name not in there],
        [
            column
            for table in _SORTED
            for column in table.columns
            if table.name in there and column.name not in there[table.name]
        ],
    )


def columns_of(connection: sql.Connection) -> Columns:
    """The columns that a store has. Tables that are not of the first format may be left out."""
    there: dict[str, set[str]] = {}
    if connection.dialect.name == "sqlite":  # in one statement, and not in two for each table
        for table, column in connection.exec_driver_sql(_COLUMNS):
            there.setdefault(table, set()).add(column)
    else:
        found = sql.inspect(connection).get_multi_columns(filter_names=[_FORMAT.name, *SCHEMA.tables])
        there = {name: {column["name"] for column in columns} for (_, name), columns in found.items()}
    return there


def has_column(connection: sql.Connection, column: sql.Column[Any]) -> bool:
    """Whether a store has a column. It keeps the columns that it has, so a connection need not look for one again."""
    there: Columns = connection.info.get(_SEEN, {})
    if column.name not in there.get(column.table.name, ()):
        there = connection.info[_SEEN] = columns_of(connection)
    return column.name in there.get(column.table.name, ())


def or_default(connection: sql.Connection, column: sql.Column[Any], default: object) -> sql.ColumnElement[Any]:
    """The column, or the default where a store of an earlier version lacks it."""
    return column if has_column(connection, column) else sql.literal(default).label(column.name)


def keep_others_out(connection: sql.Connection) -> None:
    """Let no other runner make or change tables before this transaction, which has begun, ends."""
    for statement in _ALONE[connection.dialect.name]:
        connection.exec_driver_sql(statement)


def create(connection: sql.Connection) -> None:
    """Make what a store lacks: the format number, tables, and later columns, which all have a server default.

    The transaction has begun, and others are kept out: all of it is made, or nothing.
    """
    there = columns_of(connection)
    if _FORMAT.name not in there:
        _FORMAT.create(connection)
    _raise_to(connection, FORMAT)
    tables, columns = missing(there)
    for column in columns:
        added = CreateColumn(column).compile(dialect=connection.dialect)
        connection.execute(sql.text(f"ALTER TABLE {column.table} ADD COLUMN {added}"))
    for table in tables:
        table.create(connection)


def create_trees(connection: sql.Connection) -> None:
    """Make the tables for trees of bots, after `create` and in the same transaction."""
    TREES.create_all(connection)
    _raise_to(connection, WITH_TREES)


def create_submissions(connection: sql.Connection) -> None:
    """Make the tables for submissions, after `create_trees` and in the same transaction."""
    SUBMISSIONS.create_all(connection)
    _raise_to(connection, WITH_SUBMISSIONS)


def _raise_to(connection: sql.Connection, number: int) -> None:
    """Write a number of the format, unless it or a higher one is there."""
    if (connection.scalar(_WRITTEN) or 0) < number:
        connection.execute(sql.delete(_FORMAT))
        connection.execute(sql.insert(_FORMAT), {"format": number})


_ALONE = {
    "sqlite": (),  # only one process writes at a time
    # If two runners make the same table at once, one of them fails. So each takes this lock first. Its number is
    # arbitrary: other programs are unlikely to use it. A table is changed when nobody reads it; a reader that never
    # ends must not let a run wait in silence.
    "postgresql": (f"SET LOCAL lock_timeout = '{PATIENCE_S}s'", "SELECT pg_advisory_xact_lock(7234298814)"),
}
"""The statements that keep others out, by dialect."""
