"""The files of the pages: templates, which this module fills in, and the scripts and style sheets for browsers."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from string import Template

from referee.drawing.look import PICTURE, variables
from referee.drawing.page.html import gliding
from referee.drawing.registry import drawer
from referee.drawing.svg import Element, markup
from referee.wire.registry import game_entry


def filled(template: str, **words: str) -> str:
    """A page from a template. All values must be markup already."""
    return Template(_file(template)).substitute(words)


def form_page(title: str, at: str, back: tuple[str, str], body: Iterable[Element]) -> str:
    """A page of forms or text. `at` is the address of the tables; `back` is an address to go back to, and its name."""
    address, name = back
    return filled(
        "form.html", title=title, files=markup(f"{at}/files"), home=markup(address), back=name, body=markup(body)
    )


@cache
def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """The script of a table's page."""
    return gliding() + _file("table.js")


@cache
def lobby_script() -> str:
    """The script of the page with the forms."""
    return _file("lobby.js")


@cache
def style() -> str:
    """The style sheet of the pages."""
    return variables() + _file("parlour.css")


@cache
def style_of(game: str) -> str:
    """The style sheet of the pictures of a game.

    Raises:
        WrongUse: no installed package has the game.
    """
    return PICTURE + drawer(game_entry(game).game).style
