"""A match as a viewer may see it, and a scrimmage as its author sees it; nobody else does.

The matches of a scrimmage show no more than the author's own seats knew.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import msgspec
from msgspec.structs import asdict

from referee.core.outcome import Seat
from referee.match.transcript import FaultKind, Metadata, Remark, Transcript
from tournaments.league.model import Fixture, StoredMatch
from tournaments.league.scrimmages import Scrimmage, Stage
from tournaments.rating.sides import is_left_out
from tournaments.web.visibility.permissions import Permissions

FAULT_SENTENCES: Mapping[FaultKind, str] = MappingProxyType(
    {
        FaultKind.TIMEOUT: "The bot did not answer in time.",
        FaultKind.CRASH: "The bot's program ended, or closed its connection, before the match was over.",
        FaultKind.ILLEGAL: "The bot made a choice that it did not have.",
        FaultKind.PROTOCOL: "The bot sent something that the protocol does not allow.",
        FaultKind.UNAVAILABLE: "The bot said that something it needs does not work.",
        FaultKind.NO_START: "The bot was not ready in time, or its program ended before it was ready.",
    }
)
"""What an author reads of a fault in an open match. A bot can choose no word and no number of it."""


class MatchSeatView(msgspec.Struct, frozen=True):
    """A seat of a match.

    Attributes:
        seat: its number, from 0.
        bot: the name of the entry.
        author: the author of the bot; `organizer` for bots of the league file.
        place: from 1; equal places are ties. None while the result is not told.
        score: its score; None in games without scores, after a fault, and while the result is not told.
        side: the name of its side, if it was fixed before play or the deal is closed; else None.
        fault: the kind of fault, if this seat's fault cut the match short and the result is told; else None.
    """

    seat: Seat
    bot: str
    author: str
    place: int | None
    score: int | float | None
    side: str | None
    fault: str | None


class SeatPart(msgspec.Struct, frozen=True):
    """The data of a seat that only a closed deal shows.

    Attributes:
        seat: its number, from 0.
        decisions: how many decisions it had.
        thinking_us: its total thinking time, in microseconds.
        fault_decision: the number of the decision at which its fault happened, 0 before the first; None without one.
    """

    seat: Seat
    decisions: int
    thinking_us: int
    fault_decision: int | None


class ClosedMatchView(msgspec.Struct, frozen=True):
    """The data of a match that only a closed deal shows.

    Attributes:
        digest: the digest of the record.
        stored_ms: when it was stored, in milliseconds since 1970 (UTC).
        seats: by seat.
    """

    digest: str
    stored_ms: int
    seats: tuple[SeatPart, ...]


class SentenceView(msgspec.Struct, frozen=True):
    """Our sentence about a bot's fault or conduct.

    Attributes:
        seat: the seat.
        text: the sentence; while the deal is open, one of `FAULT_SENTENCES`.
        stderr: the last lines that the bot wrote to stderr, unescaped; empty while the deal is open.
    """

    seat: Seat
    text: str
    stderr: str = ""


class MatchView(msgspec.Struct, frozen=True):
    """A match.

    Attributes:
        match: the id of its fixture.
        table: the name of the table.
        deal: the number of the deal, from 0.
        rotation: the number of the seating of its group, from 0.
        ending: its ending; `fault` if a fault cut it short. None while the result is not told: the sides are dealt,
            and the deal is open to this viewer.
        seats: by seat.
        sentences: sentences about the viewer's own bots. An open deal shows only the faults that cut the match short.
        closed: the data of a closed deal; None while the deal is open to this viewer.
        same_author: whether it counts for no rating, because entries of one author are opposed. False as long as the
            viewer may not know how it ended.
    """

    match: str
    table: str
    deal: int
    rotation: int
    ending: str | None
    seats: tuple[MatchSeatView, ...]
    sentences: tuple[SentenceView, ...]
    closed: ClosedMatchView | None
    same_author: bool = False


def match_seen(fixture: Fixture, played: StoredMatch, remarks: Sequence[Remark], permissions: Permissions) -> MatchView:
    """A match as a viewer may see it.

    Args:
        fixture: its fixture.
        played: its result.
        remarks: the remarks on its seats. They may be left out if none of its bots is the viewer's own, or if the deal
            is open to the viewer.
        permissions: the viewer.
    """
    return MatchView(
        match=fixture.id,
        table=fixture.table,
        deal=fixture.deal,
        rotation=fixture.rotation,
        ending=played.outcome.ending if permissions.sees_result(fixture) else None,
        seats=tuple(_seats(fixture, played, permissions)),
        sentences=tuple(_sentences(fixture, played, remarks, permissions)),
        closed=_closed(played) if permissions.sees(fixture) else None,
        same_author=permissions.sees_result(fixture)
        and is_left_out(played.outcome, fixture.entries, permissions.rated_authors),
    )


def _seats(fixture: Fixture, played: StoredMatch, permissions: Permissions) -> Iterator[MatchSeatView]:
    if not permissions.sees_result(fixture):
        for seat, bot in enumerate(fixture.entries):
            yield MatchSeatView(seat, bot, permissions.author(bot), None, None, None, None)
        return
    outcome, faults = played.outcome, {fault.seat: fault.kind.value for fault in played.faults}
    # A dealt side is a part of the luck.
    may_see_sides = permissions.sees(fixture) or fixture.table in permissions.fixed
    sides = {seat: side.name for side in outcome.sides for seat in side.seats} if may_see_sides else {}
    for seat, bot in enumerate(fixture.entries):
        yield MatchSeatView(
            seat=seat,
            bot=bot,
            author=permissions.author(bot),
            place=outcome.places[seat],
            score=None if outcome.scores is None else outcome.scores[seat],
            side=sides.get(seat),
            fault=faults.get(seat),
        )


def _sentences(
    fixture: Fixture, played: StoredMatch, remarks: Sequence[Remark], permissions: Permissions
) -> Iterator[SentenceView]:
    if permissions.sees(fixture):
        own = (remark for remark in remarks if permissions.owns(fixture.entries[remark.seat]))
        yield from (SentenceView(remark.seat, remark.text, remark.stderr) for remark in own)
    elif permissions.sees_result(fixture):
        failed = (fault for fault in played.faults if permissions.owns(fixture.entries[fault.seat]))
        yield from (SentenceView(fault.seat, FAULT_SENTENCES[fault.kind]) for fault in failed)


def _closed(played: StoredMatch) -> ClosedMatchView:
    failed = {fault.seat: fault.decision for fault in played.faults}
    seats = enumerate(zip(played.decisions, played.thinking_us, strict=True))
    parts = (SeatPart(seat, decisions, us, failed.get(seat)) for seat, (decisions, us) in seats)
    return ClosedMatchView(played.digest, played.stored_ms, tuple(parts))


def transcript_seen(transcript: Transcript, permissions: Permissions) -> Transcript:
    """The transcript of a match, for a viewer who may see the whole match.

    It leaves out the folders and settings of bots, and the remarks about bots of others. It has the notes of all bots,
    which send them for everybody who may see the match.
    """
    record, metadata = transcript.record, transcript.metadata
    own = tuple(remark for remark in metadata.remarks if permissions.owns(record.header.entries[remark.seat]))
    visible = Metadata(metadata.clock, metadata.spent, own, notes=metadata.notes, processor_us=metadata.processor_us)
    return Transcript(record, visible)


class ScrimmageSeat(msgspec.Struct, frozen=True):
    """A seat of a match.

    Attributes:
        seat: its number, from 0.
        bot: the name of the entry.
        place: from 1; equal places are ties.
        score: its score; None in games without scores, and after a fault.
        fault: the kind of fault, if this seat's fault cut the match short; else None.
        thinking_us: its total thinking time, in microseconds; None for bots of others.
    """

    seat: Seat
    bot: str
    place: int
    score: int | float | None
    fault: str | None
    thinking_us: int | None


class ScrimmageMatch(msgspec.Struct, frozen=True):
    """A match of a scrimmage.

    Attributes:
        match: the id of its fixture, in the scrimmage.
        ending: its ending; `fault` if a fault cut it short.
        seats: by seat.
        sentences: sentences about the conduct of the author's own bot, with the last lines that it wrote to stderr.
    """

    match: str
    ending: str
    seats: tuple[ScrimmageSeat, ...]
    sentences: tuple[SentenceView, ...]


class ScrimmageView(msgspec.Struct, frozen=True):
    """A scrimmage.

    Attributes:
        number: counted from 1 in the store.
        bot: the author's own bot.
        against: the other bots.
        table: the name of the table.
        deals: the number of deals.
        match: the id of the match on whose deal it is played; empty: on new deals.
        stage: its stage.
        reason: the reason if it failed; else empty.
        asked_ms: when the author requested it, in milliseconds since 1970 (UTC).
        changed_ms: when it reached its stage.
        matches: its stored matches; empty in lists.
    """

    number: int
    bot: str
    against: tuple[str, ...]
    table: str
    deals: int
    stage: Stage
    reason: str
    asked_ms: int
    changed_ms: int
    matches: tuple[ScrimmageMatch, ...]
    match: str = ""


def scrimmage_seen(scrimmage: Scrimmage, matches: tuple[ScrimmageMatch, ...] = ()) -> ScrimmageView:
    """A scrimmage with its matches."""
    return msgspec.convert({**asdict(scrimmage), "matches": matches}, ScrimmageView)
