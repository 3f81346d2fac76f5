"""Blocks of players below a table in two columns, and in landscape pictures beside it in one."""

from collections.abc import Iterable, Mapping

from referee.core.outcome import Seat
from referee.drawing.drawer import Landscape, LayerMove, Size
from referee.drawing.look import UNIT, WIDTH

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
    table: Iterable[str],
    size: tuple[float, float],
    scale: float,
    blocks: Mapping[Seat, Iterable[str]],
    below: tuple[int, int],
    columns: int = 1,
) -> Landscape:
    """The table on the left, and the blocks in columns on its right. Both are as high, or in the middle.

    Args:
        table: the layers of the table.
        size: the width and height of the table, drawn from the left upper corner of the picture.
        scale: how much larger it is than in the other shape.
        blocks: by number, the layers of a block.
        below: where the blocks begin below the table, and the height of each.
        columns: of blocks.
    """
    (top, height), rows = below, -(-len(blocks) // columns)
    high = size[1] * scale
    whole = max(high, rows * height)
    wide = max(size[0] * scale, _LEAST_RATIO * (whole + UNIT) - UNIT - columns * COLUMN)
    moves = {name: LayerMove((wide - size[0] * scale) / 2, (whole - high) / 2, scale) for name in table}
    for number, layers in blocks.items():
        x, y = block_corner(number, top, height)
        column, row = divmod(number, rows)
        to = LayerMove(wide + UNIT + column * COLUMN - x + _EDGE, (whole - rows * height) / 2 + row * height - y)
        moves |= dict.fromkeys(layers, to)
    return Landscape(Size(int(wide) + UNIT + columns * COLUMN, int(whole) + UNIT), moves)
