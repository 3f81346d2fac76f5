"""Renders templates to pages. Only this module does. It always escapes the values in a template."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from referee.core.text import printable, several
from referee.drawing.look import variables
from referee.drawing.page.html import gliding, replay_parts, replay_script, replay_style, seat_shape
from referee.drawing.svg import Element, element, markup, plain
from tournaments.web.pages import number_format, scales, words
from tournaments.web.pages.lists import Part
from tournaments.web.pages.urls import Kind, Links, PageAddress
from tournaments.web.visibility.league_view import LeagueView


class Page(NamedTuple):
    """A page before rendering.

    Attributes:
        place: its address.
        title: the heading, and the title of the window.
        template: the name of its template, without the suffix.
        context: the values of the template, by name.
        value: the content of the page, for programs: its JSON.
        parts: links to the other parts of a long page.
    """

    place: PageAddress
    title: str
    template: str
    context: Mapping[str, object]
    value: object
    parts: Sequence[Part] = ()


class PageFrame(NamedTuple):
    """The common frame of pages.

    Attributes:
        league: the league; None: the page is of none.
        feed: the address of the stream that reports changes; None: the page does not listen.
        viewer: the viewer, in words; None for a visitor who cannot log in.
        policy: the content security policy, if no server sends one.
        made: when it was written, in milliseconds since 1970 (UTC); None if the page is current.
        login: the address to log in, or, for an author, to log out; None if there is none.
        submit: the address to submit bots; None if the league takes none.
        play: the address where visitors play against bots; None if there is none.
        base: the address of the league at its server; None if the page is a file.
        origin: the beginning of whole addresses of the server, as its reader wrote it; None if the page is a file.
    """

    league: LeagueView | None = None
    made: int | None = None
    feed: str | None = None
    viewer: str | None = None
    policy: str | None = None
    login: str | None = None
    submit: str | None = None
    play: str | None = None
    base: str | None = None
    origin: str | None = None

    @property
    def heading(self) -> str:
        """The heading of all pages."""
        return "Leagues" if self.league is None else words.title(self.league)


FILES_ONLY = (
    "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file: data:; base-uri 'none'; "
    "form-action 'none'"
)
"""The policy of a page that is opened from disk. There `'self'` does not name an origin, so the policy names files."""


def rendered(page: Page, frame: PageFrame, links: Links) -> str:
    """The page as HTML."""

    def link_to(kind: Kind, key: str = "") -> str:
        """The address of another page of the same league."""
        return links.to(PageAddress(kind, page.place.league, key))

    return filled(page.template, links, page.context, page=page, frame=frame, link_to=link_to)


def filled(template: str, links: Links, context: Mapping[str, object], **more: object) -> str:
    """The template with these values, as HTML."""
    return _template(template).render(context, links=links, to=links.to, **more)


@cache
def _template(name: str) -> Template:
    return _environment().get_template(f"{name}.html")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("tournaments.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    made.globals |= {"words": words, "heat_key": scales.KEY, "Place": PageAddress}
    made.globals |= {"glyphs": GLYPHS, "replay_parts": _replay_parts, "seat_shape": seat_shape, "curves": scales.curves}
    made.filters |= {name: getattr(number_format, name) for name in _FILTERS}
    made.filters |= {
        "bot": words.bot,
        "drawn": _drawn,
        "lines": _lines,
        "moment": _moment,
        "qr": _qr,
        "utc": _utc,
        "several": several,
        "trend": scales.trend,
    }
    return made


_FILTERS = ("chance", "count", "decimal", "elo", "interval", "milliseconds", "percent", "signed", "tenths")


def _printable(value: object) -> object:
    """Foreign text on one line, with escapes for what cannot be printed. Blocks of text are made so by `lines`."""
    if type(value) is not str:
        return value
    return value.rstrip() if value.isprintable() else plain(value)  # a page has thousands, nearly all printable


def _lines(text: str) -> Markup:
    """Foreign text with its line breaks."""
    return escape(printable(text))


def _moment(ms: int) -> Markup:
    """A time, which the script shows in the reader's time zone."""
    return Markup('<time datetime="{}">{:%Y-%m-%d %H:%M UTC}</time>').format(
        _utc(ms), datetime.fromtimestamp(ms / 1000, UTC)
    )


def _utc(ms: int) -> str:
    """A time for programs (RFC 3339)."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _drawn(drawing: Element) -> Markup:
    """A drawing as markup. `markup` escapes the text and the attributes of its elements."""
    return Markup(markup(drawing))  # noqa: S704 - `markup` escapes


def _qr(text: str) -> Element | None:
    """A text as a QR code, with the free space around it that cameras need; None if no package makes such codes."""
    if find_spec("segno") is None:
        return None
    import segno  # noqa: PLC0415 - only servers have addresses

    rows = [*segno.make(text, micro=False).matrix_iter(border=4)]
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, bit in enumerate(row) if bit)
    size = len(rows)
    ground = element("rect", width=size, height=size, class_="qr-ground")
    return element(
        "svg", ground, element("path", d=dark), viewBox=f"0 0 {size} {size}", class_="qr", aria_hidden="true"
    )


def _replay_parts(board: Element, head: Markup, players: Markup, result: Markup, deal: Markup, facts: Markup) -> Markup:
    """The frame of a replay around parts of a template."""
    return Markup(replay_parts(board, head=head, players=players, result=result, deal=deal, facts=facts))  # noqa: S704 - see above


GLYPHS = ("agent-avenue", "agonia", "inside-job")
"""The games with an icon for leagues without their own, `glyph-GAME.svg`, and with a picture for links to a match:
`preview-GAME.png`, 900 by 473 pixels. It shows another match."""


_BEGINNINGS: Mapping[str, Callable[[], str]] = {
    "pages.css": variables,
    "visitors.css": variables,
    "seat.js": gliding,
    "replay.css": replay_style,
    "replay.js": replay_script,
}
"""What comes before the text of a file in the folder `look`, or is all of it."""


@cache
def look(name: str) -> bytes:
    """A style sheet, script or picture."""
    beginning = _BEGINNINGS[name]().encode() if name in _BEGINNINGS else b""
    file = files("tournaments.web.pages").joinpath("look", name)
    return beginning + (file.read_bytes() if file.is_file() else b"")
