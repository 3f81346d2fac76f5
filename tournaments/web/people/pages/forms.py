"""The pages with forms. A visitor uses them to open a table, or to take the seat of an invitation."""

from collections.abc import Iterable, Mapping, Sequence

from referee.core.game import AnyGame
from referee.drawing.svg import Element, element, markup
from referee.files.options import KnownOption, known_options, seats_of
from referee.match.narrator import tell_option
from referee.runtime.person import LONGEST_NAME
from tournaments.web.pages.urls import PageAddress, ServedLinks
from tournaments.web.people.pages.files import filled
from tournaments.web.people.protocol import TableOffer
from tournaments.web.people.table_request import PERSON

NOBODY = ""
"""The value of a seat that does not exist."""

OPTION, SEAT = "option.", "seat."
"""The prefixes of the names of the fields for options and for seats."""

_LINKS = ServedLinks()
_HOME = PageAddress("leagues")
_TITLE = "Play against the bots"
_JOIN = "Take your seat"


def lobby(offers: Sequence[TableOffer], games: Mapping[str, AnyGame], at: str, trouble: str = "") -> str:
    """The page with a form for each league.

    `at` is the address of the tables for people, without a final slash; `trouble` is the last refusal.
    """
    forms = [_table(offer, games[offer.game], at) for offer in offers]
    none = element("p", "The organizer has opened no bots to visitors yet.")
    return _page(_TITLE, at, [*_trouble(trouble), *(forms or [none])])


def invitation(at: str, action: str, trouble: str = "") -> str:
    """The page to take a seat. The browser sends the form to the address `action`."""
    fields = element("div", *_name("name"), class_="fields")
    hint = element("p", "The match begins when everybody is there.", class_="hint")
    form = element("form", fields, hint, _submit("Sit down"), method="post", action=action, class_="card")
    return _page(_JOIN, at, [*_trouble(trouble), form])


def refusal(at: str, why: str) -> str:
    """The page for a refused request, with the reason."""
    on = element("p", element("a", _TITLE, href=f"{at}/"))
    return _page("That is not possible", at, [element("section", *_trouble(why), on, class_="card")])


def _page(title: str, at: str, body: Iterable[Element]) -> str:
    return filled(
        "form.html", title=title, files=markup(f"{at}/files"), home=markup(_LINKS.to(_HOME)), body=markup(body)
    )


def _trouble(words: str) -> tuple[Element, ...]:
    return (element("p", words, class_="trouble", role="alert"),) if words else ()


def _table(offer: TableOffer, game: AnyGame, at: str) -> Element:
    fields = element(
        "div",
        *_name(f"{offer.league}-name"),
        *(part for option in known_options(game) for part in _option(offer.league, option)),
        *(part for seat in range(max(seats_of(game))) for part in _seat(offer, seat, min(seats_of(game)))),
        class_="fields",
    )
    return element(
        "form",
        element("h2", _league(offer.league), f": {offer.game}"),
        element("p", f"{_players(seats_of(game))}; {_time(offer.move_ms)} for a decision.", class_="hint"),
        element("input", type="hidden", name="league", value=offer.league),
        fields,
        _submit("Open the table"),
        method="post",
        action=f"{at}/tables",
        class_="card",
    )  # fmt: skip


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


def _name(field: str) -> tuple[Element, ...]:
    typed = element(
        "input", type="text", name="name", id=field, required="", maxlength=LONGEST_NAME, pattern="[A-Za-z0-9_\\-]+",
        autocomplete="nickname", aria_describedby=f"{field}-hint",
    )  # fmt: skip
    hint = element(
        "span", "Letters, digits, - and _. Others see it with ~ before it.", class_="hint", id=f"{field}-hint"
    )
    return element("label", "Your name", for_=field), typed, hint


def _option(league: str, option: KnownOption) -> tuple[Element, ...]:
    field = f"{league}-{option.name}"
    label = element("label", option.name.replace("_", " ").capitalize(), for_=field)
    if option.values:
        chosen = [_choice(tell_option(it), _told(it), selected=it == option.default) for it in option.values]
        return label, element("select", *chosen, name=OPTION + option.name, id=field)
    given = "" if option.default is None else tell_option(option.default)
    typed = element(
        "input", type="text", name=OPTION + option.name, id=field, value=given, maxlength=80,
        aria_describedby=f"{field}-hint",
    )  # fmt: skip
    allowed = f"{option.allowed}; or nothing, for the usual" if option.default is None else option.allowed
    return label, typed, element("span", allowed, class_="hint", id=f"{field}-hint")


def _told(value: object) -> str:
    """A value of an option as visitors read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return tell_option(value).replace("_", " ")


def _seat(offer: TableOffer, seat: int, fewest: int) -> tuple[Element, ...]:
    field = f"{offer.league}-seat-{seat}"
    bots = [
        _choice(name, name, selected=0 < seat < fewest and number == 0) for number, name in enumerate(offer.opponents)
    ]
    nobody = [_choice(NOBODY, "nobody", selected=True)] if seat >= fewest else []
    person = _choice(PERSON, "a person" if seat else "you", selected=seat == 0)
    label = element("label", f"Seat {seat}", for_=field)
    return label, element("select", person, *bots, *nobody, name=f"{SEAT}{seat}", id=field)


def _choice(value: str, words: str, *, selected: bool) -> Element:
    return element("option", words, value=value, selected="" if selected else None)


def _submit(words: str) -> Element:
    return element("p", element("button", words, type="submit", class_="first"), class_="buttons")
