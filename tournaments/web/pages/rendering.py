"""Templates become pages here, and nowhere else. What is put into a template becomes text: it is escaped, always."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from referee.core.printable import printable
from referee.drawing.svg import Element, markup, plain
from tournaments.web.pages import cell_colours, number_format, words
from tournaments.web.pages.pagination import Part
from tournaments.web.pages.urls import Links, PageAddress


class Page(NamedTuple):
    """A page before it is written.

    Attributes:
        place: where it is.
        title: above it, and in the title of the window.
        template: the name of its template, without the end.
        shown: what the template shows, by name.
        value: what the page shows, for programs: its JSON.
        parts: links to the other parts of a long page.
    """

    place: PageAddress
    title: str
    template: str
    shown: Mapping[str, object]
    value: object
    parts: Sequence[Part] = ()


class MenuLink(NamedTuple):
    """A link of the menu.

    Attributes:
        place: where it leads.
        label: what it says.
    """

    place: PageAddress
    label: str


class PageFrame(NamedTuple):
    """What stands around every page of a league.

    Attributes:
        heading: the name of the league.
        about: what is said beside it.
        doors: the menu.
        feed: the address from which a page hears that something has changed; None: it does not listen.
        viewer: who looks on, in words; None for a visitor who cannot log in.
        policy: what the page may do, if it must say so itself because no server does.
        made: when it was written, in milliseconds since 1970 (UTC); None if it is of now.
        board: the name of the style sheet of pictures.
        login: the address where one logs in, or, as an author, out; None if one cannot.
        submit: the address where bots are submitted; None if they cannot be.
        play: the address where visitors play against bots; None if they cannot.
    """

    heading: str
    about: str
    doors: tuple[MenuLink, ...]
    made: int | None = None
    board: str = ""
    feed: str | None = None
    viewer: str | None = None
    policy: str | None = None
    login: str | None = None
    submit: str | None = None
    play: str | None = None


FILES_ONLY = (
    "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
"""What a page may do that is opened from disk. There `'self'` is no place of its own, so files are named."""


def rendered(page: Page, frame: PageFrame, links: Links) -> str:
    """The page as HTML."""
    return _template(page.template).render(page.shown, page=page, frame=frame, links=links, to=links.to)


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
        finalize=_shown,
    )
    made.globals |= {"say": words.SAY, "heat_key": cell_colours.KEY, "Place": PageAddress}
    made.filters |= {name: getattr(number_format, name) for name in _FILTERS}
    made.filters |= {"drawn": _drawn, "lines": _lines, "moment": _moment}
    return made


_FILTERS = ("chance", "count", "decimal", "interval", "milliseconds", "percent", "places", "signed", "tenths")


def _shown(value: object) -> object:
    """Foreign text on one line, with escapes for what cannot be printed. Blocks of text are made so by `lines`."""
    return plain(value) if type(value) is str else value


def _lines(text: str) -> Markup:
    """Foreign text with its line breaks."""
    return escape(printable(text))


def _moment(ms: int) -> Markup:
    """A moment, which the script tells in the reader's zone."""
    return Markup('<time datetime="{}">{}</time>').format(number_format.iso(ms), number_format.utc(ms))


def _drawn(drawing: Element) -> Markup:
    """A drawing as markup: it is made of elements, whose text and attributes are escaped when they are written."""
    return Markup(markup(drawing))  # noqa: S704 - `markup` escapes


def look(name: str) -> bytes:
    """A file of the look, as it is stored."""
    return files("tournaments.web.pages").joinpath("look", name).read_bytes()
