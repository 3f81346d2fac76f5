"""The pages for people: forms to open a table or to take the seat of an invitation, the rules, scripts and styles.

A form offers how many seats a game has with each choice of options, and who sits with whom. The rules come from the
game's package, in words. This module fills in the templates.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, TypeAlias
from urllib.parse import urlencode

import msgspec

from referee.core.game import AnyGame, RulesInWords
from referee.core.outcome import Seat
from referee.drawing.look import PICTURE, variables
from referee.drawing.page.html import gliding
from referee.drawing.registry import drawer
from referee.drawing.svg import Element, element, markup
from referee.files.options import KnownOption, OptionsError, known_options, listed_options, read_options, seats_of
from referee.match.narrator import tell_option
from referee.runtime.person import LONGEST_NAME
from referee.wire.registry import game_entry
from tournaments.web.pages.urls import PageAddress, ServedLinks
from tournaments.web.visitors.protocol import NAME, OPTION, PERSON, SEAT, SEATS, TableOffer

Sides: TypeAlias = tuple[int | None, ...]
"""By seat, the number of its side; None if it plays for itself, or if luck decides."""


class Seating(msgspec.Struct, frozen=True):
    """The possible tables of a game.

    Attributes:
        options: the options on which the seats depend.
        tables: by the values of these options, with commas between: by number of players, the sides.
    """

    options: tuple[str, ...]
    tables: dict[str, dict[int, Sides]]


def seating(game: AnyGame) -> Seating:
    """The tables of a game with all options that have lists of values."""
    found = [(_options_text(chosen), dict(_sides(game, options))) for chosen, options in listed_options(game)]
    needed = tuple(name for name in found[0][0] if _decides(name, found))
    return Seating(needed, {",".join(chosen[name] for name in needed): tables for chosen, tables in found})


def _options_text(chosen: Mapping[str, Any]) -> dict[str, str]:
    return {name: "" if value is None else tell_option(value) for name, value in chosen.items()}


def _sides(game: AnyGame, options: Any) -> Iterator[tuple[int, Sides]]:
    for seats in game.seats(options):
        by_seat = {seat: number for number, side in enumerate(game.sides(options, seats)) for seat in side.seats}
        yield seats, tuple(by_seat.get(seat) for seat in range(seats))


def _decides(name: str, choices: Iterable[tuple[Mapping[str, str], Mapping[int, Sides]]]) -> bool:
    """Whether the tables depend on this option: they differ for some choice of the others."""
    tables = defaultdict(set)
    for chosen, possible in choices:
        others = tuple(value for other, value in chosen.items() if other != name)
        tables[others].add(tuple(possible.items()))
    return any(len(different) > 1 for different in tables.values())


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
    return files(__package__).joinpath("files", name).read_text(encoding="utf-8")


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
    return variables() + _file("visitors.css")


@cache
def style_of(game: str) -> str:
    """The style sheet of the pictures of a game.

    Raises:
        WrongUse: no installed package has the game.
    """
    return PICTURE + drawer(game_entry(game).game).style


_NONE = "The package of this game has no rules in words. Ask the organizer where to find them."
_ITEM = re.compile(r"(?:-|\d+\.) ")


def rules_address(at: str, game: str, options: Mapping[str, Any] | None = None, seats: int = 0) -> str:
    """The address of the rules of a game, with these options and so many players if they are known."""
    chosen = {f"{OPTION}{name}": tell_option(it) for name, it in (options or {}).items() if it is not None}
    query = urlencode(chosen | ({"seats": seats} if seats else {}))
    return f"{at}/rules/{game}{'?' if query else ''}{query}"


def rules_page(game: AnyGame, values: Mapping[str, str], seats: str, at: str) -> str:
    """The page. Options that are impossible have their defaults, and so has the number of players."""
    try:
        options = read_options(game, {name: value for name, value in values.items() if value}, "")
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


NOBODY = ""
"""The value of a seat that does not exist."""

YOU = "you"
"""The value of the seat of the visitor. No bot has this name, since the names of entries contain `@`."""

BY_SEAT = "each."
"""The prefix of the fields for options that name one thing for each seat; after it the option, a dot and the seat."""

_LINKS = ServedLinks()
_HOME = PageAddress("leagues")
_TITLE = "Play against the bots"
_JOIN = "Take your seat"


class SentForm(msgspec.Struct, frozen=True):
    """What a visitor sent in a form, and why it was refused.

    Attributes:
        fields: the values by field.
        trouble: the refusal; empty if there is none.
        field: the field that the refusal is about; empty if it is about none.
    """

    fields: Mapping[str, str]
    trouble: str = ""
    field: str = ""


class _Form:
    """One form, whose fields have ids that begin with `prefix`."""

    def __init__(self, prefix: str, form: SentForm) -> None:
        self.form = form
        self._prefix = prefix

    def id(self, field: str) -> str:
        return f"{self._prefix}-{field}".replace(".", "-")

    def message(self, field: str) -> tuple[Element, ...]:
        """The refusal, if it is about this field."""
        if not self.form.trouble or self.form.field != field:
            return ()
        own = f"{self.id(field)}-trouble"
        return (element("p", self.form.trouble, class_="trouble at-field", role="alert", id=own),)

    def marks(self, field: str, *hints: str) -> dict[str, str | None]:
        """The attributes of a control: whether it is wrong, and the ids of all texts that describe it."""
        wrong = bool(self.message(field))
        ids = [*hints, *([f"{self.id(field)}-trouble"] if wrong else [])]
        return {
            "name": field,
            "id": self.id(field),
            "aria_invalid": "true" if wrong else None,
            "aria_describedby": " ".join(ids) or None,
            "autofocus": "" if wrong else None,
        }

    def select(self, field: str, choices: Sequence[tuple[str, str]], usual: str, label: str | None = None) -> Element:
        """A list of choices, each a value and its words."""
        now = self.form.fields.get(field, usual)
        parts = [element("option", it, value=value, selected="" if value == now else None) for value, it in choices]
        return element("select", *parts, aria_label=label, **self.marks(field))


def lobby(offers: Sequence[TableOffer], games: Mapping[str, AnyGame], at: str, form: SentForm) -> str:
    """The page with a form for each league.

    `at` is the address of the tables for people, without a final slash; `form` is what the visitor sent before.
    """
    league = form.fields.get("league", "")
    forms = [_table(offer, games[offer.game], at, form if offer.league == league else SentForm({})) for offer in offers]
    none = element("p", "The organizer has opened no bots to visitors yet.")
    lost = "" if any(offer.league == league for offer in offers) else form.trouble
    return _page(_TITLE, at, [*_trouble(lost), *(forms or [none])])


def invitation(at: str, action: str, form: SentForm) -> str:
    """The page to take a seat. The browser sends the form to the address `action`."""
    parts = _Form("seat", form)
    fields = element("div", *_name(parts), class_="fields")
    hint = element("p", "The match begins when everybody is there.", class_="hint")
    other = _trouble("" if form.field else form.trouble)
    card = element("form", *other, fields, hint, _submit("Sit down"), method="post", action=action, class_="card")
    return _page(_JOIN, at, [card])


def _page(title: str, at: str, body: Iterable[Element]) -> str:
    return form_page(title, at, (_LINKS.to(_HOME), "Leagues"), body)


def _trouble(words: str) -> tuple[Element, ...]:
    return (element("p", words, class_="trouble", role="alert"),) if words else ()


def _table(offer: TableOffer, game: AnyGame, at: str, form: SentForm) -> Element:
    parts, options, possible = _Form(offer.league, form), known_options(game), seats_of(game)
    fields = element(
        "div",
        *_name(parts),
        *(part for option in options if not option.by_seat for part in _option(parts, option)),
        class_="fields",
    )
    by_seat = [option for option in options if option.by_seat]
    return element(
        "form",
        element("h2", _league(offer.league), f": {offer.game}"),
        element("p", f"{_players(possible)}; {_time(offer.move_ms)} for a decision.", class_="hint"),
        element("p", _rules(offer.game, at)),
        *_trouble("" if form.field else form.trouble),
        element("input", type="hidden", name="league", value=offer.league),
        fields,
        _seats(parts, offer.opponents, by_seat, possible),
        _submit("Open the table"),
        method="post",
        action=f"{at}/tables",
        class_="card",
        data_seating=msgspec.json.encode(seating(game)).decode(),
    )  # fmt: skip


def _rules(game: str, at: str) -> Element:
    return element("a", f"Rules of {game}", href=rules_address(at, game), target="_blank", class_="rules-link")


def _players(seats: Sequence[int]) -> str:
    """The possible numbers of players, as a range: no game has gaps in it."""
    few, many = min(seats), max(seats)
    return f"{few} players" if few == many else f"{few} to {many} players"


def _league(name: str) -> Element:
    """The link to the pages of a league."""
    return element("a", name, href=_LINKS.to(PageAddress("standings", name)))


def _time(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    words = [f"{minutes} min"] * bool(minutes) + [f"{seconds} s"] * bool(seconds)
    return " ".join(words)


def _name(parts: _Form) -> tuple[Element, ...]:
    hint_id = f"{parts.id(NAME)}-hint"
    typed = element(
        "input", type="text", required="", maxlength=LONGEST_NAME, pattern="[A-Za-z0-9_\\-]+", autocomplete="nickname",
        value=parts.form.fields.get(NAME) or None, **parts.marks(NAME, hint_id),
    )  # fmt: skip
    hint = element("span", "Letters, digits, - and _. Others see it with ~ before it.", class_="hint", id=hint_id)
    return element("label", "Your name", for_=parts.id(NAME)), typed, hint, *parts.message(NAME)


def _option(parts: _Form, option: KnownOption) -> tuple[Element, ...]:
    field = OPTION + option.name
    label = element("label", _label(option), for_=parts.id(field))
    given = "" if option.default is None else tell_option(option.default)
    if option.values:
        chosen = [(tell_option(it), _option_value_text(it)) for it in option.values]
        return label, parts.select(field, chosen, given), *parts.message(field)
    hint_id = f"{parts.id(field)}-hint"
    typed = element(
        "input", type="text", value=parts.form.fields.get(field, given), maxlength=80, **parts.marks(field, hint_id)
    )
    allowed = f"{option.allowed}; or nothing, for the usual" if option.default is None else option.allowed
    return label, typed, element("span", allowed, class_="hint", id=hint_id), *parts.message(field)


def _label(option: KnownOption) -> str:
    return option.name.replace("_", " ").capitalize()


def _option_value_text(value: object) -> str:
    """A value of an option as visitors read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return tell_option(value).replace("_", " ").replace(",", " and ")


