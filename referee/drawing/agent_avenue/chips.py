"""Cards as chips: a name in a frame, in rows from left to right."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.drawing.agent_avenue.glyphs import ONGOING_SIGN
from referee.drawing.svg import Element, at, box, path, text
from referee.drawing.tokens import UNIT, WIDTH
from referee.drawing.type import fitted

LEFT = 12
HEIGHT = 28
GAP = 4
ROW = HEIGHT + GAP
_USUAL_COLUMNS = 4


class Chip(NamedTuple):
    """A card, or several of one name.

    Attributes:
        name: what is on it.
        copies: how many there are.
        stands_for: the attributes that `marks.actions` gives.
        new: whether it has just come; its frame is thicker.
        ongoing: whether it is an ongoing card of the market.
    """

    name: str
    copies: int = 1
    stands_for: Mapping[str, str | None] = {}
    new: bool = False
    ongoing: bool = False


def in_rows(chips: Sequence[Chip], y: float, rows: int) -> list[Element]:
    """The chips in so many rows at most, from `y` on. If there are very many, they are narrower."""
    columns = max(_USUAL_COLUMNS, -(-len(chips) // rows))
    width = (WIDTH - LEFT - UNIT + GAP) / columns - GAP
    return [
        at(
            LEFT + number % columns * (width + GAP),
            y + number // columns * ROW,
            *_drawn(chip, width),
            **chip.stands_for,
        )
        for number, chip in enumerate(chips)
    ]


def _drawn(chip: Chip, width: float) -> tuple[Element, ...]:
    frame = box(0, 0, width, HEIGHT, "face aa-new" if chip.new else "face", rx=6)
    if chip.ongoing:
        sign = at(15, HEIGHT / 2, path(ONGOING_SIGN, "glyph aa-gold"))
        return frame, sign, text(28, 19, fitted(chip.name, width - 32))
    if chip.copies == 1:
        return frame, text(6, 19, fitted(chip.name, width - 9))
    copies = text(width - 5, 19, str(chip.copies), "end bold")
    return frame, text(5, 19, fitted(chip.name, width - 19)), copies
