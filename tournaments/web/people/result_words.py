"""The result of a match in words, for one seat. Pure."""

from collections.abc import Sequence

from referee.core.outcome import FAULT, Seat
from referee.drawing.drawer import AnyDrawer, ending_text
from referee.match.transcript import FaultKind
from tournaments.web.people.protocol import SeatEnd

_FAULTS = {
    FaultKind.TIMEOUT: "the time of {} ran out",
    FaultKind.CRASH: "{} crashed",
    FaultKind.ILLEGAL: "{} chose something impossible",
    FaultKind.PROTOCOL: "{} broke the protocol",
    FaultKind.NO_START: "{} did not start",
    FaultKind.UNAVAILABLE: "{} was unavailable",
}
"""By kind of fault, what happened to a player."""


def result(end: SeatEnd, seat: Seat, names: Sequence[str], drawer: AnyDrawer, *, one_side: bool) -> str:
    """The result and the reason, such as "You lost: your time ran out". `names` are by seat."""
    scores = "" if end.scores is None else f" {_score(end.scores, seat, one_side=one_side)}."
    return f"{_standing(end.places, seat, one_side=one_side)}: {_reason(end, seat, names, drawer)}.{scores}"


def _standing(places: Sequence[int], seat: Seat, *, one_side: bool) -> str:
    won, kinds = places[seat] == 1, len(set(places))
    if one_side:
        return "You won together" if won else "You lost together"
    if kinds == 1:
        return "Nobody won"
    if won or kinds == 2:
        return "You won" if won else "You lost"
    return f"You came in at place {places[seat]} of {len(places)}"


def _reason(end: SeatEnd, seat: Seat, names: Sequence[str], drawer: AnyDrawer) -> str:
    if end.ending == FAULT:
        return " and ".join(_fault(kind, at, names, own=at == seat) for at, kind in end.faults)
    return ending_text(drawer, end.ending)


def _fault(kind: FaultKind, seat: Seat, names: Sequence[str], *, own: bool) -> str:
    # The mailbox of a person refuses every wrong answer, so only the clock costs a person a match.
    return "your time ran out" if own else _FAULTS[kind].format(names[seat])


def _score(scores: Sequence[int | float], seat: Seat, *, one_side: bool) -> str:
    return f"{'Your score together' if one_side else 'Your score'}: {scores[seat]}"
