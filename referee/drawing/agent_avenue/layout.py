"""Where things lie in a picture, in units. Side 1 sits above the loop and side 0 below it; hands lie outermost."""

from functools import cache
from typing import NamedTuple

from referee.core.outcome import Seat
from referee.drawing.agent_avenue.chips import GAP, ROW
from referee.drawing.drawer import Size
from referee.drawing.look import UNIT, WIDTH

HEADER = 26
AWAY = 22
NOTE = 26
SEAT_HEIGHT = HEADER + ROW + NOTE

# Inside the loop, from its upper edge on
CARD_WIDTH, CARD_HEIGHT = 114, 88
OFFER_HEIGHT = 76
ROAD = 40
TOP = 32
"""How far below its upper edge the middle of the road runs."""
PLAYED = TOP + ROAD // 2 + UNIT
OFFER = PLAYED + CARD_HEIGHT + 12


class Layout(NamedTuple):
    """The upper edges of all parts.

    Attributes:
        size: of the picture.
        away: of what has left the game.
        loop: of the loop.
        gauge: of the gauge of the lead, inside the loop.
        bottom: of the middle of the road on its lower side, below the edge of the loop.
        sides: by side, of what lies open in front of it.
        seats: by seat, of what the player holds.
        rows: of chips, so many may lie in front of a side.
        bars: by side, the upper and the lower end of the bar beside all that it has.
    """

    size: Size
    away: int
    loop: int
    gauge: int
    bottom: int
    sides: tuple[int, int]
    seats: tuple[int, ...]
    rows: int
    bars: tuple[tuple[int, int], tuple[int, int]]


@cache
def layout(seats: int, *, market: bool) -> Layout:
    """The layout for so many players, with or without a market."""
    rows = 3 if market else 2
    side_height = HEADER + rows * ROW
    gauge = OFFER + (OFFER_HEIGHT + 12 if market else 0)
    bottom = gauge + 52 + UNIT + ROAD // 2
    above, below = ([seat for seat in range(seats) if seat % 2 == side] for side in (1, 0))
    edges: dict[Seat, int] = {seat: UNIT + row * SEAT_HEIGHT for row, seat in enumerate(above)}
    side_1 = UNIT + len(above) * SEAT_HEIGHT
    loop = side_1 + side_height
    side_0 = loop + bottom + TOP
    edges |= {seat: side_0 + side_height + row * SEAT_HEIGHT for row, seat in enumerate(below)}
    end = side_0 + side_height + len(below) * SEAT_HEIGHT
    return Layout(
        size=Size(WIDTH, end + UNIT + (AWAY if market else 0)),
        away=end + 4,
        loop=loop,
        gauge=gauge,
        bottom=bottom,
        sides=(side_0, side_1),
        seats=tuple(edges[seat] for seat in range(seats)),
        rows=rows,
        bars=((side_0, end), (UNIT, side_1 + side_height - GAP)),
    )
