"""The sides of matches: which seats play together, and how they fared."""

from typing import Literal, TypeAlias

from referee.core.outcome import Outcome, Seat
from tournaments.league.model import League, TableSpec

Result: TypeAlias = Literal["win", "draw", "loss"]


def teams(outcome: Outcome) -> tuple[tuple[Seat, ...], ...]:
    """The seats that won or lost together: those of each side, or each seat alone where there are no sides."""
    return tuple(side.seats for side in outcome.sides) or alone(len(outcome.places))


def alone(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Each seat as a team of its own."""
    return tuple((seat,) for seat in range(seats))


def uneven(table: TableSpec, outcome: Outcome) -> bool:
    """Whether one side of a match can have better chances than another, with equal bots on both.

    It can if the sides differ in size. It also can if the sides were dealt, as they then differ in their roles.
    """
    dealt = bool(outcome.sides) and not table.sides
    return dealt or len({len(side.seats) for side in outcome.sides}) > 1


def together(outcome: Outcome) -> bool:
    """Whether all seats were one side and played against the game."""
    return len(outcome.sides) == 1


def versus(league: League) -> bool:
    """Whether bots play against each other at any table, and not only against the game."""
    return any(len(table.sides) != 1 for table in league.tables)


def result(outcome: Outcome, seat: Seat) -> Result:
    """`win`, `draw` or `loss`: a draw if all places are equal, unless all seats were one side; place 1 wins."""
    if len(set(outcome.places)) == 1 and not together(outcome):
        return "draw"
    return "win" if outcome.places[seat] == 1 else "loss"


def points(place: int, other: int) -> float:
    """The points of a side at one place against a side at another: 1 if it came before, 1/2 for a tie."""
    return 0.5 if place == other else float(place < other)
