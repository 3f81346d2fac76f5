"""The tables of a store. A row belongs to the league it names; a match and its seats to its fixture."""

from functools import partial
from typing import Annotated, Any

import msgspec
import sqlalchemy as sql

from referee.match.terms import Clock, EntryTerms
from tournaments.league.model import Entry, PlayRules
from tournaments.league.people import Role, SecretKind
from tournaments.league.scrimmages import Stage
from tournaments.league.status import Fleet
from tournaments.league.submissions import State
from tournaments.schedule.formats.issued_waves import IssuedWave
from tournaments.store.column_values import CheckedColumn
from tournaments.store.store_errors import PATIENCE_S, StoreError
from tournaments.store.submission_tables import (
    PERSON,
    SCRIMMAGE,
    SECRET,
    SUBMISSION,
    SUBMISSIONS,
    Milliseconds,
    Text,
    wait_for_turn,
)

FORMAT = 9
"""The number of what a store has, and of what that means. A store of another number is refused, to read and to write.

Every change raises it: a table, a column, a value, a rule of counting. `tests/tournaments/store/test_format.py` has all
that the number stands for."""

SCHEMA = sql.MetaData()


def _of_match() -> sql.ForeignKeyConstraint:
    return sql.ForeignKeyConstraint(["league", "fixture"], ["match.league", "match.fixture"])


LEAGUE = sql.Table(
    "league",
    SCHEMA,
    sql.Column("league", Text, primary_key=True),
    sql.Column("game", Text, nullable=False),
    sql.Column("rules_version", sql.Integer, nullable=False),
    sql.Column("draw_probability", sql.Double, nullable=False),
    sql.Column("rehearsal", sql.Boolean, nullable=False),
    sql.Column("seed", Text, nullable=False),
    sql.Column("seed_sha256", Text, nullable=False),
    sql.Column("clock", Text, nullable=False),
    sql.Column("rules", Text, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
    sql.Column("closed_deals", sql.Integer, nullable=False, server_default="0"),
    sql.Column("closed_ms", Milliseconds),
)
"""What the first run pinned. `clock` and `rules` are JSON. Deals with a lower number than `closed_deals` are closed;
`closed_ms` is set when the whole league is."""

TABLE = sql.Table(
    "league_table",
    SCHEMA,
    sql.Column("league", sql.ForeignKey("league.league"), primary_key=True),
    sql.Column("name", Text, primary_key=True),
    sql.Column("seats", sql.Integer, nullable=False),
    sql.Column("options", Text, nullable=False),
    sql.Column("seating", Text, nullable=False),
    sql.Column("luck", Text, nullable=False),
    sql.Column("sides", Text, nullable=False),
    sql.Column("deals_sides", sql.Boolean, nullable=False),
    sql.Column("weight", sql.Float, nullable=False),
)
"""All tables a league ever had. `options` and `sides` are JSON."""

ENTRY = sql.Table(
    "entry",
    SCHEMA,
    sql.Column("league", sql.ForeignKey("league.league"), primary_key=True),
    sql.Column("name", Text, primary_key=True),
    sql.Column("content", Text, nullable=False),
    sql.Column("built", Text, nullable=False),
    sql.Column("reinstated_ms", Milliseconds),
    sql.Column("reinstated_deal", sql.Integer, nullable=False, server_default="0"),
    sql.Column("terms", Text, nullable=False),
    sql.Column("author", Text),
)
"""All entries a league ever had. `content` is the digest of its sources, `built` that of what building made (empty
where that is not known yet); `reinstated_ms` is set while exempt from suspension, and `reinstated_deal` is the first
deal on which it is; `terms` is JSON, what it was entered with; `author` is whose it is, if that is known."""

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
    sql.Column("sandbox", Text, nullable=False),
    sqlite_with_rowid=False,  # kept in the order of the key: smaller by half, and read faster
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
    sql.Column("tries", sql.BigInteger, nullable=False),
    sql.Column("tokens", sql.BigInteger, nullable=False),
    sql.Column("processor_us", sql.BigInteger),
    _of_match(),
    sqlite_with_rowid=False,
)
"""One row for each seat of a match. `fault` is the kind of fault, if this seat's fault cut the match short.
`processor_us` is null where nothing was measured."""

TRANSCRIPT = sql.Table(
    "transcript",
    SCHEMA,
    sql.Column("league", Text, primary_key=True),
    sql.Column("fixture", Text, primary_key=True),
    sql.Column("record", sql.LargeBinary, nullable=False),
    sql.Column("aside", sql.LargeBinary, nullable=False),
    sql.Column("dictionary", sql.Integer, nullable=False),
    _of_match(),
)
"""The canonical record and the aside, as JSON bytes: packed with the league's dictionary of that number
(`transcript_packing.py`), or plain if the number is 0."""

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
    sql.Column("busy", sql.Boolean, nullable=False),
    sql.Column("counts", sql.Boolean, nullable=False),
    sql.Column("forgiven", Text, nullable=False),
)
"""Matches that do not count. A fixture may be here several times, and have a result as well. `busy` says whether the
machine was too busy; `counts`, whether the void brings its fixture nearer to being abandoned; `forgiven` names the bot
that was unavailable and was forgiven."""

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
"""The bots entered and withdrawn since the file was written, in order. `entry` is JSON, or nothing for a bot that
was withdrawn; `waves` says how many waves had been issued by then; `wave` is the number of the one that was under way
when the bot was withdrawn, if any was."""

