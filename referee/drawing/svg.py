"""SVG as values. Only `markup` makes markup, so nothing that was drawn can break out of its element."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from typing import TypeAlias

import msgspec

from referee.core.text import one_line

Value: TypeAlias = str | float | None
"""The value of an attribute; with None the attribute is left out."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


class Element(msgspec.Struct, frozen=True):
    """An element with its attributes and what is inside it: elements, and text as plain strings."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    inside: tuple["Element | str", ...] = ()


Inside: TypeAlias = Element | str


def element(name: str, /, *inside: Inside, **attributes: Value) -> Element:
    """An element. In the names of attributes `_` stands for `-`, and one at the end is dropped: `class_`, `data_piece`.

    Raises:
        ValueError: an attribute is `style` or an event handler, which the policy of our pages forbids.
    """
    pairs = [(_spelled(key), _written(value)) for key, value in attributes.items() if value is not None]
    return Element(name, tuple(pairs), inside)


def group(*inside: Inside, **attributes: Value) -> Element:
    """A `g`."""
    return element("g", *inside, **attributes)


def at(x: float, y: float, *inside: Inside, **attributes: Value) -> Element:
    """A `g` whose origin lies at this point."""
    return element("g", *inside, transform=f"translate({_written(x)} {_written(y)})", **attributes)


def move(x: float, y: float, scale: float = 1) -> str:
    """The attribute `transform` of what lies at this point, so much larger."""
    return f"translate({x:g} {y:g})" + (f" scale({scale:g})" if scale != 1 else "")


def placed(x: float, y: float, *things: Element) -> tuple[Element, ...]:
    """Each thing in a `g` of its own whose origin lies at this point."""
    return tuple(at(x, y, thing) for thing in things)


def text(x: float, y: float, words: str, class_: str | None = None, **attributes: Value) -> Element:
    """A line of text; `y` is its baseline."""
    return element("text", words, x=x, y=y, class_=class_, **attributes)


def box(x: float, y: float, width: float, height: float, class_: str | None = None, **attributes: Value) -> Element:
    """A `rect`."""
    return element("rect", x=x, y=y, width=width, height=height, class_=class_, **attributes)


def dot(x: float, y: float, r: float, class_: str | None = None, **attributes: Value) -> Element:
    """A `circle`."""
    return element("circle", cx=x, cy=y, r=r, class_=class_, **attributes)


def path(d: str, class_: str | None = None, **attributes: Value) -> Element:
    """A `path`."""
    return element("path", d=d, class_=class_, **attributes)


def markup(inside: Inside | Iterable[Inside]) -> str:
    """The markup, the same in HTML and XML. Foreign text in it is on one line, with unprintable characters escaped."""
    if isinstance(inside, str):
        return escape(plain(inside), quote=False)
    if not isinstance(inside, Element):
        return "".join(map(markup, inside))
    opening = "".join((inside.name, *(f' {name}="{_quoted(value)}"' for name, value in inside.attributes)))
    return f"<{opening}>{markup(inside.inside)}</{inside.name}>" if inside.inside else f"<{opening}/>"


def plain(words: str) -> str:
    """Foreign words on one line, without controls or tabs."""
    return one_line(words).replace("\t", " ")


@lru_cache(4096)
def _quoted(value: str) -> str:
    """Attributes are ours: a picture has thousands, and nearly all were in the picture before."""
    return escape(plain(value))


@cache
def _spelled(key: str) -> str:
    name = key.rstrip("_").replace("_", "-")
    if not _NAME.fullmatch(name) or name == "style" or name.startswith("on"):
        raise ValueError(f"an attribute {name!r} may not be drawn; use a class")
    return name


@lru_cache(4096)
def _written(value: str | float) -> str:
    """A number with at most one digit after the point: a tenth of a unit is less than a tenth of a pixel."""
    return value if isinstance(value, str) else f"{round(value, 1) + 0:.1f}".removesuffix(".0")  # no negative zero
