"""Where things lie in a picture, in units. Above the missions so far, then the table, then a band for each player."""

from typing import NamedTuple

from referee.drawing.drawer import Size
from referee.drawing.look import WIDTH
from referee.games.inside_job.pieces import SETUPS

MARGIN = 8
MIDDLE = WIDTH / 2

TABLE = 64
"""The upper edge of the table. Above it are the missions so far."""
TABLE_HEIGHT = 360
CAST = TABLE + TABLE_HEIGHT
"""The upper edge of the line that says which roles are in the game."""
BANDS = CAST + 24
"""The upper edge of the players' bands."""
BAND_HEIGHT = 68

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


def hand_pitch(seats: int) -> int:
    """From one card of a hand to the next. The fewer, the wider; a column of missions put away fits beside them."""
    return min(38, (WIDTH - 20 - 40) // SETUPS[seats].hand)


def size(seats: int) -> Size:
    """Of a picture with so many players."""
    return Size(WIDTH, BANDS + seats * BAND_HEIGHT + MARGIN)
