"""The transcript of a match: the inputs, from which the program can recompute everything else.

A transcript has two parts. The record has the played match. It is the same whenever the same match is played again,
and the digest is its hash. The metadata has the thinking times and the remarks on faults: these differ from run to run
and are not part of the digest.
"""

from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Any

import msgspec

from referee.core.bot_limits import Sandbox
from referee.core.outcome import Outcome, Seat
from referee.match.terms import USUAL, Clock, EntryTerms


class FaultKind(StrEnum):
    """The kinds of faults of a bot."""

    TIMEOUT = "timeout"
    CRASH = "crash"
    ILLEGAL = "illegal"
    PROTOCOL = "protocol"
    NO_START = "no start"
    UNAVAILABLE = "unavailable"


class Header(msgspec.Struct, frozen=True):
    """Everything that is settled before a match begins.

    Attributes:
        game: the name of the game.
        rules_version: that of the game.
        options: the game's options as plain values, defaults included.
        fixture: the id of the fixture that this match settles.
        deal_seed: 32 bytes in hex, the root of all luck.
        match_id: 8 bytes in hex, the id that the bots are given for this match.
        bot_seeds: by seat, 16 bytes in hex.
        entries: by seat, the names of the bots (`name@version`).
    """

    game: str
    rules_version: int
    options: dict[str, Any]
    fixture: str
    deal_seed: str
    match_id: str
    bot_seeds: tuple[str, ...]
    entries: tuple[str, ...]


class Draw(msgspec.Struct, frozen=True, array_like=True):
    """One move of luck."""

    label: str
    drawn: tuple[int, ...]


class Choice(msgspec.Struct, frozen=True, array_like=True):
    """Which of its legal actions a seat chose."""

    seat: Seat
    index: int


class FaultMark(msgspec.Struct, frozen=True, gc=False):
    """The seat that cut the match short, at which of its decisions (0: before the first), and by what kind of fault."""

    seat: Seat
    decision: int
    kind: FaultKind


class Record(msgspec.Struct, frozen=True):
    """The hashed part of a transcript: inputs and outcome, in the order they happened."""

    header: Header
    luck: tuple[Draw, ...]
    choices: tuple[Choice, ...]
    faults: tuple[FaultMark, ...]
    outcome: Outcome

    def canonical(self) -> bytes:
        """The JSON from which the digest is computed: fields in the order above, keys of options sorted, no spaces."""
        return msgspec.json.encode(self, order="deterministic")


class Remark(msgspec.Struct, frozen=True):
    """A remark for people on a seat's conduct.

    Attributes:
        seat: the seat.
        decision: the decision at which the fault happened; None for a fault after the seat's last decision, which cost
            it nothing.
        text: one sentence.
        stderr: the last lines that the bot wrote to stderr, if any.
    """

    seat: Seat
    decision: int | None
    text: str
    stderr: str = ""


class Spent(msgspec.Struct, frozen=True, array_like=True):
    """The time that one decision took, in microseconds, from asking to the answer or to the fault."""

    seat: Seat
    us: int


class Note(msgspec.Struct, frozen=True):
    """Words of a bot about one of its decisions, in its own words; they are never part of the record.

    Attributes:
        text: what the bot said, unescaped.
        tries: how many answers the bot asked for.
        tokens: how many tokens of a language model the decision took.
    """

    text: str = ""
    tries: int = 0
    tokens: int = 0


class DecisionNote(msgspec.Struct, frozen=True):
    """The note of a seat about its decision with this number."""

    seat: Seat
    decision: int
    note: Note


