"""Shapes that the drawers share: marks of seats, card backs, and the attributes of things that stand for actions."""

from collections.abc import Callable
from typing import Any

from referee.core.outcome import Seat
from referee.drawing.drawer import Moment
from referee.drawing.look import MOST_SEATS
from referee.drawing.svg import Element, at, box, dot, element, path


def seat_class(seat: Seat) -> str:
    """The class that makes `seat` and `seatline` the colour of this seat. Colours repeat after `MOST_SEATS`."""
    return f"s{seat % MOST_SEATS}"


def seat_mark(seat: Seat, x: float, y: float, r: float = 7) -> Element:
    """The shape of a seat in its colour: no two look alike without colour."""
    return at(x, y, _SHAPES[seat % MOST_SEATS](r), class_=seat_class(seat))


def _polygon(r: float, *points: tuple[float, float]) -> Element:
    return path("M" + "L".join(f"{x * r:.1f} {y * r:.1f}" for x, y in points) + "Z", "seat")


_SHAPES: tuple[Callable[[float], Element], ...] = (
    lambda r: dot(0, 0, r, "seat"),
    lambda r: box(-0.9 * r, -0.9 * r, 1.8 * r, 1.8 * r, "seat"),
    lambda r: _polygon(r, (0, -1.1), (1.1, 0.85), (-1.1, 0.85)),
    lambda r: _polygon(r, (0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    lambda r: _polygon(r, (0, -1.15), (1.1, -0.35), (0.7, 0.95), (-0.7, 0.95), (-1.1, -0.35)),
    lambda r: _polygon(
        r, (-0.4, -1), (0.4, -1), (0.4, -0.4), (1, -0.4), (1, 0.4), (0.4, 0.4), (0.4, 1), (-0.4, 1), (-0.4, 0.4),
        (-1, 0.4), (-1, -0.4), (-0.4, -0.4),
    ),
)  # fmt: skip
"""Circle, square, triangle, diamond, pentagon, cross."""


def card_back(x: float, y: float, width: float, height: float) -> Element:
    """A card face down: hatched, so that it differs from an open one without colour."""
    step, lines = 9.0, []
    for offset in range(1, int((width + height) / step)):
        reach = offset * step
        x0, y0 = max(0.0, reach - height), min(reach, height)
        x1, y1 = min(reach, width), max(0.0, reach - width)
        lines.append(f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}")
    return at(x, y, box(0, 0, width, height, "back", rx=5), path("".join(lines), "hatch"))


def actions(moment: Moment[Any], stands_for: Callable[[Any], bool]) -> dict[str, str | None]:
    """The attributes of a thing that stands for all legal actions of the one question for which this is true.

    Give them to `group` or `at`: `data-actions`, and the class `chosen` if one of these actions was chosen. If several
    seats are asked, or none is, there are none.
    """
    if len(moment.questions) != 1:
        return {}
    question = moment.questions[0]
    found = [index for index, action in enumerate(question.legal) if stands_for(action)]
    if not found:
        return {}
    chosen = "chosen" if question.chosen in found else None
    return {"data_actions": " ".join(map(str, found)), "class_": chosen}


def title(words: str) -> Element:
    """The words that a pointer shows and a screen reader reads. The title must be the first child of its element."""
    return element("title", words)


def card_text(words: str) -> Element:
    """The title of a card: its name, a colon, and what it does. It must be the first child of the card's element.

    A page lists these texts below the board, too.
    """
    return element("title", words, data_card="")
