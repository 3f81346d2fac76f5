"""Blocks of players below a table in two columns, and in landscape pictures beside it in one."""

from collections.abc import Iterable, Sequence

from referee.drawing.drawer import Landscape, Size
from referee.drawing.look import UNIT, WIDTH
from referee.drawing.svg import move

COLUMN = WIDTH // 2
BLOCK_WIDTH = COLUMN - UNIT
_EDGE = 4
_LEAST_RATIO = 1.44
"""Of width to height: so a picture covers more than half of a window with a list beside it."""


def block_corner(number: int, top: int, height: int) -> tuple[int, int]:
    """The left upper corner of a block among those below a table that ends at `top`."""
    row, column = divmod(number, 2)
    return _EDGE + column * COLUMN, top + row * height


def beside(
    table: Iterable[str], top: int, scale: float, blocks: Sequence[Iterable[str]], height: int, columns: int = 1
) -> Landscape:
    """The table on the left, and the blocks in columns on its right. Both are as high, or in the middle.

    Args:
        table: its layers.
        top: its height, below which the blocks begin in the other shape.
        scale: how much larger the table is than there.
        blocks: the layers of each.
        height: of a block.
        columns: of blocks.
    """
    rows, high = -(-len(blocks) // columns), top * scale
    whole = max(high, rows * height)
    wide = max(WIDTH * scale, _LEAST_RATIO * (whole + UNIT) - UNIT - columns * COLUMN)
    moves = dict.fromkeys(table, move((wide - WIDTH * scale) / 2, (whole - high) / 2, scale))
    for number, layers in enumerate(blocks):
        (x, y), (column, row) = block_corner(number, top, height), divmod(number, rows)
        to = move(wide + UNIT + column * COLUMN - x + _EDGE, (whole - rows * height) / 2 + row * height - y)
        moves |= dict.fromkeys(layers, to)
    return Landscape(Size(int(wide) + UNIT + columns * COLUMN, int(whole) + UNIT), moves)
