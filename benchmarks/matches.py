"""Whole matches played in process, with luck and choices from one generator."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple, TypeAlias

from referee.check import random_play
from referee.core.game import AnyGame, Decide, Over
from referee.core.outcome import Outcome

Choose: TypeAlias = Callable[[Any, tuple[Any, ...], Random], Any]
"""How a seat chooses: takes the position, the legal actions and the generator."""


class Match(NamedTuple):
    """A finished match.

    Attributes:
        last: the position at the end.
        outcome: how it ended.
        decisions: how many decisions all seats had together.
        most_actions: the most actions that were legal at once.
    """

    last: Any
    outcome: Outcome
    decisions: int
    most_actions: int


def evenly(_state: Any, legal: tuple[Any, ...], rng: Random) -> Any:
    """Every legal action is as likely as any other."""
    return rng.choice(legal)


def play(game: AnyGame, options: Any, seats: int, rng: Random, choose: Choose = evenly) -> Match:
    """Play a match from beginning to end."""
    state, decisions, most_actions = game.setup(options, seats), 0, 0
    while not isinstance(awaited := game.awaiting(state), Over):
        if isinstance(awaited, Decide):
            legal = {seat: game.legal(state, seat) for seat in awaited.seats}
            state, _ = game.apply(state, {seat: choose(state, actions, rng) for seat, actions in legal.items()})
            decisions += len(legal)
            most_actions = max(most_actions, *map(len, legal.values()))
        else:
            state, _ = game.luck(state, random_play.evenly(awaited, rng))
    return Match(state, awaited.outcome, decisions, most_actions)
