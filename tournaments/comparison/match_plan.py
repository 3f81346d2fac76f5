"""The matches of a comparison: the line-ups in which two bots are compared, and the order of the deals.

Without other bots the two meet each other, in all line-ups of `tournaments.schedule.seating`: one team against the
other where there are two fixed sides, each alone where all seats are one side, and mixed elsewhere. With other bots the
two never meet. Each of them plays with the same others in the same seats.

A verdict needs the deals in order. A match that was void is played again at the end of its wave, and until then its
deal is missing. So the first waves are short, and later ones become longer.
"""

from collections.abc import Iterator, Sequence

from tournaments.league.model import Seating, TableSpec
from tournaments.rating.sides import alone
from tournaments.schedule.formats.format import PlayedWaves
from tournaments.schedule.formats.issued_waves import IssuedLineUps
from tournaments.schedule.formats.wave import FIRST, LineUp, LineUps, Wave


def seating_of(sides: Sequence[Sequence[int]], seats: int) -> Seating:
    """How the two are seated at a table with these fixed sides. Two bots can hold two sides, but not more."""
    fixed = sorted(seat for side in sides for seat in side) == list(range(seats))
    return "teams" if fixed and len(sides) <= 2 else "copies"


class ComparedLineUps(IssuedLineUps):
    """The line-ups of two bots with the same others.

    Each bot holds one place, others hold the rest. A place is a side where there are several fixed sides, else a seat.
    The bot gets every place in turn. The others follow round the table in their order, from the beginning again if they
    are too few. Each of them comes first once. So all of them sit equally often.
    """

    def __init__(self, table: TableSpec, bots: tuple[str, str], others: Sequence[str]) -> None:
        """`others` are the names of the other bots; at least one."""
        super().__init__(tuple(_seated(table, bots, others)))


def _seated(table: TableSpec, bots: tuple[str, str], others: Sequence[str]) -> Iterator[LineUp]:
    places = table.sides if len(table.sides) > 1 else alone(table.seats)
    for first in range(len(others)):
        rest = [others[(first + at) % len(others)] for at in range(len(places) - 1)]
        for turn in range(len(places)):
            for bot in bots:
                circle = [bot, *rest]
                holder = {seat: circle[at - turn] for at, seats in enumerate(places) for seat in seats}
                entries = tuple(holder[seat] for seat in range(table.seats))
                yield LineUp(table.name, entries, first * len(places) + turn)


class GrowingWaves:
    """A `Format`: the same line-ups play the first 8 deals, then 16, 32 and so on, up to the last one."""

    def __init__(self, game: str, line_ups: LineUps, deals: range) -> None:
        self._game = game
        self._line_ups = line_ups
        self._deals = deals

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:  # noqa: ARG002 - results change nothing here
        """The wave with this number; None after the last deal."""
        start = FIRST * ((1 << number) - 1)
        deals = self._deals[start : start + (FIRST << number)]
        return Wave(self._game, self._line_ups, deals) if deals else None
