"""The rows of a store as values, and values as rows."""

from typing import Any, NamedTuple, TypeAlias

import msgspec

from referee.core.outcome import Outcome
from referee.match.transcript import FaultMark, Metadata, Record, Transcript
from tournaments.league.model import FinishedMatch, TableSpec
from tournaments.store.address import StoreError
from tournaments.store.pinned_league import Content
from tournaments.store.transcript_packing import MOST, PLAIN, NumberedDictionary

Row: TypeAlias = dict[str, Any]
"""Values by column."""


class _Names(msgspec.Struct, frozen=True, gc=False):
    entries: tuple[str, ...]


class ResultRow(msgspec.Struct, frozen=True, gc=False):
    """The part of a record that is needed for standings; the rest is not decoded."""

    header: _Names
    faults: tuple[FaultMark, ...]
    outcome: Outcome


class StoredFixture(NamedTuple):
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
_aside = msgspec.json.Decoder(Metadata)


def result_of(fixture: str, record: bytes, seats: int | None = None) -> ResultRow:
    """The result in a stored record, as standings need it.

    Args:
        fixture: the id of its fixture.
        record: the canonical record.
        seats: how many seats of the match are stored; None: they are not known yet.

    Raises:
        StoreError: it is damaged, or of another number of seats.
    """
    try:
        found = _result.decode(record)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"the record of {fixture} is damaged: {error}") from error
    places = len(found.outcome.places)
    if not len(found.header.entries) == places == (places if seats is None else seats):
        raise StoreError(f"the match {fixture} is damaged: its record and its seats differ in their number")
    return found


def transcript_of(fixture: str, record: bytes, aside: bytes) -> Transcript:
    """The transcript of a fixture, from the JSON of its two parts.

    Raises:
        StoreError: it is damaged.
    """
    try:
        return Transcript(_record.decode(record), _aside.decode(aside))
    except (ValueError, RecursionError) as error:
        raise StoreError(f"the transcript of {fixture} is damaged: {error}") from error


def aside_of(fixture: str, aside: bytes) -> Metadata:
    """The aside of a fixture, from its JSON.

    Raises:
        StoreError: it is damaged.
    """
    try:
        return _aside.decode(aside)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"the transcript of {fixture} is damaged: {error}") from error


def table_of(row: Any) -> TableSpec:
    """A table as it is pinned."""
    return TableSpec(row.name, row.seats, row.options, row.seating, row.sides, row.luck, row.deals_sides)


def content_of(row: Any) -> Content:
    """The content of an entry when it was pinned."""
    return Content(row.content, row.built, row.terms)


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
        }
        for seat, entry in enumerate(result.header.entries)
    ]


def bytes_of(match: FinishedMatch, dictionary: NumberedDictionary | None) -> Row:
    """The row of a match's transcript, without league and fixture, packed if there is a dictionary."""
    if dictionary is None or max(len(match.record), len(match.aside)) > MOST:
        return {"record": match.record, "aside": match.aside, "dictionary": PLAIN}
    pack = dictionary.packing.pack
    return {"record": pack(match.record), "aside": pack(match.aside), "dictionary": dictionary.number}


def text_of(value: object) -> str:
    """A value as JSON, always in the same order."""
    return msgspec.json.encode(value, order="sorted").decode()
