"""A damaged SQLite file: copies the readable rows of a league, one by one, into a sound store.

SQLite refuses a query when it meets a page that makes no sense. So this module asks SQLite for the rows of a table
until it refuses, or no longer knows the table. Then it looks for more rows of the table on every page
(`sqlite_pages.py`). It copies a row if its values have the types of its columns; other modules check whether the values
are true. A file of another number is refused (`schema.FORMAT`). If its number is lost, only rows that fit are copied.
"""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeGuard

import sqlalchemy as sql

from tournaments.league import league_seed
from tournaments.store import schema
from tournaments.store.column_values import DamagedValue
from tournaments.store.database import Database
from tournaments.store.sqlite_pages import PageRow, rows_of
from tournaments.store.store_errors import StoreError
from tournaments.store.transcript_packing import PLAIN, SAMPLES, Damaged, Packing, dictionary_of

_TABLES = (
    schema.LEAGUE,
    schema.TABLE,
    schema.ENTRY,
    schema.TRANSCRIPT,
    schema.MATCH,
    schema.DICTIONARY,
    schema.VOID,
    schema.ISSUE,
    schema.CHANGE,
    schema.TREE,
    schema.PIECE,
)
"""What is read, in this order: matches are looked up by the transcripts that were found. Seats follow from those."""

Row: TypeAlias = tuple[Any, ...]

_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)

_WITHOUT_GAPS = """
DELETE FROM issue WHERE number > (SELECT count(*) FROM issue AS before WHERE before.number < issue.number)
"""
"""What came after a wave that is lost cannot be held to a plan."""

_PLAIN = "SELECT record, aside FROM transcript WHERE dictionary = ? ORDER BY fixture LIMIT ?"

_TRANSCRIPTS = """
SELECT fixture, record, aside, dictionary, digest, match.stored_ms
FROM transcript LEFT JOIN match USING (league, fixture) ORDER BY transcript.rowid
"""


class SavedTranscript(NamedTuple):
    """A transcript as it was read.

    Attributes:
        fixture: the id of its fixture.
        record: the record, unpacked; empty if it cannot be unpacked.
        metadata: the same of the aside.
        digest: that of the record when it was stored; None if it is lost, or if a checksum in the packed record says
            that it is as it was.
        stored_ms: when it was stored; None if that is lost.
    """

    fixture: str
    record: bytes
    metadata: bytes
    digest: str | None
    stored_ms: int | None


