"""The page around a recording."""

import base64
import hashlib
import zlib
from importlib.resources import files
from string import Template

import msgspec
from msgspec.structs import asdict

from referee.core.outcome import Seat
from referee.drawing.drawer import AnyDrawer
from referee.drawing.look import PICTURE, variables
from referee.drawing.marks import seat_mark
from referee.drawing.page.caption import Caption, for_everyone, for_seat
from referee.drawing.page.course import course
from referee.drawing.playback import Playback
from referee.drawing.recording import Recording, record_all, record_seat
from referee.drawing.steps import board, drawn_steps
from referee.drawing.svg import Element, element, markup
from referee.match.replay import blame_game


def page_of_all(watched: Playback, drawer: AnyDrawer) -> str:
    """The page that shows a match to everyone, and the view of each seat.

    Raises:
        GameBug: the game or its drawer raised an exception.
    """
    with blame_game(watched.transcript.record):
        picture = first_picture(watched, drawer, None)
    return _page(recording_of_all(watched, drawer), for_everyone(watched, drawer), picture, drawer.style)


def recording_of_all(watched: Playback, drawer: AnyDrawer) -> str:
    """What `page_of_all` steps through: the text of the element with the id `recording`.

    Raises:
        GameBug: the game or its drawer raised an exception.
    """
    caption = for_everyone(watched, drawer)
    with blame_game(watched.transcript.record):
        return _packed(record_all(watched, drawer, caption.names), caption, *course(watched, drawer, caption.names))


def page_of_seat(watched: Playback, drawer: AnyDrawer, seat: Seat) -> str:
    """The page that shows what one seat saw. It holds nothing that this seat was not sent.

    Raises:
        GameBug: the game or its drawer raised an exception.
    """
    caption = for_seat(watched, drawer, seat)
    with blame_game(watched.transcript.record):
        recording = record_seat(watched, drawer, caption.names, seat)
        picture = first_picture(watched, drawer, seat)
    return _page(_packed(recording, caption), caption, picture, drawer.style)


def _page(recording: str, caption: Caption, picture: Element, style_of_the_game: str) -> str:
    style = f"{variables()}{PICTURE}{style_of_the_game}{_file('page.css')}{replay_style()}"
    script = replay_script()
    heading = element("h1", caption.heading), element("p", caption.game, class_="soft")
    remarks = (element("p", remark) for player in caption.players for remark in player.remarks)
    return Template(_file("page.html")).substitute(
        policy=_policy(style, script),
        style=style,
        script=script,
        title=markup(f"{caption.heading}, {caption.game}").replace('"', "&quot;"),
        replay=replay_parts(
            picture,
            head=markup(heading),
            players=markup(_players(caption)),
            result=markup((element("p", f"{caption.result}."), *remarks)),
            facts=markup(_facts(caption)),
        ),
        recording=recording,
    )


def first_picture(watched: Playback, drawer: AnyDrawer, seat: Seat | None) -> Element:
    """The picture of the first step, as a seat or, with None, an onlooker sees it."""
    step = next(drawn_steps(watched, drawer, seat))
    return board(drawer.size(watched.options, watched.seats), step.layers, aria_labelledby="sentence")


def replay_parts(board: Element, **markup_by_name: str) -> str:
    """The markup of a replay in a page. `markup_by_name` has the markup of its head, players, result and facts."""
    return Template(_file("replay.html")).substitute(board=markup(board), **markup_by_name)


def replay_style() -> str:
    """The style sheet of `replay_parts`."""
    return _file("replay.css")


def replay_script() -> str:
    """The script of `replay_parts`.

    It reads the element with the id `recording`. That has what `recording_of_all` makes, or `data-from`, the address of
    a page with such an element.
    """
    return gliding() + _file("player.js")


def gliding() -> str:
    """The part of a script that lets things glide to their places. Pages of persons begin with it, too."""
    return _file("glide.js")


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
        element("li", seat_shape(seat), player.name, *(element("small", note) for note in player.notes))
        for seat, player in enumerate(caption.players)
    )
    return element("ul", *lines)


def seat_shape(seat: Seat) -> Element:
    """The shape of a seat beside its name. The script copies it from here."""
    return element(
        "svg", seat_mark(seat, 0, 0), id=f"mark-{seat}", class_="seat", viewBox="-9 -9 18 18", aria_hidden="true"
    )


def _facts(caption: Caption) -> Element:
    lines = (part for name, what in caption.facts for part in (element("dt", name), element("dd", what)))
    return element("details", element("summary", "The match, and how to verify it"), element("dl", *lines))


def _packed(recording: Recording, caption: Caption, course: str = "", stand: tuple[str, ...] = ()) -> str:
    """The recording as compressed JSON in base 64: an eighth of its size, and no `<` in it could end its element."""
    data = asdict(recording) | {
        "viewers": [_viewer(track.viewer, caption) for track in recording.tracks],
        "names": [caption.names.of(seat) for seat in range(len(caption.players))],
        "result": caption.result,
        "course": course,
        "stand": stand,
    }
    return base64.b64encode(zlib.compress(msgspec.json.encode(data), 9)).decode()


def _viewer(viewer: Seat | None, caption: Caption) -> str:
    return "everyone" if viewer is None else f"{caption.names.of(viewer)}, seat {viewer}"
