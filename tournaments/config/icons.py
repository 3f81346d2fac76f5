"""The icon of a league: a file of the organizer, made anew from nothing but the parts that a picture needs."""

import re
import zlib
from collections.abc import Iterator, Mapping
from struct import unpack_from
from xml.etree.ElementTree import Element as Parsed
from xml.etree.ElementTree import ParseError, fromstring

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
    if b"!ENTITY" in content.replace(b"\0", b""):
        raise WrongIcon("declares entities; no icon may")
    try:
        root = _drawing_part(fromstring(content))  # noqa: S314 - it is short, and has no entities
    except (ParseError, LookupError, ValueError) as error:
        raise error if isinstance(error, WrongIcon) else WrongIcon(f"is no PNG, and no SVG: {error}") from error
    if root is None or root.name != "svg" or "viewBox" not in dict(root.attributes):
        raise WrongIcon("is no SVG with a viewBox")
    return markup(Element("svg", (("xmlns", _SPACE), *root.attributes), root.inside)).encode()


def _drawing_part(found: Parsed, depth: int = 1) -> Element | None:
    """What a picture needs of an element and those in it; None if it needs nothing of it."""
    space, _, local = found.tag[1:].rpartition("}")
    if space != _SPACE or local not in _ELEMENTS:
        return None
    if depth > _DEEPEST:
        raise WrongIcon(f"has more than {_DEEPEST} elements in each other")
    words = (found.text,) if local == "title" and found.text else ()
    inside = tuple(part for each in found if (part := _drawing_part(each, depth + 1)) is not None)
    return Element(local, tuple(_drawing_attributes(found.attrib).items()), words + inside)


def _drawing_attributes(attributes: Mapping[str, str]) -> dict[str, str]:
    """The attributes that draw. Editors write many of them as a style."""
    declared = (each.partition(":") for each in attributes.get("style", "").split(";"))
    every = {**attributes, **{name.strip(): value.strip() for name, _, value in declared}}
    return {name: value for name, value in every.items() if name in _ATTRIBUTES and _is_here(value)}


def _is_here(value: str) -> bool:
    """Whether a value leads to nothing outside of the picture."""
    return ("url" not in value.casefold() and "\\" not in value) or bool(_URL.fullmatch(value))
