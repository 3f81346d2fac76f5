"""The request of a visitor for a table, and its checks. Pure."""

from collections.abc import Mapping
from typing import Any, NoReturn

import msgspec

from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.files.options import OptionsError, read_options
from referee.runtime.host import Bot

PERSON = "~"
"""Stands for a person in the list of seats of a table."""

MOST_SEATS = 12
_MOST_OPTIONS = 32


class TableRefused(WrongUse):
    """The request is impossible; the text says why. Nothing has changed."""


class TableRequest(msgspec.Struct, frozen=True):
    """The table that a visitor requests.

    Attributes:
        league: the name of the league whose bots are requested.
        options: the game's options, as plain values; missing options have their defaults.
        seats: by seat, the name of an entry, or `~` for a person.
        name: the name of the visitor, without the sign. The visitor has the first seat of a person.
    """

    league: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    name: str


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
        _refuse(str(error))
    allowed = game.seats(options)
    if len(wanted_table.seats) not in allowed:
        either = " or ".join(map(str, allowed))
        _refuse(f"{game.name} with these options takes {either} players, not {len(wanted_table.seats)}")
    if PERSON not in wanted_table.seats:
        _refuse("no seat is for a person; leave one for yourself")
    for entry in wanted_table.seats:
        if entry != PERSON:
            _check_bot(entry, bots, game.name, msgspec.to_builtins(options))
    return options


def _check_bot(entry: str, bots: Mapping[str, Bot], game: str, options: dict[str, Any]) -> None:
    if entry not in bots:
        _refuse(f"visitors cannot play with {entry[:80]!r}; they can with {', '.join(sorted(bots)) or 'nobody'}")
    refusal = bots[entry].refusal(game, options)
    if refusal is not None:
        _refuse(refusal)


def _refuse(why: str) -> NoReturn:
    raise TableRefused(why)
