"""Whole matches that one seat cannot tell apart: the same match with other luck, and with other choices where hidden.

A match is changed by exchanging hidden cards with one another, wherever they lie: in hands, in the deck, as roles. Then
it is played again. It counts if the seat observes the same, by the rulings alone (`observing`), so nothing here asks
for a view.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from referee.check.random_play import ChoiceStep, LuckStep
from referee.core.game import AnyGame, Roll, Shuffle
from referee.core.outcome import Seat
from tests.leaks.observing import Observer, Step, alike, saw

_MOST_EXCHANGES = 16
_KEPT = 0.75
"""How often a hidden choice stays as it was, if it can."""


class Course(NamedTuple):
    """What a match is played again from: its draws, by label, and its choices, in order."""

    draws: Mapping[str, tuple[int, ...]]
    choices: tuple[Mapping[Seat, Any], ...]


def course(game: AnyGame, steps: Iterable[Step]) -> Course:
    """The course of a match."""
    draws, choices = dict[str, tuple[int, ...]](), list[Mapping[Seat, Any]]()
    for step in steps:
        if isinstance(step, ChoiceStep):
            choices.append(step.choices)
        else:
            draws[_label(game, step)] = step.drawn
    return Course(draws, tuple(choices))


def _label(game: AnyGame, step: LuckStep) -> str:
    awaited = game.awaiting(step.before)
    assert isinstance(awaited, Shuffle | Roll)
    return awaited.label


def another_match(
    game: AnyGame, observer: Observer, steps: Sequence[Step], seat: Seat, rng: Random, tries: int
) -> Sequence[Step]:
    """A match that `seat` cannot tell from this one. If none of the tries leads to another, it is this one.

    Many exchanges at once are tried first, and fewer after each failure.
    """
    if not any(map(_is_shuffle, course(game, steps).draws.values())):
        return steps  # it ends before anything is shuffled
    seen = [saw(observer, step, seat) for step in steps]
    exchanges = _MOST_EXCHANGES
    for _ in range(tries):
        draws = _exchanged(course(game, steps).draws, exchanges, rng)
        again = _again(game, observer, steps, seen, draws, seat, rng)
        if again is None:
            exchanges = max(1, exchanges // 2)
        else:
            steps = again
    return steps


def _exchanged(draws: Mapping[str, tuple[int, ...]], exchanges: int, rng: Random) -> dict[str, tuple[int, ...]]:
    """The same draws, but in one of the shuffles some cards have changed places."""
    label = rng.choice([label for label, drawn in draws.items() if _is_shuffle(drawn)])
    drawn = list(draws[label])
    for _ in range(exchanges):
        one, other = rng.sample(range(len(drawn)), 2)
        drawn[one], drawn[other] = drawn[other], drawn[one]
    return {**draws, label: tuple(drawn)}


def _is_shuffle(drawn: tuple[int, ...]) -> bool:
    return len(drawn) > 1 and sorted(drawn) == list(range(len(drawn)))


def _again(
    game: AnyGame,
    observer: Observer,
    steps: Sequence[Step],
    seen: Sequence[Any],
    draws: Mapping[str, tuple[int, ...]],
    seat: Seat,
    rng: Random,
) -> list[Step] | None:
    """The match with these draws; None if `seat` would notice, or if another seat could not have chosen as it did."""
    state, again = steps[0].before, list[Step]()
    for step, known in zip(steps, seen, strict=True):
        assert game.awaiting(state) == game.awaiting(step.before), "what is awaited depends on what a seat cannot know"
        if isinstance(step, LuckStep):
            drawn = draws[_label(game, step)]
            now: Step = LuckStep(state, drawn, *game.luck(state, drawn))
        else:
            choices = _choices(game, observer, step, state, seat, rng)
            if choices is None:
                return None
            now = ChoiceStep(state, choices, *game.apply(state, choices))
        if saw(observer, now, seat) != known:
            return None
        again.append(now)
        state = now.after
    return again


def _choices(
    game: AnyGame, observer: Observer, step: ChoiceStep, state: Any, seat: Seat, rng: Random
) -> dict[Seat, Any] | None:
    """The same choices, or others that look the same to `seat`. None if there are none."""
    choices = {}
    for mover, action in step.choices.items():
        legal = game.legal(state, mover)
        if mover == seat:
            assert action in legal, "what a seat may choose depends on what it cannot know"
        elif action not in legal or rng.random() > _KEPT:
            others = alike(game, observer, state, mover, action, seat)
            if not others:
                return None
            action = rng.choice(others)  # noqa: PLW2901
        choices[mover] = action
    return choices
