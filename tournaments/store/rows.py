"""The rows of a store as values, and values as rows: of matches, and of what the first run of a league pins.

It pins the league, its tables and its entries.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec
import sqlalchemy as sql
from msgspec.structs import asdict

from referee.core.outcome import Outcome
from referee.match.transcript import FaultMark, Metadata, Record, Transcript, digest_of
from tournaments.league.model import FinishedMatch, StoredMatch, TableSpec
from tournaments.store.database import insert_of
from tournaments.store.pinned_league import Content, Pinned
from tournaments.store.schema import ENTRY, LEAGUE, SEAT, TABLE
from tournaments.store.store_errors import StoreError
from tournaments.store.transcript_packing import MOST, PLAIN, NumberedDictionary

_T = TypeVar("_T")
_Value = TypeVar("_Value", bound=msgspec.Struct)

Row: TypeAlias = dict[str, Any]
"""Values by column."""


SeatRows: TypeAlias = dict[str, list[Any]]
"""By fixture, its id and numbers of each seat in order, as the table `seat` has them, from `decisions` on."""


class _Names(msgspec.Struct, frozen=True, gc=False):
    entries: tuple[str, ...]


class ResultRow(msgspec.Struct, frozen=True, gc=False):
    """The part of a record that is needed for standings; the rest is not decoded."""

    header: _Names
    faults: tuple[FaultMark, ...]
    outcome: Outcome


class FixtureRows(NamedTuple):
    """All that is stored of one fixture.

    Attributes:
        fixture: its id.
        match: the row of its match; None if there is none.
        seats: the rows of its seats, by seat.
        record: the canonical record, unpacked; None if there is no transcript.
        transcript: what the stored bytes say; None if there is no transcript.
    """

    fixture: str
    match: Row | None
    seats: dict[int, Row]
    record: bytes | None
    transcript: Transcript | None


_result = msgspec.json.Decoder(ResultRow)
_record = msgspec.json.Decoder(Record)
_metadata = msgspec.json.Decoder(Metadata)


def _decoded(decoder: msgspec.json.Decoder[_T], fixture: str, part: bytes) -> _T:
    try:
        return decoder.decode(part)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"the transcript of {fixture} is damaged: {error}") from error


def result_of(fixture: str, record: bytes, seats: int | None = None) -> ResultRow:
    """The result in a stored record, as standings need it.

    Raises:
        StoreError: it is damaged, or has another number of seats than the store has for it (None: not known yet).
    """
    found = _decoded(_result, fixture, record)
    places = len(found.outcome.places)
    if not len(found.header.entries) == places == (places if seats is None else seats):
        raise StoreError(f"the match {fixture} is damaged: its record and its seats differ in their number")
    return found


def seat_rows_by_fixture(connection: sql.Connection, *which: sql.ColumnElement[bool]) -> SeatRows:
    """The numbers in the rows of these seats."""
    columns = SEAT.c.fixture, SEAT.c.decisions, SEAT.c.thinking_us, SEAT.c.tries, SEAT.c.tokens, SEAT.c.processor_us
    query = sql.select(*columns).where(*which).order_by(SEAT.c.fixture, SEAT.c.seat)
    rows = connection.execute(query).all()
    return {fixture: list(seats) for fixture, seats in groupby(rows, key=itemgetter(0))}


def stored_match(
    row: Any, record: bytes, seats: Sequence[Any], same: Callable[[Any], Any] = lambda part: part
) -> StoredMatch:
    """The result of a fixture.

    Args:
        row: has its id, and the time at which it was stored.
        record: its record, unpacked.
        seats: those of its seats, as `seat_rows_by_fixture` gives them.
        same: gives one object for all parts that are equal.

    Raises:
        StoreError: it is damaged.
    """
    _, decisions, thinking_us, tries, tokens, processor_us = zip(*seats, strict=True)
    result = result_of(row.fixture, record, len(decisions))
    return StoredMatch(
        fixture=row.fixture,
        digest=digest_of(record),
        entries=same(result.header.entries),
        outcome=same(result.outcome),
        faults=same(result.faults),
        decisions=same(decisions),
        thinking_us=thinking_us,
        stored_ms=row.stored_ms,
        tries=same(tries),
        tokens=same(tokens),
        processor_us=processor_us,
    )


def transcript_of(fixture: str, record: bytes, metadata: bytes) -> Transcript:
    """The transcript of a fixture, from the JSON of its two parts.

    Raises:
        StoreError: it is damaged.
    """
    transcript = Transcript(_decoded(_record, fixture, record), metadata_of(fixture, metadata))
    if transcript.strange_seats:
        raise StoreError(f"the transcript of {fixture} is damaged: it has no seats {sorted(transcript.strange_seats)}")
    return transcript


def metadata_of(fixture: str, metadata: bytes) -> Metadata:
    """The metadata of a fixture, from its JSON.

    Raises:
        StoreError: it is damaged.
    """
    return _decoded(_metadata, fixture, metadata)


def seat_rows(match: FinishedMatch, result: ResultRow) -> list[Row]:
    """The rows of a match's seats, without league and fixture."""
    faults = {fault.seat: fault.kind.value for fault in result.faults}
    return [
        {
            "seat": seat,
            "entry": entry,
            "place": result.outcome.places[seat],
            "fault": faults.get(seat),
            "decisions": match.decisions[seat],
            "thinking_us": match.thinking_us[seat],
            "tries": match.tries[seat],
            "tokens": match.tokens[seat],
            "processor_us": match.processor_us[seat] if match.processor_us else None,
        }
        for seat, entry in enumerate(result.header.entries)
    ]


