"""How many seats a game has with each choice of options, and who sits with whom. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from referee.core.game import AnyGame
from referee.files.options import listed_options
from referee.match.narrator import tell_option

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
    found = [(_told(chosen), dict(_sides(game, options))) for chosen, options in listed_options(game)]
    needed = tuple(name for name in found[0][0] if any(_differ_by(name, *each, found) for each in found))
    return Seating(needed, {",".join(chosen[name] for name in needed): tables for chosen, tables in found})


def _told(chosen: Mapping[str, Any]) -> dict[str, str]:
    return {name: "" if value is None else tell_option(value) for name, value in chosen.items()}


def _sides(game: AnyGame, options: Any) -> Iterator[tuple[int, Sides]]:
    for seats in game.seats(options):
        by_seat = {seat: number for number, side in enumerate(game.sides(options, seats)) for seat in side.seats}
        yield seats, tuple(by_seat.get(seat) for seat in range(seats))


def _differ_by(
    name: str, chosen: Mapping[str, str], tables: dict[int, Sides], found: list[tuple[dict[str, str], dict[int, Sides]]]
) -> bool:
    """Whether another value of one option leads to other tables."""
    return any(
        other_tables != tables and all(other[key] == chosen[key] for key in chosen if key != name)
        for other, other_tables in found
    )
