"""What the end of a match is worth to each seat, for programs that learn: by places, by scores, or by a function."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

from referee.core.errors import WrongUse
from referee.core.game import AnyGame, ScoresBounded
from referee.core.outcome import FAULT, Outcome, rewards

_Named = Literal["places", "score", "normalized score"]

Rewards: TypeAlias = _Named | Callable[[Outcome], Sequence[float]]
"""Which rewards a match has at its end.

- `places`: `referee.core.outcome.rewards`, from -1 to 1, and 0 in sum between sides; against the game the score.
- `score`: the scores that the game counts.
- `normalized score`: the same, with -1 for the lowest score that the game can have, and 1 for the highest.
- a function of the outcome: a number for each seat.

A match that a fault ended has no scores. By them, the seats that are not first then have the lowest score (-1, if the
game does not say which that is), and the others 0.
"""

RewardRule: TypeAlias = Callable[[Outcome], Sequence[float]]


def reward_rule(chosen: Rewards, rules: AnyGame, options: Any, seats: int) -> RewardRule:
    """What gives the rewards by seat. It can be pickled, unless `chosen` is a function that cannot.

    Raises:
        WrongUse: there are no such rewards, or the game does not say which scores it can have.
    """
    if callable(chosen):
        return chosen
    if chosen == "places":
        return rewards
    if chosen not in get_args(_Named):
        names = ", ".join(map(repr, get_args(_Named)))
        raise WrongUse(f"rewards: {chosen!r} is not allowed; give {names}, or a function of the outcome")
    low, high = rules.score_range(options, seats) if isinstance(rules, ScoresBounded) else (-1.0, None)
    if chosen == "score":
        return partial(_scores, rules.name, low, 0.0, 1.0)
    if high is None:
        raise WrongUse(f"{rules.name} does not say which scores it can have (`score_range`); take rewards='places'")
    return partial(_scores, rules.name, -1.0, (high + low) / 2, (high - low) / 2)


def _scores(game: str, lowest: float, middle: float, half: float, outcome: Outcome) -> tuple[float, ...]:
    if outcome.ending == FAULT:
        return tuple(0.0 if place == 1 else lowest for place in outcome.places)
    if outcome.scores is None:
        raise WrongUse(f"{game} has no scores; take rewards='places'")
    return tuple((score - middle) / half for score in outcome.scores)
