"""The page around a recording."""

import base64
import hashlib
import zlib
from importlib.resources import files
from string import Template

import msgspec

from referee.core.outcome import Seat
from referee.drawing.drawer import AnyDrawer, Layer, Size
from referee.drawing.marks import seat_mark
from referee.drawing.page.caption import Caption, for_everyone, for_seat
from referee.drawing.playback import Playback
from referee.drawing.recording import Frame, Recording, record_all, record_seat
from referee.drawing.snapshot import board
from referee.drawing.svg import Element, element, markup
from referee.drawing.tokens import LEAST_SCALE, PICTURE, variables
from referee.match.replay import blame_game


class _Track(msgspec.Struct):
    """A viewer's track as the script reads it."""

    viewer: Seat | None
    name: str
    frames: tuple[Frame, ...]


class _Data(msgspec.Struct):
    """A recording as the script reads it."""

    parts: tuple[str, ...]
    layers: tuple[tuple[int, ...], ...]
    words: tuple[str, ...]
    lists: tuple[tuple[int, ...], ...]
    tracks: tuple[_Track, ...]
    result: str


def page_of_all(watched: Playback, drawer: AnyDrawer) -> str:
    """The page that shows a match to everyone, and the view of each seat.

    Raises:
        GameBug: the game or its drawer raised an exception.
    """
    with blame_game(watched.transcript.record):
        recording = record_all(watched, drawer)
    return _page(recording, for_everyone(watched), drawer.style)


def page_of_seat(watched: Playback, drawer: AnyDrawer, seat: Seat) -> str:
    """The page that shows what one seat saw. It holds nothing that this seat was not sent.

    Raises:
        GameBug: the game or its drawer raised an exception.
    """
    with blame_game(watched.transcript.record):
        recording = record_seat(watched, drawer, seat)
    return _page(recording, for_seat(watched, seat), drawer.style)


def _page(recording: Recording, caption: Caption, style_of_the_game: str) -> str:
    style = f"{variables()}{_shape_of(recording.size)}{PICTURE}{style_of_the_game}{_file('page.css')}"
    script = gliding() + _file("player.js")
    return Template(_file("page.html")).substitute(
        policy=_policy(style, script),
        style=style,
        script=script,
        title=markup(f"{caption.heading}, {caption.game}"),
        heading=markup(caption.heading),
        subtitle=markup(caption.game),
        result=markup(caption.result),
        board=markup(
            board(recording.size, tuple(Layer(place, ()) for place in recording.places), aria_labelledby="sentence")
        ),
        players=markup(_players(caption)),
        facts=markup(element("dl", *(part for fact in caption.facts for part in _fact(*fact)))),
        recording=_packed(recording, caption),
    )


def gliding() -> str:
    """The part of a script that lets things glide to their places. Pages of persons begin with it, too."""
    return _file("glide.js")


def _shape_of(size: Size) -> str:
    """A picture fills the height of a window, but is never so small that its type cannot be read."""
    return f":root{{--least:{size.width * LEAST_SCALE:.0f}px;--shape:{size.width / size.height:.4f}}}"


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing is loaded from anywhere, and nothing runs but this style sheet and this script."""
    return (
        f"default-src 'none'; style-src {_hashed(style)}; script-src {_hashed(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hashed(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def _players(caption: Caption) -> Element:
    lines = (
        element("li", _shape(seat), player.name, *(element("small", note) for note in player.notes))
        for seat, player in enumerate(caption.players)
    )
    return element("ul", *lines)


def _shape(seat: Seat) -> Element:
    """The shape of a seat beside its name; the script copies it from here."""
    return element(
        "svg", seat_mark(seat, 0, 0), id=f"mark-{seat}", class_="seat", viewBox="-9 -9 18 18", aria_hidden="true"
    )


def _fact(name: str, what: str) -> tuple[Element, Element]:
    return element("dt", name), element("dd", what)


def _packed(recording: Recording, caption: Caption) -> str:
    """The recording as compressed JSON in base 64: an eighth of its size, and no `<` in it could end its element."""
    tracks = tuple(_Track(track.viewer, _viewer(track.viewer, caption), track.frames) for track in recording.tracks)
    data = _Data(recording.parts, recording.layers, recording.words, recording.lists, tracks, caption.result)
    return base64.b64encode(zlib.compress(msgspec.json.encode(data), 9)).decode()


def _viewer(viewer: Seat | None, caption: Caption) -> str:
    return "everyone" if viewer is None else f"seat {viewer}, {caption.players[viewer].name}"