TREE = sql.Table(
    "tree",
    SCHEMA,
    sql.Column("digest", Text, primary_key=True),
    sql.Column("content", sql.LargeBinary, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
)
"""The trees of bots, whichever league they are for, by their digest. `content` is packed JSON: which files there are,
and the pieces of each. A row never changes."""

PIECE = sql.Table(
    "piece",
    SCHEMA,
    sql.Column("digest", Text, primary_key=True),
    sql.Column("content", sql.LargeBinary, nullable=False),
)
"""Pieces of files, packed, by the SHA-256 of what they are unpacked. A row never changes."""

TREE_PIECE = sql.Table(
    "tree_piece",
    SCHEMA,
    sql.Column("tree", sql.ForeignKey("tree.digest"), primary_key=True),
    sql.Column("piece", sql.ForeignKey("piece.digest"), primary_key=True, index=True),
)
"""Which pieces a tree needs. A piece that no tree needs may be deleted."""

ANSWER = sql.Table(
    "answer",
    SCHEMA,
    sql.Column("league", Text, primary_key=True),
    sql.Column("question", Text, primary_key=True),
    sql.Column("key", Text, nullable=False),
    sql.Column("answer", sql.LargeBinary, nullable=False),
)
"""The last answer to each question about a league that took long to compute, packed."""

FLEET = sql.Table(
    "fleet", SCHEMA, sql.Column("league", Text, primary_key=True), sql.Column("content", Text, nullable=False)
)
"""One row for each league that is played on many machines. `content` is JSON."""

BROKEN_BATCH = sql.Table(
    "broken_batch",
    SCHEMA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("league", Text, nullable=False),
    sql.Column("line_up", Text, nullable=False),
    sql.Column("culprit", Text),
    sql.Column("reason", Text, nullable=False),
    sql.Column("stored_ms", Milliseconds, nullable=False),
)
"""One row for each batch that broke. `line_up` is the entries by seat, joined by `+`; `culprit` is the entry whose bot
was to blame."""

RUNNER = sql.Table(
    "runner",
    SCHEMA,
    sql.Column("league", Text, primary_key=True),
    sql.Column("number", sql.Integer, nullable=False),
)
"""The number of the last runner of each league that is kept on a server. Each new runner takes the next number."""

STORE_FORMAT = sql.Table(
    "store_format", SCHEMA, sql.Column("format", sql.Integer, primary_key=True, autoincrement=False)
)
"""One row with `FORMAT`. The stores of all numbers have this table."""

TABLES = (*SCHEMA.sorted_tables, *SUBMISSIONS.sorted_tables)
"""All tables of a store, in the order to make them."""

_json = msgspec.json.Decoder
_DECODE: dict[Any, Any] = {
    LEAGUE.c.seed: partial(msgspec.convert, type=Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]),
    LEAGUE.c.clock: _json(Clock).decode,
    LEAGUE.c.rules: _json(PlayRules).decode,
    TABLE.c.options: _json(dict[str, Any]).decode,
    TABLE.c.sides: _json(tuple[tuple[int, ...], ...]).decode,
    ENTRY.c.terms: _json(EntryTerms).decode,
    ISSUE.c.wave: _json(IssuedWave).decode,
    CHANGE.c.entry: _json(Entry).decode,
    FLEET.c.content: _json(Fleet).decode,
    SCRIMMAGE.c.against: _json(tuple[str, ...]).decode,
    SUBMISSION.c.state: partial(msgspec.convert, type=State),
    SCRIMMAGE.c.stage: partial(msgspec.convert, type=Stage),
    PERSON.c.role: partial(msgspec.convert, type=Role),
    SECRET.c.kind: partial(msgspec.convert, type=SecretKind),
}
for _table in TABLES:
    for _column in _table.columns:
        _column.type = CheckedColumn(str(_column), _column, _DECODE.get(_column))

_SCHEMA_LOCK = 7234298814


def own_tables(connection: sql.Connection) -> list[str]:
    """The tables in a database that are called like those of a store, sorted by name."""
    return sorted({table.name for table in TABLES}.intersection(sql.inspect(connection).get_table_names()))


def check_number(place: str, number: int | None, table: str) -> None:
    """Check that the store at a place has the number that is read and written here.

    `place` is its address without passwords, and `table` names one of its tables. It may have no number.

    Raises:
        StoreError: it has another number, or none.
    """
    if number != FORMAT:
        has = f"has a table {table!r} and no format number" if number is None else f"has format {number}"
        raise StoreError(
            f"the store {place} {has}, and this Referee reads and writes format {FORMAT} only; export it with the"
            " Referee that made it (`referee league export`), or name another store (--store)"
        )


def number_of(connection: sql.Connection) -> int | None:
    """The number of a store that has the table for it; None if it has no number."""
    number: int | None = connection.scalar(sql.select(sql.func.max(STORE_FORMAT.c.format, type_=sql.Integer)))
    return number


def lock_schema(connection: sql.Connection) -> None:
    """Let no other runner make tables before this transaction, which has begun, ends. If two did, one would fail."""
    if connection.dialect.name == "postgresql":  # a runner that never ends must not let another wait in silence
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'")
    wait_for_turn(connection, _SCHEMA_LOCK)


def create(connection: sql.Connection) -> None:
    """Make all tables, and write the number.

    The transaction has begun, and others are kept out: all of it is made, or nothing.
    """
    for table in TABLES:
        table.create(connection)
    connection.execute(sql.insert(STORE_FORMAT), {"format": FORMAT})
