"""The losses of a bot as a viewer may see them, and its faults by their causes."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from referee.match.transcript import FaultKind, Remark
from tournaments.results.bot_losses import BotFault, BotLosses
from tournaments.web.visibility.match_view import FAULT_SENTENCES
from tournaments.web.visibility.table_views import TableMoment


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

    of: TableMoment
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
