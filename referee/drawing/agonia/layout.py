"""Where things lie in a picture, in units: the counter, the board with what explains it, and the players below.

In a landscape picture the players lie beside the board.
"""

from functools import cache
from typing import NamedTuple

from referee.core.outcome import Seat
from referee.drawing.columns import BLOCK_WIDTH, beside, block_corner
from referee.drawing.drawer import Box, Landscape, Size
from referee.drawing.look import UNIT, WIDTH
from referee.games.agonia.box.board import BOARDS, Board, Cell, xy

CELL = 40
BOARD_X, BOARD_Y = 24, 122
"""The upper left corner of the board. Letters of columns stand above it, numbers of rows to its left."""

END = WIDTH - UNIT
GAP = 4
LEGEND_ROW = 20
LEGEND = 13
"""How many signs are explained."""
FALLEN_HEIGHT = 52

HEADER = 44
CHIP_HEIGHT = 28
COLUMNS = 2
ROWS = 4
"""Of cards before a player: the weapon, the equipment with the last card of a full hand, and the hand."""
SEAT_HEIGHT = HEADER + ROWS * (CHIP_HEIGHT + GAP) + UNIT
CHIP_WIDTH = (BLOCK_WIDTH - 2 + GAP) // COLUMNS - GAP
BUTTON_WIDTH, BUTTON_HEIGHT = 68, 20


class Layout(NamedTuple):
    """Where the parts are.

    Attributes:
        size: of the picture.
        board: the board.
        legend: the upper left corners of the signs that are explained.
        fallen: the upper left corner of the dice.
        dice_in_a_row: how many dice fit beside each other.
        players: the upper edge of the first players; each has SEAT_HEIGHT.
    """

    size: Size
    board: Board
    legend: tuple[tuple[int, int], ...]
    fallen: tuple[int, int]
    dice_in_a_row: int
    players: int

    def seat(self, seat: Seat) -> tuple[int, int]:
        """The left upper corner of a player."""
        return block_corner(seat, self.players, SEAT_HEIGHT)

    def button(self, seat: Seat, number: int) -> Box:
        """A button of a player, counted from the right."""
        x, y = self.seat(seat)
        left = x + BLOCK_WIDTH - GAP - BUTTON_WIDTH - number * (BUTTON_WIDTH + GAP)
        return Box(left, y + HEADER - BUTTON_HEIGHT - 2, BUTTON_WIDTH, BUTTON_HEIGHT)


PILE_X, PILE_PITCH = 196, 80
"""The middle of the first pile above the board, and how far it is to the next."""

DECK = Box(PILE_X - 36, 2, 72, 38)
"""The deck is the first pile."""


@cache
def layout(board_name: str, seats: int) -> Layout:
    """The layout of a board for so many players. Beside the wide board there is no room, so all is below it."""
    board = BOARDS[board_name]
    right, bottom = BOARD_X + board.width * CELL, BOARD_Y + board.height * CELL
    is_beside = END - right >= 2 * CELL
    if is_beside:
        legend = tuple((right + 12, BOARD_Y + row * LEGEND_ROW) for row in range(LEGEND))
        fallen = (right + 12, legend[-1][1] + LEGEND_ROW + UNIT)
        players = bottom + UNIT
    else:
        column, places = (END - BOARD_X) // 4, (divmod(number, 4) for number in range(LEGEND))
        legend = tuple((BOARD_X + at * column, bottom + UNIT + row * LEGEND_ROW) for row, at in places)
        fallen = (legend[-1][0] + column, legend[-1][1] + UNIT)
        players = fallen[1] + FALLEN_HEIGHT
    height = players + -(-seats // COLUMNS) * SEAT_HEIGHT
    return Layout(Size(WIDTH, height), board, legend, fallen, 3 if is_beside else 6, players)


@cache
def landscape(board_name: str, seats: int) -> Landscape:
    """The board, and all players beside it in one column or in two."""
    places, columns = layout(board_name, seats), 1 if seats < 4 else 2
    board = ("ground", "pieces", "enemies", "counter", "happened", "targets")
    blocks = [(f"seat-{seat}", f"targets-{seat}") for seat in range(seats)]
    return beside(board, places.players, 1.0, blocks, SEAT_HEIGHT, columns)


def top_left(cell: Cell) -> tuple[int, int]:
    """The upper left corner of a cell."""
    x, y = xy(cell)
    return BOARD_X + x * CELL, BOARD_Y + y * CELL


def middle(cell: Cell) -> tuple[int, int]:
    """The middle of a cell."""
    x, y = top_left(cell)
    return x + CELL // 2, y + CELL // 2
