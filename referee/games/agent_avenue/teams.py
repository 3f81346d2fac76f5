"""Who sits with whom, whose turn comes when, and who answers for a side (AA-40 to AA-43)."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from referee.core.outcome import Seat, Side
from referee.games.agent_avenue.moves import Action, Answered, Event

A = TypeVar("A", bound=Action)


class LineUp(msgspec.Struct, frozen=True):
    """One way to sit down.

    Attributes:
        sides: side 0 lives at the first home, side 1 at the second.
        circle: the seats in the order of their turns, over and over (AA-40).
        partners: by seat, who else plays for its side; a seat alone is its own partner.
        discards: by seat, how many discards it has in a game (AA-04, AA-42).
    """

    sides: tuple[Side, Side]
    circle: tuple[Seat, ...]
    partners: tuple[Seat, ...]
    discards: tuple[int, ...]

    def drawing_order(self, up: Seat) -> tuple[Seat, ...]:
        """Who laid face up, who laid face down, then the other side by seat (AA-05, AA-41)."""
        return tuple(dict.fromkeys((up, self.partners[up], *range(len(self.partners)))))

    def turn(self, turn: int) -> Seat:
        """Whose turn it is, counted from 1, if side 0 began; if side 1 did, it is that of the next turn (AA-40)."""
        return self.circle[(turn - 1) % len(self.circle)]

    def alone(self, seat: Seat) -> bool:
        """Whether the seat has no partner (AA-45)."""
        return self.partners[seat] == seat


LINE_UPS = {  # AA-40
    "1v1": LineUp((Side("a", (0,)), Side("b", (1,))), circle=(0, 1), partners=(0, 1), discards=(4, 4)),
    "2v2": LineUp(
        (Side("a", (0, 2)), Side("b", (1, 3))), circle=(0, 1, 2, 3), partners=(2, 3, 0, 1), discards=(2, 2, 2, 2)
    ),
    "2v1": LineUp((Side("a", (0, 2)), Side("b", (1,))), circle=(0, 1, 2, 1), partners=(2, 1, 0), discards=(2, 4, 2)),
}

BY_SEATS = {len(line_up.partners): line_up for line_up in LINE_UPS.values()}
"""The line-ups by the number of their seats."""


def side_of(seat: Seat) -> int:
    """The number of the side that the seat plays for: even seats for side 0, odd ones for side 1 (AA-40)."""
    return seat % 2


def judged(choices: Mapping[Seat, A], captain: Seat) -> tuple[A, tuple[Event, ...]]:
    """What a side answers: what its captain does (AA-43). Of two answers both are told, by seat."""
    if len(choices) == 1:
        return choices[captain], ()
    return choices[captain], tuple(Answered(seat, choices[seat]) for seat in sorted(choices))
