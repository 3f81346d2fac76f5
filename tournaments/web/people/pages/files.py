"""The files of the pages: templates that are filled in here, and what browsers fetch besides."""

from functools import cache
from importlib.resources import files
from string import Template

from referee.drawing.page.html import gliding
from referee.drawing.registry import drawer
from referee.drawing.tokens import PICTURE, variables


def filled(template: str, **words: str) -> str:
    """A page. All words must be markup already."""
    return Template(_file(template)).substitute(words)


@cache
def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """What a page of a table runs."""
    return gliding() + _file("table.js")


@cache
def style() -> str:
    """How pages look."""
    return variables() + _file("parlour.css")


@cache
def style_of(game: str) -> str:
    """How pictures of a game look.

    Raises:
        WrongUse: no installed package draws it.
    """
    return PICTURE + drawer(game).style
