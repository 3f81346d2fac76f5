"""The request of a visitor for a table, and its checks. Pure."""

from collections.abc import Mapping
from typing import Any, NoReturn

import msgspec

from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.files.options import OptionsError, known_options, read_options
from referee.runtime.host import Bot

PERSON = "~"
"""Stands for a person in the list of seats of a table."""

MOST_SEATS = 12
_MOST_OPTIONS = 32


OPTION, SEAT, NAME, SEATS = "option.", "seat.", "name", "seats"
"""The fields of a form: the prefixes of those for options and for seats, the name of the visitor, and all seats."""


class TableRefused(WrongUse):
    """The request is impossible; the text says why. Nothing has changed.

    Attributes:
        field: the field of the form that has to change; empty if the refusal is about no field of it.
    """

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(why)
        self.field = field


class TableRequest(msgspec.Struct, frozen=True):
    """The table that a visitor requests.

    Attributes:
        league: the name of the league whose bots are requested.
        options: the game's options, as plain values; missing options have their defaults.
        seats: by seat, the name of an entry, or `~` for a person.
        name: the name of the visitor, without the sign.
        own: the seat of the visitor; None for the first seat of a person.
    """

    league: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    name: str
    own: Seat | None = None


def options_of(game: AnyGame, wanted_table: TableRequest, bots: Mapping[str, Bot]) -> Any:
    """The options of the request, as the game's own type.

    `bots` are the bots that visitors may play with, by entry.

    Raises:
        TableRefused: the options are not the game's, the seats do not fit them, or a player cannot sit there.
    """
    if len(wanted_table.options) > _MOST_OPTIONS:
        _refuse(f"there are {len(wanted_table.options)} options; leave out what is not the game's")
    try:
        options = read_options(game, wanted_table.options, "")
    except OptionsError as error:
        told = error.problems[0].removeprefix(": ")
        _refuse(told, _option_in(told, game))
    allowed = game.seats(options)
    if len(wanted_table.seats) not in allowed:
        either = " or ".join(map(str, allowed))
        _refuse(f"{game.name} with these options takes {either} players, not {len(wanted_table.seats)}", SEATS)
    own = wanted_table.own
    if PERSON not in wanted_table.seats or (own is not None and wanted_table.seats[own : own + 1] != (PERSON,)):
        _refuse("no seat is for you; choose one", SEATS)
    for seat, entry in enumerate(wanted_table.seats):
        if entry != PERSON:
            _check_bot(seat, entry, bots, game.name, msgspec.to_builtins(options))
    return options


def _option_in(told: str, game: AnyGame) -> str:
    """The field of the first option that a refusal names."""
    names = [option.name for option in known_options(game)]
    found = sorted((told.index(name), name) for name in names if name in told)
    return f"{OPTION}{found[0][1]}" if found else ""


def _check_bot(seat: Seat, entry: str, bots: Mapping[str, Bot], game: str, options: dict[str, Any]) -> None:
    field = f"{SEAT}{seat}"
    if entry not in bots:
        allowed = ", ".join(sorted(bots)) or "nobody"
        _refuse(f"visitors cannot play with {entry[:80]!r}; they can with {allowed}", field)
    refusal = bots[entry].refusal(game, options)
    if refusal is not None:
        _refuse(refusal, field)


def _refuse(why: str, field: str = "") -> NoReturn:
    raise TableRefused(why, field)