def bytes_of(match: FinishedMatch, dictionary: NumberedDictionary | None) -> Row:
    """The row of a match's transcript, without league and fixture, packed if there is a dictionary."""
    if dictionary is None or max(len(match.record), len(match.metadata)) > MOST:
        return {"record": match.record, "aside": match.metadata, "dictionary": PLAIN}
    pack = dictionary.packing.pack
    return {"record": pack(match.record), "aside": pack(match.metadata), "dictionary": dictionary.number}


def text_of(value: object) -> str:
    """A value as JSON, always in the same order."""
    return msgspec.json.encode(value, order="sorted").decode()


_FACTS = ("game", "rules_version", "draw_probability", "rehearsal", "seed")
"""What columns have as it is."""


def pin(connection: sql.Connection, name: str, pinned: Pinned, now_ms: int) -> None:
    """Pin what is not pinned yet of the league of this name. Of entries that are, the build output is noted anew."""
    facts = {fact: getattr(pinned, fact) for fact in _FACTS}
    league = {"league": name, **facts, "seed_sha256": pinned.commitment, "clock": text_of(pinned.clock)}
    league["rules"] = text_of(pinned.rules)
    tables = [
        {"league": name, **asdict(spec), "options": text_of(spec.options), "sides": text_of(spec.sides)}
        for spec in pinned.tables.values()
    ]
    entries = [
        {
            "league": name,
            "name": entry,
            "content": each.sources,
            "built": each.output,
            "terms": text_of(each.terms),
            "author": each.author,
        }
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
        tables={row.name: value_of(TableSpec, row) for row in connection.execute(_of(name, TABLE))},
        contents={
            row.name: Content(row.content, row.built, row.terms, row.author)
            for row in connection.execute(_of(name, ENTRY))
        },
        rules=league.rules,
    )


def value_of(kind: type[_Value], row: Any, **others: object) -> _Value:
    """The value whose fields are columns of a row, and these others. The row may have more columns."""
    columns = {name: getattr(row, name) for name in kind.__struct_fields__ if name not in others}
    return kind(**columns, **others)


def _of(name: str, table: sql.Table) -> sql.Select[Any]:
    return sql.select(table).where(table.c.league == name)