class DamagedStore:
    """The rest of a league in a damaged file. It reads a copy of the file: looking must not change the original.

    Attributes:
        url: the address of the sound store: all rows of the league, and all trees of bots, but no seats of matches.
        read: by table, how many rows were read.
        damaged: by table, how many rows were read that make no sense.
        lost: the tables that cannot be read, or not whole.
    """

    def __init__(self, path: Path, folder: Path, league: str) -> None:
        """Read the file, with the help of an empty folder, which may be deleted when this is closed.

        Raises:
            StoreError: nothing can be read of the file, it has another number, or the folder has no room.
        """
        self.url = f"sqlite:///{folder / 'sound.sqlite'}"
        self.read: Counter[str] = Counter()
        self.damaged: Counter[str] = Counter()
        self.lost: set[str] = set()
        self._league = league
        try:
            self._copy = folder / "damaged.sqlite"
            self._file = _copied(path, self._copy)
            self._check_number(path)
            self._sound = _made(self.url, folder / "sound.sqlite")
            self._recover()
            if not (self.read.total() or self._knows(schema.TRANSCRIPT)):
                raise StoreError(f"nothing can be read of {path}: it has no row of {league}")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"nothing can be read of {path}: {error}") from error

    def close(self) -> None:
        """Close the files."""
        self._file.close()
        self._sound.close()

    def seed(self) -> str | None:
        """The seed of the league, if it matches its SHA-256, even if the rest of its row is damaged."""
        rows = (row.values for row in rows_of(self._copy) if row.values[:1] == (self._league,))
        pairs = (pair for values in rows for pair in pairwise(values))
        return next((seed for seed, sha256 in pairs if _is_vouched_for(seed, sha256)), None)

    def transcripts(self) -> Iterator[SavedTranscript]:
        """Every transcript, in the order in which they were stored, one at a time in memory."""
        packings = [Packing(content) for content in self._dictionaries()]
        for fixture, record, metadata, number, digest, stored_ms in self._sound.execute(_TRANSCRIPTS):
            if number == PLAIN:
                yield SavedTranscript(fixture, record, metadata, digest, stored_ms)
            else:
                yield SavedTranscript(
                    fixture, _unpacked(packings, record), _unpacked(packings, metadata), None, stored_ms
                )

    def _dictionaries(self) -> list[bytes]:
        """The dictionaries that transcripts may be packed with: the stored ones, and one made of the same matches."""
        stored = [content for (content,) in self._sound.execute("SELECT content FROM dictionary")]
        samples = self._sound.execute(_PLAIN, (PLAIN, SAMPLES)).fetchall()
        return [*stored, dictionary_of(samples)] if len(samples) == SAMPLES else stored

    # How the file is read

    def _recover(self) -> None:
        self._sound.execute("BEGIN")
        for table in _TABLES:
            self.read[table.name] = 0
            if self._knows(table):
                self._take_over(table, self._matches() if table is schema.MATCH else self._rows(table))
            else:
                self.lost.add(table.name)
        if self.lost:
            self._search_pages()
        self._sound.execute(_WITHOUT_GAPS)
        self._sound.execute("COMMIT")

    def _check_number(self, path: Path) -> None:
        """Check the number of the file, unless it is lost.

        Raises:
            StoreError: it is another one; or the file lists its tables, and none is for the number.
        """
        try:
            listed = {name for (name,) in self._file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            ours = sorted(listed.intersection(table.name for table in schema.TABLES))
            if ours and schema.STORE_FORMAT.name not in ours:
                schema.check_number(str(path), None, ours[0])
            for (number,) in self._file.execute(f"SELECT format FROM {schema.STORE_FORMAT}"):  # noqa: S608 - ours
                schema.check_number(str(path), number, schema.STORE_FORMAT.name)
        except _UNREADABLE:
            pass

    def _knows(self, table: sql.Table) -> bool:
        """Whether the file has a table with these columns, and still knows it."""
        try:
            there = self._file.execute("SELECT name FROM pragma_table_info(?)", (table.name,)).fetchall()
        except _UNREADABLE:
            return False
        return {column.name for column in table.columns} <= {name for (name,) in there}

    def _search_pages(self) -> None:
        """Take the rows of tables that SQLite cannot read whole, from whichever pages they are on."""
        for row in rows_of(self._copy):
            table = next((table for table in _TABLES if _is_of(table, row)), None)
            if table is not None and table.name in self.lost:
                self.read[table.name] += self._insert(table, _with_number(table, row))

    def _take_over(self, table: sql.Table, rows: Iterable[Row]) -> None:
        """Write those rows that make sense."""
        for row in rows:
            if all(map(_fits, table.columns, row)):
                self.read[table.name] += self._insert(table, row)
            else:
                self.damaged[table.name] += 1

    def _insert(self, table: sql.Table, row: Row) -> int:
        """Write a row if it is the league's, and not there yet; how many rows that makes."""
        columns = table.columns.keys()
        if "league" in columns and row[columns.index("league")] != self._league:
            return 0
        marks = ", ".join("?" * len(row))
        insert = f"INSERT OR IGNORE INTO {table} ({_columns(table)}) VALUES ({marks})"  # noqa: S608 - our own names
        return self._sound.execute(insert, row).rowcount

    def _rows(self, table: sql.Table) -> Iterator[Row]:
        """The rows that come before the first one that SQLite cannot read."""
        try:
            yield from self._file.execute(f"SELECT {_columns(table)} FROM {table} NOT INDEXED")  # noqa: S608 - ours
        except _UNREADABLE:
            self.lost.add(table.name)

    def _matches(self) -> Iterator[Row]:
        """The rows of the matches that have transcripts. In this table rows have no numbers, but keys."""
        query = f"SELECT {_columns(schema.MATCH)} FROM match WHERE league = ? AND fixture = ?"  # noqa: S608 - ours
        for key in self._sound.execute("SELECT league, fixture FROM transcript"):
            try:
                rows = self._file.execute(query, key).fetchall()
            except _UNREADABLE:
                rows = []
            if not rows:
                self.lost.add(schema.MATCH.name)
            yield from rows


def _copied(path: Path, copy: Path) -> sqlite3.Connection:
    """A connection to a copy of a damaged file, with all that its log has."""
    shutil.copyfile(path, copy)
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")  # or a file that was cut short would be refused as a whole
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
        with suppress(sqlite3.Error):  # a log of a file whose beginning is lost
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return connection


def _made(url: str, path: Path) -> sqlite3.Connection:
    """A connection to a new store with all tables. Rows may refer to others that are lost."""
    database = Database(url)
    database.prepare()
    database.close()
    return sqlite3.connect(path, isolation_level=None)


def _columns(table: sql.Table) -> str:
    return ", ".join(table.columns.keys())


def _is_of(table: sql.Table, row: PageRow) -> bool:
    """Whether a row may be of this table."""
    return len(row.values) == len(table.columns) and all(map(_fits, table.columns, _with_number(table, row)))


def _with_number(table: sql.Table, row: PageRow) -> Row:
    """The values of a row. SQLite keeps a key that is the number of the row only as that."""
    pairs = zip(table.columns, row.values, strict=True)
    return tuple(row.number if value is None and column.primary_key else value for column, value in pairs)


def _fits(column: sql.Column[Any], value: object) -> bool:
    """Whether a value is one that the column may have."""
    its: Any = column.type
    try:
        its.value_of(value)
    except DamagedValue:
        return False
    return True


def _is_vouched_for(seed: object, sha256: object) -> TypeGuard[str]:
    return isinstance(seed, str) and league_seed.is_full(seed) and league_seed.commitment(bytes.fromhex(seed)) == sha256


def _unpacked(packings: Iterable[Packing], packed: bytes) -> bytes:
    """A part of a transcript, by the first dictionary that unpacks it; its checksum says so. Empty if none does."""
    for packing in packings:
        try:
            return packing.unpack(packed)
        except Damaged:
            continue
    return b""
