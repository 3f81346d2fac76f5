"""A damaged SQLite file: copies the readable rows of a league, one by one, into a sound store.

SQLite refuses a query when it meets a page that makes no sense. So this module queries a table by its row numbers. It
halves a range that SQLite refuses, down to single rows, and loses only the rows on damaged pages. It copies a row if
its values have the types of its columns; other modules check whether the values are true. A column that the file lacks,
because an earlier Referee made it, gets the value that the next run would give it.
"""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sql

from referee.match.clock import Clock
from referee.match.entry_terms import EntryTerms
from tournaments.league import league_seed
from tournaments.league.model import Entry
from tournaments.schedule.formats.wave_decider import IssuedWave
from tournaments.store import schema
from tournaments.store.address import StoreError
from tournaments.store.database import Database
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

_JSON: Mapping[Any, Any] = {
    schema.LEAGUE.c.clock: Clock,
    schema.TABLE.c.options: dict,
    schema.ENTRY.c.terms: EntryTerms,
    schema.ISSUE.c.wave: IssuedWave,
    schema.CHANGE.c.entry: Entry,
}

_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)

_SMALLEST = 64
"""No row takes fewer bytes of a store, with its part of all that goes with it. So a file's size bounds its rows."""

_WITHOUT_GAPS = """
DELETE FROM issue WHERE number > (SELECT count(*) FROM issue AS before WHERE before.number < issue.number)
"""
"""What came after a wave that is lost cannot be held to a plan."""

_PLAIN = "SELECT record, aside FROM transcript WHERE dictionary = ? ORDER BY fixture LIMIT ?"

_FOUND = """
SELECT fixture, record, aside, dictionary, digest, match.stored_ms
FROM transcript LEFT JOIN match USING (league, fixture) ORDER BY transcript.rowid
"""


class SavedTranscript(NamedTuple):
    """A transcript as it was read.

    Attributes:
        fixture: the id of its fixture.
        record: the record, unpacked; empty if it cannot be unpacked.
        aside: the same of the aside.
        digest: that of the record when it was stored; None if it is lost, or if a checksum in the packed record says
            that it is as it was.
        stored_ms: when it was stored; None if that is lost.
    """

    fixture: str
    record: bytes
    aside: bytes
    digest: str | None
    stored_ms: int | None


