"""What remains of one league in a damaged store, as values. Each is as it was read: whether it is true is for others.

A row in which a value has the wrong type, or makes no sense, is damaged. A column that the store lacks, because an
earlier Referee made it, has the value that the next run would give it.
"""

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import msgspec

from referee.match.clock import Clock
from referee.match.terms import Terms
from tournaments.formats.issue import Issue
from tournaments.model import Entry, Seating, StoredVoid, TableSpec
from tournaments.pins import Content
from tournaments.roster import Change
from tournaments.store.packing import MOST, PLAIN, SAMPLES, Damaged, Packing, dictionary_of
from tournaments.store.wreck import Wreck


class _Row(msgspec.Struct, frozen=True, array_like=True):
    """A row of a table; its fields are the columns, in this order. A field with a default is a later column."""

    league: str


class LeagueRow(_Row, frozen=True, array_like=True):
    """What the first run pinned."""

    game: str
    rules_version: int
    rehearsal: int
    seed: str
    seed_sha256: str
    clock: str
    stored_ms: int
    closed_ms: int | None = None


class _TableRow(_Row, frozen=True, array_like=True):
    name: str
    seats: int
    options: str
    seating: Seating = "distinct"


class _EntryRow(_Row, frozen=True, array_like=True):
    name: str
    content: str
    reinstated_ms: int | None
    built: str = ""
    terms: str = "{}"


class _IssueRow(_Row, frozen=True, array_like=True):
    number: int
    wave: str


class _ChangeRow(_Row, frozen=True, array_like=True):
    number: int
    name: str
    entry: str | None
    waves: int
    stored_ms: int


class _VoidRow(_Row, frozen=True, array_like=True):
    fixture: str
    reason: str
    stored_ms: int
    busy: int = 0
    counts: int = 1


class _TranscriptRow(_Row, frozen=True, array_like=True):
    fixture: str
    record: bytes
    aside: bytes
    dictionary: int = PLAIN


class _DictionaryRow(_Row, frozen=True, array_like=True):
    number: int
    content: bytes


class _MatchRow(_Row, frozen=True, array_like=True):
    digest: str
    stored_ms: int


_R = TypeVar("_R", bound=_Row)
_T = TypeVar("_T")


class Beside(NamedTuple):
    """What the row of a match says that nothing else says, or that something else says as well.

    Attributes:
        digest: of the record when it was stored.
        stored_ms: when that was.
    """

    digest: str
    stored_ms: int


class Piece(NamedTuple):
    """A transcript as it was read.

    Attributes:
        fixture: the id of its fixture.
        parts: record and aside, unpacked; None if they cannot be unpacked.
        checked: whether a checksum says that they are as they were stored.
    """

    fixture: str
    parts: tuple[bytes, bytes] | None
    checked: bool


