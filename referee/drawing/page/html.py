"""The page around a recording."""

import base64
import hashlib
import zlib
from collections.abc import Sequence
from importlib.resources import files
from string import Template

import msgspec
from msgspec.structs import asdict

from referee.core.outcome import Seat
from referee.drawing.drawer import AnyDrawer
from referee.drawing.look import PICTURE, variables
from referee.drawing.marks import seat_mark
from referee.drawing.page.caption import Caption, for_everyone, for_seat
from referee.drawing.page.course import Course, course
from referee.drawing.playback import Playback
from referee.drawing.recording import Recording, record_all, record_seat
from referee.drawing.steps import drawn_steps, shapes
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
        found = course(watched, drawer, caption.names)
        return _packed(record_all(watched, drawer, caption.names), caption, won(watched), found)


def page_of_seat(watched: Playback, drawer: AnyDrawer, seat: Seat) -> str:
    """The page that shows what one seat saw. It holds nothing that this seat was not sent.

    Raises:
        GameBug: the game or its drawer raised an exception.
    """
    caption = for_seat(watched, drawer, seat)
    failed = any(fault.seat == seat for fault in watched.transcript.record.faults)  # it learns nothing of the places
    with blame_game(watched.transcript.record):
        recording = record_seat(watched, drawer, caption.names, seat)
        picture = first_picture(watched, drawer, seat)
    return _page(_packed(recording, caption, () if failed else won(watched)), caption, picture, drawer.style)


def _page(recording: str, caption: Caption, picture: Element, style_of_the_game: str) -> str:
    style = f"{variables()}{PICTURE}{style_of_the_game}{_file('page.css')}{replay_style()}"
    script = replay_script()
    heading = (
        element("h1", caption.heading, class_="unseen"),
        seated([it.name for it in caption.players]),
        element("p", caption.game, class_="about", title=caption.game),
    )
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
            deal="",
            result=markup((element("p", f"{caption.result}."), *remarks)),
            facts=markup(_facts(caption)),
        ),
        recording=recording,
    )


def first_picture(watched: Playback, drawer: AnyDrawer, seat: Seat | None) -> Element:
    """The picture of the first step in all shapes, as a seat or, with None, an onlooker sees it."""
    step = next(drawn_steps(watched, drawer, seat))
    return element("div", *shapes(drawer, watched.options, watched.seats, step.layers), id="board")


def replay_parts(board: Element, **markup_by_name: str) -> str:
    """The markup of a replay in a page. `markup_by_name` has that of its head, players, result, deal and facts."""
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


def seated(names: Sequence[str]) -> Element:
    """The names of the players by seat, for the upper edge. The script adds who has won."""
    lines = (element("li", seat_shape(seat), element("span", it, title=it)) for seat, it in enumerate(names))
    return element("ul", *lines, class_="seated", aria_label="Players by seat")


def _players(caption: Caption) -> Element:
    lines = (element("li", it.name, *(element("small", note) for note in it.notes)) for it in caption.players)
    return element("ul", *lines)


def won(watched: Playback) -> tuple[Seat, ...]:
    """The seats that have won; none if all have the same place."""
    places = watched.transcript.record.outcome.places
    return tuple(seat for seat, place in enumerate(places) if place == 1 and len(set(places)) > 1)


def seat_shape(seat: Seat) -> Element:
    """The shape of a seat beside its name. The script copies it from here."""
    return element(
        "svg", seat_mark(seat, 0, 0), id=f"mark-{seat}", class_="seat", viewBox="-9 -9 18 18", aria_hidden="true"
    )


def _facts(caption: Caption) -> Element:
    lines = (part for name, what in caption.facts for part in (element("dt", name), element("dd", what)))
    return element("details", element("summary", "The match, and how to verify it"), element("dl", *lines))


def _packed(recording: Recording, caption: Caption, won: tuple[Seat, ...], found: Course | None = None) -> str:
    """The recording as compressed JSON in base 64: an eighth of its size, and no `<` in it could end its element."""
    data = asdict(recording) | {
        "viewers": [_viewer(track.viewer, caption) for track in recording.tracks],
        "names": [caption.names.of(seat) for seat in range(len(caption.players))],
        "result": caption.result,
        "won": won,
        "course": found or Course(),
    }
    return base64.b64encode(zlib.compress(msgspec.json.encode(data), 9)).decode()


def _viewer(viewer: Seat | None, caption: Caption) -> str:
    return "everyone" if viewer is None else caption.names.of(viewer)
