"""Cards as chips: a name in a frame, in rows from left to right."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.drawing.columns import BLOCK_WIDTH
from referee.drawing.drawer import Box
from referee.drawing.look import fitted, width_of
from referee.drawing.marks import card_text
from referee.drawing.svg import Element, at, box, text

LEFT, RIGHT = 6, BLOCK_WIDTH
HEIGHT = 28
GAP = 4
ROW = HEIGHT + GAP
_USUAL_COLUMNS = 2


class Chip(NamedTuple):
    """A card, or several of one name.

    Attributes:
        name: what is on it.
        copies: how many there are.
        stands_for: the attributes that `marks.actions` gives.
        new: whether it is new here; its frame is thicker.
        ongoing: whether it is an ongoing card of the market.
        says: what the card does.
    """

    name: str
    copies: int = 1
    stands_for: Mapping[str, str | None] = {}
    new: bool = False
    ongoing: bool = False
    says: str = ""


def in_rows(chips: Sequence[Chip], y: float, rows: int) -> list[Element]:
    """The chips in so many rows at most, from `y` on. If there are very many, they are narrower."""
    boxes = boxes_in_rows(len(chips), y, rows)
    return [
        at(place.x, place.y, card_text(chip.says), *_drawn(chip, place.width), **chip.stands_for)
        for chip, place in zip(chips, boxes, strict=True)
    ]


def boxes_in_rows(count: int, y: float, rows: int) -> list[Box]:
    """Where so many chips lie."""
    columns = max(_USUAL_COLUMNS, -(-count // rows))
    width = (RIGHT - LEFT + GAP) / columns - GAP
    return [
        Box(LEFT + number % columns * (width + GAP), y + number // columns * ROW, width, HEIGHT)
        for number in range(count)
    ]


def _drawn(chip: Chip, width: float) -> tuple[Element, ...]:
    """Agents have corners, ongoing cards are round."""
    look = " ".join(["face", *(["aa-new"] if chip.new else []), *(["aa-ongoing"] if chip.ongoing else [])])
    frame = box(0, 0, width, HEIGHT, look, rx=HEIGHT / 2 if chip.ongoing else 6)
    left = 10 if chip.ongoing else 6
    if chip.copies == 1:
        return frame, text(left, 19, fitted(chip.name, width - left - 4))
    return frame, condensed(left, 19, chip.name, width - left - 23), text(width - 6, 19, str(chip.copies), "end bold")


def condensed(x: float, y: float, name: str, room: float, class_: str | None = None) -> Element:
    """A name that is a little too wide for its place is set narrower; one that is far too wide is shortened."""
    label = fitted(name, room * 1.2)
    if width_of(label) <= room:
        return text(x, y, label, class_)
    return text(x, y, label, class_, textLength=room, lengthAdjust="spacingAndGlyphs")