class Remains:
    """A league in a damaged store.

    Attributes:
        read: by table, how many rows of the league were read.
        damaged: by table, how many rows were read that make no sense, whoever's they are.
    """

    def __init__(self, wreck: Wreck, league: str) -> None:
        self.read: Counter[str] = Counter()
        self.damaged: Counter[str] = Counter()
        self._wreck = wreck
        self._rows_lost = False  # of the table match, in which rows are looked up one by one
        self._league = league

    def unreadable(self, table: str) -> bool:
        """Whether a part of a table could not be read, of what was asked so far."""
        lost = self._rows_lost if table == "match" else self._wreck.lost[table] > 0
        return lost or table not in self._wreck.tables

    def league(self) -> LeagueRow | None:
        """What the first run pinned; None if it is lost."""
        return next(self._rows("league", LeagueRow), None)

    def clock(self, row: LeagueRow) -> Clock | None:
        """The time limits; None if they are damaged."""
        try:
            return msgspec.json.decode(row.clock, type=Clock)
        except (msgspec.DecodeError, ValueError):
            return None

    def tables(self) -> dict[str, TableSpec]:
        """The tables of the league, by name."""
        found = {}
        for row in self._rows("league_table", _TableRow):
            try:
                options = msgspec.json.decode(row.options, type=dict)
            except msgspec.DecodeError:
                self.damaged["league_table"] += 1
            else:
                found[row.name] = TableSpec(row.name, row.seats, options, row.seating)
        return found

    def entries(self) -> dict[str, tuple[Content, int | None]]:
        """By entry, its content, and since when it is exempt from suspension."""
        found = {}
        for row in self._rows("entry", _EntryRow):
            terms = self._json("entry", row.terms, Terms)
            if terms is not None:
                found[row.name] = (Content(row.content, row.built, terms), row.reinstated_ms)
        return found

    def issues(self) -> list[Issue]:
        """The waves that were issued, up to the first that is lost: what came after it cannot be held to a plan."""
        found = {row.number: self._json("issue", row.wave, Issue) for row in self._rows("issue", _IssueRow)}
        known = takewhile(lambda wave: wave is not None, (found.get(number) for number in range(len(found))))
        return [wave for wave in known if wave is not None]

    def changes(self) -> list[Change]:
        """The changes of the roster, in order."""
        rows = sorted(self._rows("change", _ChangeRow), key=attrgetter("number"))
        entered = ((row, None if row.entry is None else self._json("change", row.entry, Entry)) for row in rows)
        return [
            Change(row.name, entry, row.waves, row.stored_ms)
            for row, entry in entered
            if row.entry is None or entry is not None
        ]

    def _json(self, table: str, text: str, kind: type[_T]) -> _T | None:
        """A value that is kept as JSON; None if it is damaged."""
        try:
            return msgspec.json.decode(text, type=kind)
        except (msgspec.DecodeError, ValueError):
            self.damaged[table] += 1
            return None

    def voids(self) -> list[StoredVoid]:
        """The void matches, oldest first."""
        rows = self._rows("void", _VoidRow)
        return [StoredVoid(row.fixture, row.reason, row.stored_ms, bool(row.busy), bool(row.counts)) for row in rows]

    def transcripts(self) -> Iterator[Piece]:
        """Every transcript, in the order in which they were stored, one at a time in memory."""
        for row in self._rows("transcript", _TranscriptRow):
            yield Piece(row.fixture, self._parts(row), checked=row.dictionary != PLAIN)

    def beside(self, fixture: str) -> Beside | None:
        """What the row of a match says that has a transcript; None if it is lost."""
        found = self._wreck.find("match", self._columns("match", _MatchRow), league=self._league, fixture=fixture)
        row = None if found is None else _whole(found, _MatchRow)
        if row is None:
            self._rows_lost = True
            return None
        self.read["match"] += 1
        return Beside(row.digest, row.stored_ms)

    def _parts(self, row: _TranscriptRow) -> tuple[bytes, bytes] | None:
        """Record and aside, with the stored dictionary or with the one made again; None if neither unpacks them."""
        if row.dictionary == PLAIN:
            return (row.record, row.aside) if max(len(row.record), len(row.aside)) <= MOST else None
        stored = self._dictionaries.get(row.dictionary)
        if stored is not None and (parts := _unpacked(stored, row)):
            return parts
        return _unpacked(self._made_again, row) if self._made_again else None

    @cached_property
    def _dictionaries(self) -> Mapping[int, Packing]:
        return {row.number: Packing(row.content) for row in self._rows("dictionary", _DictionaryRow)}

    @cached_property
    def _made_again(self) -> Packing | None:
        """The dictionary, made of the same matches as before; None if too few of them can be read."""
        rows = filter(None, map(self._own, self._wreck.rows("transcript", self._columns("transcript", _TranscriptRow))))
        plain = (row for row in rows if row.dictionary == PLAIN)
        samples = heapq.nsmallest(SAMPLES, plain, key=attrgetter("fixture"))
        if len(samples) < SAMPLES:
            return None
        return Packing(dictionary_of([(sample.record, sample.aside) for sample in samples]))

    def _own(self, found: tuple[Any, ...]) -> _TranscriptRow | None:
        row = _whole(found, _TranscriptRow)
        return row if row is not None and row.league == self._league else None

    def _rows(self, table: str, kind: type[_R]) -> Iterator[_R]:
        """The rows of the league in a table, counted."""
        if table not in self._wreck.tables:
            return
        for found in self._wreck.rows(table, self._columns(table, kind)):
            row = _whole(found, kind)
            if row is None:
                self.damaged[table] += 1
            elif row.league == self._league:
                self.read[table] += 1
                yield row

    def _columns(self, table: str, kind: type[_Row]) -> list[str]:
        """What to select for these rows: columns, or their defaults where the store lacks them."""
        there = self._wreck.columns(table)
        return [
            field.name if field.name in there or field.default is msgspec.NODEFAULT else _literal(field.default)
            for field in msgspec.structs.fields(kind)
        ]


def _literal(default: str | int | None) -> str:
    """A default as SQL."""
    return "NULL" if default is None else f"{default!r}"


def _whole(found: tuple[Any, ...], kind: type[_R]) -> _R | None:
    """A row, if all its values have the right types."""
    try:
        return msgspec.convert(found, kind, builtin_types=(bytes,))
    except msgspec.ValidationError:
        return None


def _unpacked(packing: Packing, row: _TranscriptRow) -> tuple[bytes, bytes] | None:
    try:
        return packing.unpack(row.record), packing.unpack(row.aside)
    except Damaged:
        return None