class DamagedStore:
    """The rest of a league in a damaged file. It reads a copy of the file: looking must not change the original.

    Attributes:
        url: the address of the sound store: all rows of the league, and all trees of bots, but no seats of matches.
        read: by table, how many rows were read.
        damaged: by table, how many rows were read that make no sense.
        lost: the tables of which a part cannot be read, or all of it.
    """

    def __init__(self, path: Path, folder: Path, league: str) -> None:
        """Read the file, with the help of an empty folder, which may be deleted when this is closed.

        Raises:
            StoreError: nothing can be read of the file, or the folder has no room.
        """
        self.url = f"sqlite:///{folder / 'sound.sqlite'}"
        self.read: Counter[str] = Counter()
        self.damaged: Counter[str] = Counter()
        self.lost: set[str] = set()
        self._league = league
        try:
            self._most = path.stat().st_size // _SMALLEST + 1
            self._file = _copied(path, folder / "damaged.sqlite")
            self._sound = _made(self.url, folder / "sound.sqlite")
            if not self._columns(schema.TRANSCRIPT):
                raise StoreError(f"nothing can be read of {path}: it has no list of transcripts")
            self._recover()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"nothing can be read of {path}: {error}") from error

    def close(self) -> None:
        """Close the files."""
        self._file.close()
        self._sound.close()

    def seed(self) -> str | None:
        """The seed of the league, if it matches its SHA-256, even if the rest of its row is damaged."""
        rows = self._rows(schema.LEAGUE, ("league", "seed", "seed_sha256"), 1, self._most)
        seeds = (seed for name, seed, sha256 in rows if name == self._league and _is_vouched_for(seed, sha256))
        return next(seeds, None)

    def transcripts(self) -> Iterator[SavedTranscript]:
        """Every transcript, in the order in which they were stored, one at a time in memory."""
        packings = [Packing(content) for content in self._dictionaries()]
        for fixture, record, aside, number, digest, stored_ms in self._sound.execute(_FOUND):
            if number == PLAIN:
                yield SavedTranscript(fixture, record, aside, digest, stored_ms)
            else:
                yield SavedTranscript(fixture, _unpacked(packings, record), _unpacked(packings, aside), None, stored_ms)

    def _dictionaries(self) -> list[bytes]:
        """The dictionaries that transcripts may be packed with: the stored ones, and one made of the same matches."""
        stored = [content for (content,) in self._sound.execute("SELECT content FROM dictionary")]
        samples = self._sound.execute(_PLAIN, (PLAIN, SAMPLES)).fetchall()
        return [*stored, dictionary_of(samples)] if len(samples) == SAMPLES else stored

    # How the file is read

    def _recover(self) -> None:
        self._sound.execute("BEGIN")
        for table in _TABLES:
            columns = self._columns(table)
            if columns:
                rows = self._matches(columns) if table is schema.MATCH else self._rows(table, columns, 1, self._most)
                self._take_over(table, columns, rows)
            elif table.metadata is schema.SCHEMA:  # other tables are only in stores with trees
                self.read[table.name] = 0
                self.lost.add(table.name)
        self._sound.execute(_WITHOUT_GAPS)
        self._sound.execute("COMMIT")

    def _columns(self, table: sql.Table) -> list[str]:
        """The columns of a table that the file has; none if it has no such table."""
        there = self._file.execute("SELECT name FROM pragma_table_info(?)", (table.name,)).fetchall()
        return [column.name for column in table.columns if (column.name,) in there]

    def _take_over(self, table: sql.Table, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Write those rows that are the league's and make sense. The same row may come several times."""
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - our own names
        self.read[table.name] = 0
        for row in rows:
            values = dict(zip(columns, row, strict=True))
            if not all(_fits(table.c[name], value) for name, value in values.items()):
                self.damaged[table.name] += 1
            elif values.get("league", self._league) == self._league:
                self.read[table.name] += self._sound.execute(insert, row).rowcount

    def _rows(self, table: sql.Table, columns: Sequence[str], first: int, last: int) -> Iterator[tuple[Any, ...]]:
        """The rows with these numbers, as far as they can be read. Some come again where others cannot be read."""
        query = f"SELECT {', '.join(columns)} FROM {table} WHERE rowid BETWEEN ? AND ?"  # noqa: S608 - our own names
        try:
            yield from self._file.execute(query, (first, last))
        except _UNREADABLE:
            if first == last:
                self.lost.add(table.name)
                return
            middle = (first + last) // 2
            yield from self._rows(table, columns, first, middle)
            yield from self._rows(table, columns, middle + 1, last)

    def _matches(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The rows of the matches that have transcripts. In this table rows have no numbers, but keys."""
        query = f"SELECT {', '.join(columns)} FROM match WHERE league = ? AND fixture = ?"  # noqa: S608 - our own names
        for key in self._sound.execute("SELECT league, fixture FROM transcript"):
            try:
                rows = self._file.execute(query, key).fetchall()
            except _UNREADABLE:
                rows = []
            if not rows:
                self.lost.add(schema.MATCH.name)
            yield from rows


def _copied(path: Path, copy: Path) -> sqlite3.Connection:
    """A connection to a copy of a damaged file, of which at least the list of tables can be read."""
    shutil.copyfile(path, copy)
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")  # or a file that was cut short would be refused as a whole
    connection.execute("SELECT name FROM sqlite_master").fetchall()
    return connection


def _made(url: str, path: Path) -> sqlite3.Connection:
    """A connection to a new store with all tables. Rows may refer to others that are lost."""
    database = Database(url)
    database.complete_for_trees()
    database.close()
    return sqlite3.connect(path, isolation_level=None)


def _fits(column: sql.Column[Any], value: object) -> bool:
    """Whether a value is one that the column may have."""
    if value is None:
        return bool(column.nullable)
    kind = column.type.python_type
    if not isinstance(value, int if kind is bool else kind):
        return False
    return column not in _JSON or _is_json(str(value), _JSON[column])


def _is_json(text: str, kind: Any) -> bool:
    try:
        msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, ValueError):
        return False
    return True


def _is_vouched_for(seed: object, sha256: object) -> bool:
    return isinstance(seed, str) and league_seed.is_full(seed) and league_seed.commitment(bytes.fromhex(seed)) == sha256


def _unpacked(packings: Iterable[Packing], packed: bytes) -> bytes:
    """A part of a transcript, by the first dictionary that unpacks it; its checksum says so. Empty if none does."""
    for packing in packings:
        try:
            return packing.unpack(packed)
        except Damaged:
            continue
    return b""
