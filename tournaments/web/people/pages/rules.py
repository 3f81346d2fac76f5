"""The page with the rules of a game in words, which the game's package brings with it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from referee.core.game import AnyGame, RulesInWords
from referee.drawing.svg import Element, element
from referee.files.options import OptionsError, read_options
from referee.match.narrator import tell_option
from tournaments.web.people.pages.files import form_page
from tournaments.web.people.table_request import OPTION

_NONE = "The package of this game has no rules in words. Ask the organizer where to find them."
_ITEM = re.compile(r"(?:-|\d+\.) ")


def rules_address(at: str, game: str, options: Mapping[str, Any] | None = None, seats: int = 0) -> str:
    """The address of the rules of a game, with these options and so many players if they are known."""
    chosen = {f"{OPTION}{name}": tell_option(it) for name, it in (options or {}).items() if it is not None}
    query = urlencode(chosen | ({"seats": seats} if seats else {}))
    return f"{at}/rules/{game}{'?' if query else ''}{query}"


def rules_page(game: AnyGame, given: Mapping[str, str], seats: str, at: str) -> str:
    """The page. Options that are impossible have their defaults, and so has the number of players."""
    try:
        options = read_options(game, {name: value for name, value in given.items() if value}, "")
    except OptionsError:
        options = game.options_type()
    fitting = {str(number): number for number in game.seats(options)}
    text = (
        game.rules_text(options, fitting.get(seats, min(fitting.values()))) if isinstance(game, RulesInWords) else _NONE
    )
    card = element("article", *_blocks(text), class_="card rules")
    return form_page(f"Rules: {game.name}", at, (f"{at}/", "Play"), [card])


def _blocks(text: str) -> Iterator[Element]:
    """The headings, paragraphs and lists of a text in Markdown."""
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.splitlines()
        if _ITEM.match(lines[0]):
            items = re.split(r"\n(?=(?:-|\d+\.) )", block)
            kind = "ul" if block.startswith("-") else "ol"
            yield element(kind, *(element("li", " ".join(_ITEM.sub("", item, count=1).split())) for item in items))
        elif lines[0].startswith("#"):
            if lines[0].startswith("## "):  # the title of the page is that of the text
                yield element("h2", lines[0].lstrip("# "))
            if lines[1:]:
                yield element("p", " ".join(lines[1:]))
        else:
            yield element("p", " ".join(block.split()))
