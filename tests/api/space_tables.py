"""The tables that spaces and environments are tried at, and random play at them."""

from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Any, NamedTuple

import referee
from referee.api.spaces import Space
from referee.check.random_play import ChoiceStep, anyhow, prolonging, walk
from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.wire.registry import games


class SpaceTable(NamedTuple):
    """A game with options and a number of seats."""

    game: str
    options: Any
    seats: int

    @property
    def rules(self) -> AnyGame:
        return games()[self.game].game

    @property
    def space(self) -> Space:
        return referee.space(self.game, self.seats, self.given)

    @property
    def given(self) -> dict[str, Any]:
        """The options as a user gives them."""
        return {name: getattr(self.options, name) for name in self.options.__struct_fields__}

    def __str__(self) -> str:
        return f"{self.game}-{self.seats}-" + "-".join(map(str, self.given.values()))


WITH_SPACES = [name for name, entry in games().items() if hasattr(entry.game, "domains")]
"""The games whose views are vectors; those of OpenSpiel, too, where they are installed."""

TABLES = [
    SpaceTable(name, options, seats)
    for name, entry in games().items()
    if name in WITH_SPACES
    for options in entry.game.varieties
    for seats in entry.game.seats(options)
]
"""Every variety with every number of seats."""

FEW = [
    SpaceTable(name, options, max(entry.game.seats(options)))
    for name, entry in games().items()
    if name in WITH_SPACES and name != "openspiel"
    for options in entry.game.varieties[:: 5 if name == "inside-job" else 1]
]
"""Some of them, of our own games."""


class Seen(NamedTuple):
    """A decision of a seat, as it is seen."""

    state: Any
    seat: Seat
    view: Any
    legal: tuple[Any, ...]


def decisions(table: SpaceTable, count: int, game: AnyGame | None = None) -> Iterator[Seen]:
    """At least so many decisions of random matches, of which every other one is drawn out."""
    rules, rng, left = game or table.rules, Random(1), count
    for choose in cycle((anyhow, prolonging)):
        for step in walk(rules, table.options, table.seats, choose, rng):
            if isinstance(step, ChoiceStep):
                for seat in step.choices:
                    yield Seen(step.before, seat, rules.view(step.before, seat), rules.legal(step.before, seat))
                    left -= 1
        if left <= 0:
            return
