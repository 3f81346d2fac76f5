"""The icon of a league: a file of the organizer, made anew from nothing but the parts that a picture needs."""

import re
import zlib
from collections.abc import Iterator, Mapping
from struct import unpack_from
from typing import Any
from xml.parsers import expat

from referee.drawing.svg import Element, markup

MOST_KIB = 20
"""Of the file of an icon."""

MOST_PIXELS = 1024
"""The width, and the height, of a PNG at most."""

_DEEPEST = 32

_PNG = b"\x89PNG\r\n\x1a\n"
_CHUNKS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")

_ELEMENTS = frozenset(
    (
        *("svg", "g", "path", "circle", "rect", "ellipse", "line", "polyline", "polygon"),
        *("defs", "linearGradient", "radialGradient", "stop", "title"),
    )
)
"""Nothing that repeats other elements: a few of those, one in another, keep a browser busy for years."""

_ATTRIBUTES = frozenset(
    (
        *("viewBox", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy"),
        *("d", "points", "transform", "id", "offset", "gradientUnits", "gradientTransform", "spreadMethod"),
        *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap"),
        *("stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "stop-color"),
        *("stop-opacity", "opacity", "color", "display", "visibility"),
    )
)
_URL = re.compile(r"url\(\s*['\"]?#[A-Za-z_][\w.-]*['\"]?\s*\)")
_SPACE = "http://www.w3.org/2000/svg"


class WrongIcon(ValueError):
    """A file that cannot be the icon of a league; the text says why."""


def cleaned(content: bytes) -> tuple[str, bytes]:
    """The name under which an icon is served, and its content.

    Raises:
        WrongIcon: it is neither a PNG nor an SVG, or there is something in it that none may have.
    """
    return ("icon.png", _png(content)) if content.startswith(_PNG) else ("icon.svg", _svg(content))


def _png(content: bytes) -> bytes:
    """The same pixels, without texts, times and all else that an editor wrote."""
    chunks = list(_chunks(content))
    kinds = [kind for kind, _ in chunks]
    if kinds[:1] != [b"IHDR"] or kinds[-1:] != [b"IEND"] or len(chunks[0][1]) != 25:
        raise WrongIcon("is a damaged PNG")
    if max(unpack_from(">II", chunks[0][1], 8)) > MOST_PIXELS:
        raise WrongIcon(f"is larger than {MOST_PIXELS} by {MOST_PIXELS} pixels")
    return _PNG + b"".join(chunk for kind, chunk in chunks if kind in _CHUNKS)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a PNG: kind and bytes. One after the last is left out."""
    at, kind = len(_PNG), b""
    while kind != b"IEND":
        if at + 12 > len(content):
            raise WrongIcon("is a damaged PNG")
        length, kind = unpack_from(">I4s", content, at)
        chunk = content[at : at + 12 + length]
        if len(chunk) != 12 + length or unpack_from(">I", chunk, 8 + length)[0] != zlib.crc32(chunk[4 : 8 + length]):
            raise WrongIcon("is a damaged PNG")
        yield kind, chunk
        at += len(chunk)


def _svg(content: bytes) -> bytes:
    reader = _SvgReader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler, parser.EntityDeclHandler = reader.text, reader.refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError) as error:
        raise error if isinstance(error, WrongIcon) else WrongIcon(f"is no PNG, and no SVG: {error}") from error
    root = reader.root
    if root is None or "viewBox" not in dict(root.attributes):
        raise WrongIcon("is no SVG with a viewBox")
    return markup(Element("svg", (("xmlns", _SPACE), *root.attributes), root.inside)).encode()


class _SvgReader:
    """Builds the elements that a picture needs, out of what an XML parser tells.

    Attributes:
        root: the outermost element, when the file has ended.
    """

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[tuple[str, tuple[tuple[str, str], ...], list[Element | str]]] = []
        self._left_out = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        if self._left_out or space != _SPACE or local not in _ELEMENTS:
            self._left_out += 1
            return
        if len(self._open) >= _DEEPEST:
            raise WrongIcon(f"has more than {_DEEPEST} elements in each other")
        self._open.append((local, tuple(_drawing_attributes(attributes).items()), []))

    def end(self, _name: str) -> None:
        if self._left_out:
            self._left_out -= 1
            return
        local, attributes, inside = self._open.pop()
        made = Element(local, attributes, tuple(inside))
        if self._open:
            self._open[-1][2].append(made)
        elif local == "svg":
            self.root = made

    def text(self, words: str) -> None:
        if not self._left_out and self._open and self._open[-1][0] == "title":
            self._open[-1][2].append(words)

    def refuse(self, *_: Any) -> None:
        raise WrongIcon("declares entities; no icon may")


def _drawing_attributes(attributes: Mapping[str, str]) -> dict[str, str]:
    """The attributes that draw. Editors write many of them as a style."""
    declared = (each.partition(":") for each in attributes.get("style", "").split(";"))
    every = {**attributes, **{name.strip(): value.strip() for name, _, value in declared}}
    return {name: value for name, value in every.items() if name in _ATTRIBUTES and _is_here(value)}


def _is_here(value: str) -> bool:
    """Whether a value leads to nothing outside of the picture."""
    return ("url" not in value.casefold() and "\\" not in value) or bool(_URL.fullmatch(value))
