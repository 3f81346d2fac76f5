"""A match as a viewer may see it."""

from typing import NamedTuple

import msgspec

from referee.core.outcome import Seat
from referee.match.transcript import Transcript
from tournaments.model import Fixture


class SeatSeen(msgspec.Struct, frozen=True):
    """A seat of a match.

    Attributes:
        seat: its number, from 0.
        bot: the name of the entry.
        author: whose bot it is; `organizer` for those of the league file.
        place: from 1; equal places are ties.
        score: its score; None in games without scores, and after a fault.
        side: the name of its side, where it was fixed before play or the deal is closed; else None.
        fault: the kind of fault, if this seat's fault cut the match short; else None.
    """

    seat: Seat
    bot: str
    author: str
    place: int
    score: int | None
    side: str | None
    fault: str | None


class SeatPart(msgspec.Struct, frozen=True):
    """What a closed deal adds about a seat.

    Attributes:
        seat: its number, from 0.
        decisions: how many decisions it was asked for.
        thinking_us: how long it thought in all, in microseconds.
        fault_decision: the number of the decision at which its fault happened, 0 before the first; None without one.
    """

    seat: Seat
    decisions: int
    thinking_us: int
    fault_decision: int | None


class ClosedSeen(msgspec.Struct, frozen=True):
    """What a closed deal adds to a match.

    Attributes:
        digest: that of the record.
        stored_ms: when it was stored, in milliseconds since 1970 (UTC).
        seats: by seat.
    """

    digest: str
    stored_ms: int
    seats: tuple[SeatPart, ...]


class SentenceSeen(msgspec.Struct, frozen=True):
    """Our sentence about a bot's fault or conduct.

    Attributes:
        seat: the seat.
        text: the sentence.
        stderr: the last lines that the bot wrote to stderr, as they came; empty while the deal is open.
    """

    seat: Seat
    text: str
    stderr: str = ""


class MatchSeen(msgspec.Struct, frozen=True):
    """A match.

    Attributes:
        match: the id of its fixture.
        table: the name of the table.
        deal: the number of the deal, from 0.
        rotation: which of the ways of seating its group this is, from 0.
        ending: how it ended; `fault` if a fault cut it short.
        seats: by seat.
        sentences: about the viewer's own bots. Of an open deal only those about the faults that cut the match short.
        closed: what a closed deal adds; None while it is open to this viewer.
    """

    match: str
    table: str
    deal: int
    rotation: int
    ending: str
    seats: tuple[SeatSeen, ...]
    sentences: tuple[SentenceSeen, ...]
    closed: ClosedSeen | None


class StoredSeat(NamedTuple):
    """What the store says of a seat of a match, beside the transcript."""

    entry: str
    place: int
    fault: str | None
    decisions: int
    thinking_us: int


class StoredMatch(NamedTuple):
    """What the store says of a match, beside the transcript. `transcript` is there if somebody read it."""

    fixture: Fixture
    ending: str
    digest: str
    stored_ms: int
    seats: tuple[StoredSeat, ...]
    transcript: Transcript | None = None
