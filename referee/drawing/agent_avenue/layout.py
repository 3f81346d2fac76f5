"""Where things lie in a picture, in units. Side 1 sits above the loop and side 0 below it; hands lie outermost."""

from functools import cache
from typing import NamedTuple

from referee.core.outcome import Seat
from referee.drawing.drawer import Size
from referee.drawing.tokens import WIDTH

MARGIN = 8
CHIP_WIDTH, CHIP_HEIGHT = 110, 28
PITCH = 32
"""From one row of chips to the next."""
IN_A_ROW = 4
HEADER = 28
SEAT_HEIGHT = HEADER + PITCH + 24
LOOP_HEIGHT = 320


class Layout(NamedTuple):
    """The upper edges of all parts.

    Attributes:
        size: of the picture.
        loop: of the loop.
        sides: by side, of what lies open in front of it.
        seats: by seat, of what the player holds.
        ongoing: how far below the edge of a side its ongoing cards begin.
    """

    size: Size
    loop: int
    sides: tuple[int, int]
    seats: tuple[int, ...]
    ongoing: int


@cache
def layout(seats: int, *, market: bool) -> Layout:
    """The layout for so many players, with or without a market."""
    ongoing = HEADER + 2 * PITCH
    side_height = ongoing + (2 * PITCH if market else 0) + 4
    above, below = ([seat for seat in range(seats) if seat % 2 == side] for side in (1, 0))
    edges: dict[Seat, int] = {seat: MARGIN + row * SEAT_HEIGHT for row, seat in enumerate(above)}
    side_1 = MARGIN + len(above) * SEAT_HEIGHT
    loop = side_1 + side_height
    side_0 = loop + LOOP_HEIGHT
    edges |= {seat: side_0 + side_height + row * SEAT_HEIGHT for row, seat in enumerate(below)}
    height = side_0 + side_height + len(below) * SEAT_HEIGHT + MARGIN
    return Layout(Size(WIDTH, height), loop, (side_0, side_1), tuple(edges[seat] for seat in range(seats)), ongoing)
