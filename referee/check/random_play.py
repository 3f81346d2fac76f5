"""Random whole games, step by step, for any game."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, TypeAlias

import msgspec

from referee.core.game import AnyGame, Decide, Over, Roll, Shuffle
from referee.core.outcome import Seat

Choose: TypeAlias = Callable[[AnyGame, Any, tuple[Seat, ...], Random], Mapping[Seat, Any]]
"""A way to choose for the seats that must choose."""

Luck: TypeAlias = Callable[[Shuffle | Roll, Random], tuple[int, ...]]
"""A way in which luck falls."""


class NoLegalAction(Exception):
    """A game asks a seat that has no legal action."""


class LuckStep(msgspec.Struct, frozen=True):
    """A move of luck: the states before and after it, and what somebody who hears everything heard."""

    before: Any
    drawn: tuple[int, ...]
    after: Any
    events: tuple[Any, ...]


class ChoiceStep(msgspec.Struct, frozen=True):
    """A decision, with the same things."""

    before: Any
    choices: Mapping[Seat, Any]
    after: Any
    events: tuple[Any, ...]


def anyhow(game: AnyGame, state: Any, seats: tuple[Seat, ...], rng: Random) -> Mapping[Seat, Any]:
    """Every seat chooses a legal action, all equally likely.

    Raises:
        NoLegalAction: a seat has none.
    """
    choices = {}
    for seat in seats:
        legal = game.legal(state, seat)
        if not legal:
            raise NoLegalAction(f"seat {seat} must choose, and has none")
        choices[seat] = rng.choice(legal)
    return choices


def prolonging(game: AnyGame, state: Any, seats: tuple[Seat, ...], rng: Random) -> Mapping[Seat, Any]:
    """As `anyhow`, but choices that would end the match are often drawn again, so matches reach rare endings."""
    for _ in range(30):
        choices = anyhow(game, state, seats, rng)
        after, _events = game.apply(state, choices)
        if not isinstance(game.awaiting(after), Over):
            break
    return choices


def evenly(awaited: Shuffle | Roll, rng: Random) -> tuple[int, ...]:
    """All results are equally likely."""
    if isinstance(awaited, Shuffle):
        return tuple(rng.sample(range(awaited.count), awaited.count))
    return tuple(rng.randrange(awaited.faces) for _ in range(awaited.count))


def walk(
    game: AnyGame, options: Any, seats: int, choose: Choose, rng: Random, luck: Luck = evenly
) -> Iterator[LuckStep | ChoiceStep]:
    """A whole match."""
    state = game.setup(options, seats)
    while True:
        match game.awaiting(state):
            case Over():
                return
            case Decide(deciders):
                choices = choose(game, state, deciders, rng)
                step: LuckStep | ChoiceStep = ChoiceStep(state, choices, *game.apply(state, choices))
            case awaited:
                drawn = luck(awaited, rng)
                step = LuckStep(state, drawn, *game.luck(state, drawn))
        yield step
        state = step.after
