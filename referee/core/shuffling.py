"""Shuffles by numbers that the caller draws. The draws of matches come from seeds instead (`referee.core.seeds`)."""

from collections.abc import Iterable
from typing import Any, TypeVar

from referee.core.game import RandomNumbers

T = TypeVar("T", bound=Any)


def shuffled(pool: Iterable[T], rng: RandomNumbers) -> list[T]:
    """The pool in a uniform order that depends on what is in it, and not on how it was ordered."""
    draw = rng.random
    return sorted(sorted(pool), key=lambda _: draw())
