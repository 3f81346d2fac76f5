"""Where the parts of a picture lie. Type is as wide as `type.width_of` says, which is the most that it can be."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from referee.drawing.drawer import Layer, Layers, Size
from referee.drawing.look import SMALL, width_of
from referee.drawing.svg import Element

_BIG = 24
_TRANSFORM = re.compile(r"(translate|scale|skewX)\(([^)]*)\)")
_TOKEN = re.compile(r"[A-Za-z]|-?\d*\.?\d+")
_TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "q": 4, "c": 6, "a": 7, "z": 0}


class Box(NamedTuple):
    """A rectangle of a picture, in units, and what is in it."""

    left: float
    top: float
    right: float
    bottom: float
    what: str

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def inside(self, size: Size) -> bool:
        return self.left >= 0 and self.top >= 0 and self.right <= size.width and self.bottom <= size.height


class Frame(NamedTuple):
    """What an element has from those around it."""

    x: float = 0
    y: float = 0
    scale: float = 1
    classes: frozenset[str] = frozenset()


def texts(layers: Layers) -> list[Box]:
    """All lines of type."""
    return [box for layer in layers for box in _texts(layer)]


@lru_cache(1000)
def _texts(layer: Layer) -> tuple[Box, ...]:
    """Those of a layer. Most layers of a match are drawn in many of its moments."""
    return tuple(box for element, frame in _all((layer,)) for box in _text(element, frame))


def shapes(layers: Layers) -> list[Box]:
    """All rectangles, circles and paths, without the width of their outlines."""
    return [box for element, frame in _all(layers) for box in _shape(element, frame)]


def overlaps(boxes: list[Box]) -> list[tuple[str, str]]:
    """The pairs of rectangles that overlap."""
    return [(one.what, other.what) for at, one in enumerate(boxes) for other in boxes[:at] if one.meets(other)]


def _all(layers: Layers) -> Iterator[tuple[Element, Frame]]:
    for layer in layers:
        for element in layer.inside:
            yield from _within(element, Frame())


def _within(element: Element, around: Frame) -> Iterator[tuple[Element, Frame]]:
    attributes = dict(element.attributes)
    x, y, scale, classes = around
    for kind, values in _TRANSFORM.findall(attributes.get("transform", "")):
        numbers = [float(number) for number in values.split()]
        if kind == "translate":
            x, y = x + scale * numbers[0], y + scale * numbers[1]
        elif kind == "scale":
            scale *= numbers[0]
    frame = Frame(x, y, scale, classes | frozenset(attributes.get("class", "").split()))
    yield element, frame
    for part in element.inside:
        if isinstance(part, Element):
            yield from _within(part, frame)


def _text(element: Element, frame: Frame) -> Iterator[Box]:
    if element.name != "text":
        return
    attributes = dict(element.attributes)
    words = "".join(str(part) for part in element.inside)
    size = _BIG if "big" in frame.classes else SMALL
    width = width_of(words, size, bold=bool({"bold", "big"} & frame.classes))
    x = frame.x + float(attributes.get("x", 0))
    y = frame.y + float(attributes.get("y", 0))
    left = x - width / 2 if "mid" in frame.classes else x - width if "end" in frame.classes else x
    yield Box(left, y - 0.76 * size, left + width, y + 0.2 * size, words)


def _shape(element: Element, frame: Frame) -> Iterator[Box]:
    attributes = dict(element.attributes)
    if element.name == "rect":
        x, y, width, height = (float(attributes[name]) for name in ("x", "y", "width", "height"))
        points = [(x, y), (x + width, y + height)]
    elif element.name == "circle":
        x, y, r = (float(attributes[name]) for name in ("cx", "cy", "r"))
        points = [(x - r, y - r), (x + r, y + r)]
    elif element.name == "path":
        points = list(_points(attributes["d"]))
    else:
        return
    xs, ys = [frame.x + frame.scale * x for x, _ in points], [frame.y + frame.scale * y for _, y in points]
    yield Box(min(xs), min(ys), max(xs), max(ys), f"{element.name} {attributes.get('class')}")


def _points(d: str) -> Iterator[tuple[float, float]]:
    """All points that a path names, also those that only bend it. Between them it goes nowhere else but in arcs."""
    tokens, x, y, command = _TOKEN.findall(d), 0.0, 0.0, ""
    start, at = (x, y), 0
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        numbers = [float(token) for token in tokens[at : at + _TAKES[command.lower()]]]
        at += len(numbers)
        named = _named(command, numbers, x, y, start)
        yield from named
        x, y = named[-1]
        start = (x, y) if command in "Mm" else start


def _named(
    command: str, numbers: list[float], x: float, y: float, start: tuple[float, float]
) -> list[tuple[float, float]]:
    kind, (from_x, from_y) = command.lower(), (x, y) if command.islower() else (0.0, 0.0)
    if kind == "z":
        return [start]
    if kind == "h":
        return [(from_x + numbers[0], y)]
    if kind == "v":
        return [(x, from_y + numbers[0])]
    if kind == "a":
        numbers = numbers[5:]
    return [(from_x + one, from_y + other) for one, other in _in_pairs(numbers)]


def _in_pairs(numbers: list[float]) -> Iterable[tuple[float, float]]:
    return zip(numbers[::2], numbers[1::2], strict=True)
