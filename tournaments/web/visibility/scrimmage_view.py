"""A scrimmage as its author sees it, and nobody else. Of the matches no more than the author's own seats knew."""

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
        thinking_us: how long it thought in all, in microseconds; None of other bots.
    """

    seat: Seat
    bot: str
    place: int
    score: int | None
    fault: str | None
    thinking_us: int | None


class ScrimmageMatch(msgspec.Struct, frozen=True):
    """A match of a scrimmage.

    Attributes:
        match: the id of its fixture, in the scrimmage.
        ending: how it ended; `fault` if a fault cut it short.
        seats: by seat.
        sentences: about the own bot's conduct, with what it wrote to stderr last.
    """

    match: str
    ending: str
    seats: tuple[ScrimmageSeat, ...]
    sentences: tuple[SentenceView, ...]


class ScrimmageView(msgspec.Struct, frozen=True):
    """A scrimmage.

    Attributes:
        number: counted from 1 in the store.
        bot: the own bot.
        against: who else played.
        table: the name of the table.
        deals: how many deals.
        stage: how it stands.
        reason: why it failed; else empty.
        asked_ms: when it was asked for, in milliseconds since 1970 (UTC).
        changed_ms: when it got to its stage.
        matches: what was played, as far as it is kept; empty in lists.
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
    )
