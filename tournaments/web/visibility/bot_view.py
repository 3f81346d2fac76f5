"""A bot as a viewer may see it, with its losses, and its faults by their causes."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from referee.match.transcript import FaultKind, Remark
from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.results.bot_losses import BotFault, BotLosses
from tournaments.results.standings import StandingView
from tournaments.web.visibility.match_view import FAULT_SENTENCES
from tournaments.web.visibility.table_views import TableStamp


class FaultCause(msgspec.Struct, frozen=True):
    """Faults of one kind with the same cause.

    Attributes:
        kind: the kind of fault.
        rule: what a bot of this kind did, in a sentence.
        text: the last line of the traceback, or else the referee's sentence; empty for viewers other than the author
            of the bot and the organizer.
        faults: the faults, the latest first.
    """

    kind: str
    rule: str
    text: str
    faults: tuple[BotFault, ...]


class LossesView(msgspec.Struct, frozen=True):
    """The losses of a bot.

    Attributes:
        of: the moment.
        bot: its entry name.
        losses: its losses.
        causes: its latest faults on closed deals by cause, the most frequent first.
    """

    of: TableStamp
    bot: str
    losses: BotLosses
    causes: tuple[FaultCause, ...]


def fault_causes(faults: Sequence[BotFault], remarks: Mapping[BotFault, Remark]) -> tuple[FaultCause, ...]:
    """The faults by cause. Lines that differ only in numbers are one cause.

    Args:
        faults: the faults.
        remarks: the remarks on them that the viewer may read.
    """
    found: dict[tuple[str, str], list[BotFault]] = {}
    texts = {fault: _line(remarks.get(fault)) for fault in faults}
    for fault, text in texts.items():
        found.setdefault((fault.kind, re.sub(r"\d+", "0", text)), []).append(fault)
    causes = (
        FaultCause(kind, FAULT_SENTENCES[FaultKind(kind)], texts[each[0]], tuple(each))
        for (kind, _), each in found.items()
    )
    return tuple(sorted(causes, key=lambda cause: -len(cause.faults)))


def _line(remark: Remark | None) -> str:
    if remark is None:
        return ""
    lines = [line.strip() for line in remark.stderr.splitlines() if line.strip()]
    is_traceback = any(line.startswith("Traceback ") for line in lines)
    return lines[-1] if is_traceback else remark.text


Membership: TypeAlias = Literal["plays", "suspended", "withdrawn"]
"""Whether a bot plays in a league."""


class OpponentView(msgspec.Struct, frozen=True):
    """The results of a bot against another.

    Attributes:
        bot: the other bot.
        matches: how often they met.
        score: the mean score against it.
        expected: the mean score that the ratings expect.
    """

    bot: str
    matches: int
    score: float
    expected: float


class ResultsView(msgspec.Struct, frozen=True):
    """The results of a bot.

    Attributes:
        of: the moment.
        standing: its line in the table.
        seats: its results in each seat.
        sides: its results on each side, where sides differ. Dealt sides count only closed deals.
        faults: how many matches its fault cut short, by kind.
        best: the bots against which it most exceeded its expected score, the best first.
        worst: the bots against which it fell furthest below its expected score, the worst first.
    """

    of: TableStamp
    standing: StandingView
    seats: tuple[SeatRecord, ...]
    sides: tuple[SideRecord, ...]
    faults: dict[str, int]
    best: tuple[OpponentView, ...]
    worst: tuple[OpponentView, ...]


class EntryView(msgspec.Struct, frozen=True):
    """A bot that is or was in the league.

    Attributes:
        bot: its entry name.
        author: the name of its author; `organizer` for bots of the league file.
        membership: whether it plays.
        remote: whether it runs elsewhere.
    """

    bot: str
    author: str
    membership: Membership
    remote: bool


class BotView(EntryView, frozen=True):
    """A bot, and how it did.

    Attributes:
        versions: all entries of the same name, this one among them, the oldest first.
        source: the digest of its files; None for remote bots, and for viewers other than its author and the organizer.
        results: its results; None before the first refresh, and if it is in no table.
    """

    versions: tuple[str, ...]
    source: str | None
    results: ResultsView | None
