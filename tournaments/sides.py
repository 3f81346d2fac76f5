"""The sides of matches: who was with whom, and how often each side won."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from referee.core.outcome import Outcome, Seat
from tournaments.model import Fixture, Played


class SideRecord(msgspec.Struct, frozen=True):
    """What a side did, whoever sat there, in the matches that no fault cut short.

    Attributes:
        table: where.
        side: its name.
        matches: in which there was such a side.
        wins: of them; a match in which all were equal is nobody's.
        share: wins / matches.
    """

    table: str
    side: str
    matches: int
    wins: int
    share: float


def teams(outcome: Outcome) -> tuple[tuple[Seat, ...], ...]:
    """Whose seats won or lost together: those of each side, or each seat alone where there are no sides."""
    return tuple(side.seats for side in outcome.sides) or alone(len(outcome.places))


def alone(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Every seat for itself."""
    return tuple((seat,) for seat in range(seats))


def unequal(sides: Sequence[Sequence[Seat]]) -> bool:
    """Whether one side has more seats than another, and so chances of its own."""
    return len(set(map(len, sides))) > 1


def together(outcome: Outcome) -> bool:
    """Whether all seats were one side, against nobody but the game."""
    return len(outcome.sides) == 1


def result(outcome: Outcome, seat: Seat) -> str:
    """`draw` if all were equal and some might have won, else `win` for the first and `loss` for all others."""
    if len(set(outcome.places)) == 1 and not together(outcome):
        return "draw"
    return "win" if outcome.places[seat] == 1 else "loss"


def side_records(matches: Iterable[tuple[Fixture, Played]]) -> tuple[SideRecord, ...]:
    """The sides of all matches with unequal sides, by table and name."""
    played: Counter[tuple[str, str]] = Counter()
    won: Counter[tuple[str, str]] = Counter()
    for fixture, match in matches:
        if match.faults or not unequal(teams(match.outcome)):
            continue
        for side in match.outcome.sides:
            key = (fixture.table, side.name)
            played[key] += 1
            won[key] += result(match.outcome, side.seats[0]) == "win"
    return tuple(
        SideRecord(table, side, count, won[table, side], won[table, side] / count)
        for (table, side), count in sorted(played.items())
    )
