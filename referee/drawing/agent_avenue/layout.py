"""Where things lie in a picture, in units: the loop, below it what lies open before each side, and the hands.

Side 0 is on the left, side 1 on the right. In a landscape picture the sides lie beside the loop.
"""

from functools import cache
from typing import NamedTuple

from referee.drawing.agent_avenue.chips import ROW
from referee.drawing.columns import COLUMN, block_corner
from referee.drawing.drawer import Landscape, Size
from referee.drawing.look import UNIT, WIDTH
from referee.drawing.svg import move

HEADER = 26
AWAY = 22
NOTE = 26
HAND_ROWS = 2
SEAT_HEIGHT = HEADER + HAND_ROWS * ROW + NOTE

# Inside the loop, from its upper edge on
CARD_WIDTH, CARD_HEIGHT = 114, 88
OFFER_HEIGHT = 76
ROAD = 40
TOP = 32
"""How far below its upper edge the middle of the road runs."""
_PLAYED = TOP + ROAD // 2 + UNIT
OFFER = _PLAYED + CARD_HEIGHT + 12


class Layout(NamedTuple):
    """The parts.

    Attributes:
        size: of the picture.
        away: the upper edge of what has left the game.
        played: of the played cards, inside the loop.
        gauge: of the gauge of the lead, inside the loop.
        bottom: of the middle of the road on its lower side.
        sides: by side, the left upper corner of what lies open in front of it.
        seats: by seat, the left upper corner of what the player holds.
        rows: of chips, so many may lie in front of a side.
    """

    size: Size
    away: int
    played: int
    gauge: int
    bottom: int
    sides: tuple[tuple[int, int], ...]
    seats: tuple[tuple[int, int], ...]
    rows: int


@cache
def layout(seats: int, *, market: bool) -> Layout:
    """The layout for so many players, with or without a market."""
    rows = 6 if market else 4
    gauge = OFFER + OFFER_HEIGHT + 12 if market else OFFER + 56
    bottom = gauge + 52 + UNIT + ROAD // 2
    open_cards, hands = bottom + TOP, bottom + TOP + HEADER + rows * ROW
    end = hands + -(-seats // 2) * SEAT_HEIGHT
    return Layout(
        size=Size(WIDTH, end + (AWAY if market else 0)),
        away=end,
        played=_PLAYED if market else _PLAYED + 24,
        gauge=gauge,
        bottom=bottom,
        sides=tuple(block_corner(side, open_cards, 0) for side in (0, 1)),
        seats=tuple(block_corner(seat, hands, SEAT_HEIGHT) for seat in range(seats)),
        rows=rows,
    )


@cache
def landscape(seats: int, loop: tuple[str, ...], *, market: bool) -> Landscape:
    """The loop, beside it the open cards, and all hands in a row below them. `loop` names the layers of the loop.

    That of teams is larger, since their hands are a wider row.
    """
    places, are_teams = layout(seats, market=market), seats > 2
    scale = 1.3 if are_teams else 1.0
    side, right = HEADER + places.rows * ROW, int(WIDTH * scale) + UNIT
    below = int(max((places.bottom + TOP) * scale, side * 2 if are_teams else 0))
    moves = dict.fromkeys(loop, move(0, 0, scale)) | {"away": move(0, below + SEAT_HEIGHT - places.away)}
    for number, (x, y) in enumerate(places.sides):
        moves[f"side-{number}"] = move(right - x, number * (side + UNIT) - y)
    for seat, (x, y) in enumerate(places.seats):
        moves[f"seat-{seat}"] = move(seat * COLUMN + 4 - x, below - y)
    height = max(below + SEAT_HEIGHT + (AWAY if market else UNIT), 2 * side + 2 * UNIT)
    return Landscape(Size(max(right + COLUMN, seats * COLUMN), height), moves)