class Metadata(msgspec.Struct, frozen=True):
    """The part of a transcript that is not hashed.

    Attributes:
        clock: the clock of the seats that had none of their own.
        spent: the time of every decision that was asked, in the order of asking.
        remarks: the remarks on faults and other misconduct.
        bots: the folder or address of each bot by seat, for `rerun`.
        sandbox: what the bots in folders ran in; None: no bot was in a folder, or the match is older than sandboxes.
        terms: by seat, the terms of each bot's entry. It is left out if no bot had terms of its own, so that such
            transcripts are as they always were.
        notes: the notes of bots, in the order of asking. It is left out if there are none.
        processor_us: by seat, the processor time of the bot's process in its own turns, in microseconds; None: it runs
            elsewhere. It is left out if nothing was measured.
    """

    clock: Clock
    spent: tuple[Spent, ...]
    remarks: tuple[Remark, ...] = ()
    bots: tuple[str, ...] = ()
    sandbox: Sandbox | None = None
    terms: tuple[EntryTerms, ...] | msgspec.UnsetType = msgspec.UNSET
    notes: tuple[DecisionNote, ...] | msgspec.UnsetType = msgspec.UNSET
    processor_us: tuple[Annotated[int, msgspec.Meta(ge=0, le=1 << 53)] | None, ...] | msgspec.UnsetType = msgspec.UNSET


class Transcript(msgspec.Struct, frozen=True):
    """A whole match."""

    record: Record
    metadata: Metadata

    @property
    def terms(self) -> tuple[EntryTerms, ...]:
        """By seat, the terms of its bot's entry."""
        if self.metadata.terms is msgspec.UNSET:
            return (USUAL,) * len(self.record.header.entries)
        return self.metadata.terms

    @property
    def notes(self) -> tuple[DecisionNote, ...]:
        """The notes of bots, in the order of asking."""
        return () if self.metadata.notes is msgspec.UNSET else self.metadata.notes

    @property
    def strange_seats(self) -> set[Seat]:
        """The seats that the metadata speaks of and the match does not have. Only files of others have any."""
        parts: Iterable[Spent | Remark | DecisionNote] = (*self.metadata.spent, *self.metadata.remarks, *self.notes)
        return {part.seat for part in parts} - {*range(len(self.record.header.entries))}

    @property
    def tries(self) -> tuple[int, ...]:
        """How many answers each seat asked for in all, by seat, as its notes say."""
        seats = range(len(self.record.header.entries))
        return tuple(sum(each.note.tries for each in self.notes if each.seat == seat) for seat in seats)

    @property
    def tokens(self) -> tuple[int, ...]:
        """How many tokens each seat used in all, by seat, as its notes say."""
        seats = range(len(self.record.header.entries))
        return tuple(sum(each.note.tokens for each in self.notes if each.seat == seat) for seat in seats)

    @property
    def processor_us(self) -> tuple[int | None, ...]:
        """The processor time of each seat in its own turns, in microseconds, by seat; None where it is not known."""
        return self.metadata.processor_us or (None,) * len(self.record.header.entries)

    @property
    def decisions(self) -> tuple[int, ...]:
        """How many decisions each seat was asked for, by seat."""
        seats = [spent.seat for spent in self.metadata.spent]
        return tuple(seats.count(seat) for seat in range(len(self.record.header.entries)))

    @property
    def thinking_us(self) -> tuple[int, ...]:
        """How long each seat thought in all, in microseconds, by seat."""
        seats = range(len(self.record.header.entries))
        return tuple(sum(spent.us for spent in self.metadata.spent if spent.seat == seat) for seat in seats)

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of the canonical record."""
        return digest_of(self.record.canonical())


def digest_of(canonical_record: bytes) -> str:
    """The digest of a match, from the bytes of its canonical record."""
    return sha256(canonical_record).hexdigest()


class _File(msgspec.Struct, frozen=True, rename={"metadata": "aside"}):
    digest: str
    record: Record
    metadata: Metadata


def to_file(transcript: Transcript) -> bytes:
    """The transcript as an indented JSON document with its digest."""
    whole = _File(transcript.digest, transcript.record, transcript.metadata)
    return msgspec.json.format(msgspec.json.encode(whole, order="deterministic")) + b"\n"


def from_file(content: bytes) -> tuple[Transcript, str]:
    """The transcript in a document that `to_file` wrote, and the digest it claims.

    Raises:
        msgspec.DecodeError, UnicodeDecodeError, RecursionError: it is not such a document.
    """
    whole = msgspec.json.decode(content, type=_File)
    return Transcript(whole.record, whole.metadata), whole.digest
