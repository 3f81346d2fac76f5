"""Which seats are partners, in which order they have turns, and which seat answers for a side (AA-40 to AA-43)."""

from collections.abc import Mapping

import msgspec

from referee.core.outcome import Seat, Side
from referee.games.agent_avenue.moves import Action, Answered, Event
from referee.games.agent_avenue.pieces import DISCARDS_ALONE, DISCARDS_IN_A_TEAM


class LineUp(msgspec.Struct, frozen=True):
    """One way to seat the players.

    Attributes:
        sides: side 0 lives at the first home, side 1 at the second.
        circle: the seats in the order of their turns, which repeats (AA-40).
        partners: by seat, the other seat of its side; a seat alone is its own partner.
    """

    sides: tuple[Side, Side]
    circle: tuple[Seat, ...]
    partners: tuple[Seat, ...]

    def drawing_order(self, up: Seat) -> tuple[Seat, ...]:
        """The seat that laid face up, the seat that laid face down, then the other side by seat (AA-05, AA-41)."""
        return tuple(dict.fromkeys((up, self.partners[up], *range(len(self.partners)))))

    def turn(self, turn: int) -> Seat:
        """The seat whose turn it is, counted from 1, if side 0 began. If side 1 began, use the next turn (AA-40)."""
        return self.circle[(turn - 1) % len(self.circle)]

    def alone(self, seat: Seat) -> bool:
        """Whether the seat has no partner (AA-45)."""
        return self.partners[seat] == seat


LINE_UPS = {  # AA-40
    "1v1": LineUp((Side("a", (0,)), Side("b", (1,))), circle=(0, 1), partners=(0, 1)),
    "2v2": LineUp((Side("a", (0, 2)), Side("b", (1, 3))), circle=(0, 1, 2, 3), partners=(2, 3, 0, 1)),
    "2v1": LineUp((Side("a", (0, 2)), Side("b", (1,))), circle=(0, 1, 2, 1), partners=(2, 1, 0)),
}

ALLOWED_DISCARDS = {
    name: tuple(DISCARDS_ALONE if line_up.alone(seat) else DISCARDS_IN_A_TEAM for seat in range(len(line_up.partners)))
    for name, line_up in LINE_UPS.items()
}
"""By line-up and seat, how many discards a seat has in a game (AA-04, AA-42)."""

BY_SEATS = {len(line_up.partners): name for name, line_up in LINE_UPS.items()}
"""The names of the line-ups by the number of their seats."""


def side_of(seat: Seat) -> int:
    """The number of the side that the seat plays for: even seats for side 0, odd ones for side 1 (AA-40)."""
    return seat % 2


def answers(choices: Mapping[Seat, Action]) -> tuple[Event, ...]:
    """The events that tell teammates each other's answers, by seat (AA-43)."""
    return tuple(Answered(seat, choices[seat]) for seat in sorted(choices))