def _seats(parts: _Form, bots: Sequence[str], by_seat: Sequence[KnownOption], possible: Sequence[int]) -> Element:
    """The choice of the players. A script hides the seats that do not exist with the chosen options."""
    messages = [*parts.message(SEATS), *(it for option in by_seat for it in parts.message(OPTION + option.name))]
    rows = [_seat(parts, seat, bots, by_seat, min(possible)) for seat in range(max(possible))]
    described = f"{parts.id(SEATS)}-trouble" if parts.message(SEATS) else None
    return element(
        "fieldset", element("legend", "Seats"), *messages, *rows, class_="seating", aria_describedby=described
    )


def _seat(parts: _Form, seat: Seat, bots: Sequence[str], by_seat: Sequence[KnownOption], fewest: int) -> Element:
    field = f"{SEAT}{seat}"
    players = [(YOU, "you"), (PERSON, "another person"), *((bot, bot) for bot in bots)]
    if seat >= fewest:
        players.append((NOBODY, "nobody"))
    usual = YOU if seat == 0 else NOBODY if seat >= fewest or not bots else bots[0]
    own = [_option_of_seat(parts, seat, option) for option in by_seat]
    label = element("label", f"Seat {seat}", element("span", class_="side hint"), for_=parts.id(field))
    messages = [*parts.message(field), *(it for option in by_seat for it in parts.message(_seat_field(option, seat)))]
    chosen = element("span", parts.select(field, players, usual), *own, class_="choices")
    return element("div", label, chosen, *messages, class_="row", data_seat=seat)


def _option_of_seat(parts: _Form, seat: Seat, option: KnownOption) -> Element:
    choices = [
        ("", f"{_label(option).lower()}: {_option_value_text(option.default)}"),
        *((it, _option_value_text(it)) for it in option.by_seat),
    ]
    return parts.select(_seat_field(option, seat), choices, "", f"{_label(option)}, seat {seat}")


def _seat_field(option: KnownOption, seat: Seat) -> str:
    return f"{BY_SEAT}{option.name}.{seat}"


def _submit(words: str) -> Element:
    return element("p", element("button", words, type="submit", class_="first"), class_="buttons")
