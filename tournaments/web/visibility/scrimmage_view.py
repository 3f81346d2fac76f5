"""A scrimmage as its author sees it; nobody else does. Its matches show no more than the author's own seats knew."""

import msgspec

from referee.core.outcome import Seat
from tournaments.league.admission.scrimmages import Scrimmage, Stage
from tournaments.web.visibility.match_view import SentenceView


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
    return ScrimmageView(
        number=scrimmage.number,
        bot=scrimmage.bot,
        against=scrimmage.against,
        table=scrimmage.table,
        deals=scrimmage.deals,
        stage=scrimmage.stage,
        reason=scrimmage.reason,
        asked_ms=scrimmage.asked_ms,
        changed_ms=scrimmage.changed_ms,
        matches=matches,
        match=scrimmage.match,
    )
