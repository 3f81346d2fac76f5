"""The pages where visitors play: forms to open a table or to take the seat of an invitation, a seat, and the rules.

A form offers how many seats a game has with each choice of options, and who sits with whom. The rules come from the
game's package, in words.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlencode

import msgspec

from referee.core.game import AnyGame, RulesInWords
from referee.core.outcome import Seat
from referee.files.options import KnownOption, OptionsError, known_options, listed_options, read_options, seats_of
from referee.match.narrator import tell_option
from referee.runtime.person import LONGEST_NAME
from tournaments.web.pages import words
from tournaments.web.pages.rendering import filled
from tournaments.web.pages.urls import PLAY, SERVED, PageAddress
from tournaments.web.visitors.protocol import OPTION, PERSON, SEAT, SEATS, TableOffer, TableSettings

AT = PLAY.rstrip("/")
"""The address of the tables."""

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


def _filled(template: str, title: str, **context: object) -> str:
    back = {"back": SERVED.to(PageAddress("leagues")), "back_to": "Leagues"}
    return filled(template, SERVED, {"at": AT, "title": title, "longest_name": LONGEST_NAME, **back, **context})


_NONE = "The package of this game has no rules in words. Ask the organizer where to find them."
_ITEM = re.compile(r"(?:-|\d+\.) ")
_COLUMNS = re.compile(r"\S {3}")
"""Blanks that make columns, such as those of a map."""


def rules_address(game: str, options: Mapping[str, Any] | None = None, seats: int = 0) -> str:
    """The address of the rules of a game, with these options and so many players if they are known."""
    chosen = {f"{OPTION}{name}": tell_option(it) for name, it in (options or {}).items() if it is not None}
    query = urlencode(chosen | ({"seats": seats} if seats else {}))
    return f"{AT}/rules/{game}{'?' if query else ''}{query}"


def rules_page(
    game: AnyGame, values: Mapping[str, Any], seats: str, back: str = f"{AT}/", back_to: str = "Play"
) -> str:
    """The page, with a link back. Options that are impossible have their defaults, and so has the number of players."""
    try:
        options = read_options(game, {name: value for name, value in values.items() if value not in ("", None)}, "")
    except OptionsError:
        options = game.options_type()
    fitting = {str(number): number for number in game.seats(options)}
    text = (
        game.rules_text(options, fitting.get(seats, min(fitting.values()))) if isinstance(game, RulesInWords) else _NONE
    )
    return _filled("rules", f"Rules: {game.name}", blocks=list(_blocks(text)), back=back, back_to=back_to)


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """The headings, paragraphs, lists and maps of a text in Markdown: the name of the element, and its texts."""
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.splitlines()
        if _ITEM.match(lines[0]):
            items = re.split(r"\n(?=(?:-|\d+\.) )", block)
            kind = "ul" if block.startswith("-") else "ol"
            yield kind, [" ".join(_ITEM.sub("", item, count=1).split()) for item in items]
        elif lines[0].startswith("#"):
            if lines[0].startswith("## "):  # the title of the page is that of the text
                yield "h2", [lines[0].lstrip("# ")]
            if lines[1:]:
                yield "p", [" ".join(lines[1:])]
        elif _COLUMNS.search(block):
            yield "pre", [block]
        else:
            yield "p", [" ".join(block.split())]


NOBODY = ""
"""The value of a seat that does not exist."""

YOU = "you"
"""The value of the seat of the visitor. No bot has this name, since the names of entries contain `@`."""

BY_SEAT = "each."
"""The prefix of the fields for options that name one thing for each seat; after it the option, a dot and the seat."""


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


class Control(NamedTuple):
    """A control of a form.

    Attributes:
        field: the field that it fills.
        label: its label.
        choices: the values of a list, each with its words; empty: anything can be typed.
        usual: the value before anything is sent.
        hint: what may be typed.
    """

    field: str
    label: str
    choices: Sequence[tuple[str, str]]
    usual: str
    hint: str = ""


class VisitorForm(NamedTuple):
    """One form, whose fields have ids that begin with `prefix`."""

    prefix: str
    sent: SentForm

    def id(self, field: str) -> str:
        """The id of a field."""
        return f"{self.prefix}-{field}".replace(".", "-")

    def is_wrong(self, field: str) -> bool:
        """Whether the form was refused because of this field."""
        return bool(self.sent.trouble) and self.sent.field == field

    def value(self, control: Control) -> str:
        """The value of a control: what was sent, or the usual one."""
        return self.sent.fields.get(control.field, control.usual)


def lobby(offers: Sequence[TableOffer], games: Mapping[str, AnyGame], sent: SentForm) -> str:
    """The page with a form for each league. `sent` is what the visitor sent before."""
    league = sent.fields.get("league", "")
    tables = [_table(offer, games[offer.game], sent if offer.league == league else SentForm({})) for offer in offers]
    lost = "" if any(offer.league == league for offer in offers) else sent.trouble
    return _filled("lobby", "Play against the bots", tables=tables, lost=lost)


def invitation(action: str, sent: SentForm) -> str:
    """The page to take a seat. The browser sends the form to the address `action`."""
    return _filled("invitation", "Take your seat", action=action, form=VisitorForm("seat", sent))


def seat_page(key: str, setting: TableSettings) -> str:
    """The page of a seat, which a script fills. The style of the pictures depends on the game."""
    rules = rules_address(setting.game, setting.options, len(setting.seats))
    heading = f"{setting.game}, seat {setting.seat + 1}"
    return _filled(
        "seat",
        "At the table",
        heading=heading,
        board=words.board_style(setting.game),
        seat=f"{AT}/at/{key}",
        rules=rules,
    )


def _table(offer: TableOffer, game: AnyGame, sent: SentForm) -> Mapping[str, object]:
    """The values of the form for the tables of a league."""
    options, possible = known_options(game), seats_of(game)
    by_seat = [option for option in options if option.by_seat]
    return {
        "offer": offer,
        "form": VisitorForm(offer.league, sent),
        "seating": msgspec.json.encode(seating(game)).decode(),
        "players": _players(possible),
        "time": _time(offer.move_ms),
        "rules": rules_address(offer.game),
        "options": [_option(option) for option in options if not option.by_seat],
        "of_all_seats": [SEATS, *(OPTION + option.name for option in by_seat)],
        "seats": [_seat(seat, offer.opponents, by_seat, min(possible)) for seat in range(max(possible))],
    }


def _players(seats: Sequence[int]) -> str:
    """The possible numbers of players, as a range: no game has gaps in it."""
    few, many = min(seats), max(seats)
    return f"{few} players" if few == many else f"{few} to {many} players"


def _time(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    words = [f"{minutes} min"] * bool(minutes) + [f"{seconds} s"] * bool(seconds)
    return " ".join(words)


def _option(option: KnownOption) -> Control:
    usual = "" if option.default is None else tell_option(option.default)
    hint = f"{option.allowed}; or nothing, for the usual" if option.default is None else option.allowed
    choices = [(tell_option(it), _option_value_text(it)) for it in option.values or ()]
    return Control(OPTION + option.name, _label(option), choices, usual, hint)


def _label(option: KnownOption) -> str:
    return option.name.replace("_", " ").capitalize()


def _option_value_text(value: object) -> str:
    """A value of an option as visitors read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return tell_option(value).replace("_", " ").replace(",", " and ")


def _seat(
    seat: Seat, bots: Sequence[str], by_seat: Sequence[KnownOption], fewest: int
) -> tuple[Control, Sequence[Control]]:
    """The choice of who plays at a seat. A script hides the seats that do not exist with the chosen options."""
    players = [(YOU, "you"), (PERSON, "another person"), *((bot, bot) for bot in bots)]
    if seat >= fewest:
        players.append((NOBODY, "nobody"))
    usual = YOU if seat == 0 else NOBODY if seat >= fewest or not bots else bots[0]
    own = [_option_of_seat(seat, option) for option in by_seat]
    return Control(f"{SEAT}{seat}", f"Seat {seat + 1}", players, usual), own


def _option_of_seat(seat: Seat, option: KnownOption) -> Control:
    choices = [
        ("", f"{_label(option).lower()}: {_option_value_text(option.default)}"),
        *((it, _option_value_text(it)) for it in option.by_seat),
    ]
    return Control(f"{BY_SEAT}{option.name}.{seat}", f"{_label(option)}, seat {seat + 1}", choices, "")
