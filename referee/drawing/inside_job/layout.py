"""Where things lie in a picture, in units. Above the missions so far, then the table, then a block for each player.

In a landscape picture the blocks lie in a column beside the table.
"""

from typing import NamedTuple

from referee.core.outcome import Seat
from referee.drawing.columns import BLOCK_WIDTH, beside, block_corner
from referee.drawing.drawer import Landscape, Size
from referee.drawing.look import WIDTH

MARGIN = 8
MIDDLE = WIDTH / 2

TABLE = 64
"""The upper edge of the table. Above it are the missions so far."""
TABLE_HEIGHT = 360
CAST = TABLE + TABLE_HEIGHT
"""The upper edge of the line that says which roles are in the game."""
BANDS = CAST + 24
"""The upper edge of the players' blocks."""
BAND_HEIGHT = 124
HAND = 41
"""How far below the upper edge of a block the hand begins."""

PLATE_WIDTH, PLATE_HEIGHT = 80, 44
LAID_WIDTH, LAID_HEIGHT = 40, 52
"""A card on the table."""
CENTRE_Y = 182.0
CENTRE_WIDTH = 214
"""The middle of the table fits between the cards of the players."""


class Place(NamedTuple):
    """A place at the table: the middle of the player's plate, and of the card in front of it, below `TABLE`."""

    x: float
    y: float
    card_x: float
    card_y: float


_BELOW = Place(MIDDLE, 336, MIDDLE, 284)


def _on_the_left(y: float) -> Place:
    return Place(4 + PLATE_WIDTH / 2, y, 108, y)


def _above(x: float) -> Place:
    return Place(x, 26, x, 80)


def _opposite(place: Place) -> Place:
    return Place(WIDTH - place.x, place.y, WIDTH - place.card_x, place.card_y)


PLACES: dict[int, tuple[Place, ...]] = {
    3: (_BELOW, _on_the_left(118), _opposite(_on_the_left(118))),
    4: (_BELOW, _on_the_left(CENTRE_Y), _above(MIDDLE), _opposite(_on_the_left(CENTRE_Y))),
    5: (_BELOW, _on_the_left(226), _above(136), _opposite(_above(136)), _opposite(_on_the_left(226))),
}
"""By number of players: the places by seat. Seat 0 sits below, and play goes round clockwise."""


IN_A_ROW = 7
"""So many cards of a hand lie beside each other. No hand has more than two rows, with two places free for missions."""

PITCH = (BLOCK_WIDTH - 2) // IN_A_ROW
"""From one card of a hand to the next."""


def block(seat: Seat) -> tuple[int, int]:
    """The left upper corner of a player's block."""
    return block_corner(seat, BANDS, BAND_HEIGHT)


def place_in_hand(seat: Seat, number: int) -> tuple[int, int]:
    """Where a card of a hand lies."""
    (x, y), (row, column) = block(seat), divmod(number, IN_A_ROW)
    return x + 2 + column * PITCH, y + HAND + row * 41


def size(seats: int) -> Size:
    """Of a picture with so many players."""
    return Size(WIDTH, block(seats - 1)[1] + BAND_HEIGHT + MARGIN)


def landscape(seats: int, table: list[str]) -> Landscape:
    """The table on the left, and all blocks below each other beside it. `table` names the layers of the table."""
    blocks = [[f"{part}-{seat}" for part in ("head", "hand", "cards")] for seat in range(seats)]
    return beside(table, BANDS, {3: 1.0, 4: 1.1, 5: 1.35}[seats], blocks, BAND_HEIGHT)
