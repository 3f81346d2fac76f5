"""How many seats a game has with each choice of options, and who sits with whom. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
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
    found = [(_options_text(chosen), dict(_sides(game, options))) for chosen, options in listed_options(game)]
    needed = tuple(name for name in found[0][0] if _decides(name, found))
    return Seating(needed, {",".join(chosen[name] for name in needed): tables for chosen, tables in found})


def _options_text(chosen: Mapping[str, Any]) -> dict[str, str]:
    return {name: "" if value is None else tell_option(value) for name, value in chosen.items()}


def _sides(game: AnyGame, options: Any) -> Iterator[tuple[int, Sides]]:
    for seats in game.seats(options):
        by_seat = {seat: number for number, side in enumerate(game.sides(options, seats)) for seat in side.seats}
        yield seats, tuple(by_seat.get(seat) for seat in range(seats))


def _decides(name: str, found: Iterable[tuple[Mapping[str, str], Mapping[int, Sides]]]) -> bool:
    """Whether the tables depend on this option: they differ for some choice of the others."""
    tables = defaultdict(set)
    for chosen, possible in found:
        others = tuple(value for other, value in chosen.items() if other != name)
        tables[others].add(tuple(possible.items()))
    return any(len(different) > 1 for different in tables.values())
