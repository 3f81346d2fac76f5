"""Finds better values of parameters by play: simultaneous perturbation stochastic approximation, as fishtest uses it.

Each step moves all parameters at once, up or down by the toss of a coin, lets the version on one side play against the
version on the other, and goes towards the one that won. It needs no model, and its noise averages out. Source: J.
Spall, "Implementation of the simultaneous perturbation algorithm", 1998, with the exponents that it recommends.
"""

from collections.abc import Sequence
from typing import TypeAlias

from referee.core import seeds

Values: TypeAlias = tuple[float, ...]
"""One for each parameter, from 0 (the low end of its range) to 1."""

APART = 0.15
"""How far from the present values the two versions are at the end; at the beginning about twice as far."""

_RATE = 0.02
_STEP_POWER, _APART_POWER = 0.602, 0.101


class Spsa:
    """The course of a search.

    Attributes:
        values: the present ones.
    """

    def __init__(self, start: Values, least: Values, budget: int, gain: float, seed: bytes) -> None:
        """Begin.

        Args:
            start: the values to begin with.
            least: the least distance of a version from the present values, for parameters that have steps.
            budget: how many steps there will be.
            gain: how far a step goes. Within a factor of four of the best one it hardly matters.
            seed: decides the tosses, 32 bytes.
        """
        self.values = start
        self._least = least
        self._budget = budget
        self._gain = gain
        self._seed = seed

    def versions(self, step: int) -> tuple[Values, Values]:
        """The two that play against each other in a step, counted from 0."""
        moves = self._moves(step)
        return self._moved(moves), self._moved([-move for move in moves])

    def take(self, steps: Sequence[tuple[int, float]]) -> None:
        """Go on after some steps, each with the lead of its first version, from -1 to 1."""
        total = [0.0] * len(self.values)
        for step, lead in steps:
            offset = self._budget / 10
            size = self._gain * ((offset + self._budget) / (offset + step + 1)) ** _STEP_POWER
            total = [so_far + _RATE * size * lead * move for so_far, move in zip(total, self._moves(step), strict=True)]
        self.values = self._moved(total)

    def _moves(self, step: int) -> list[float]:
        apart = APART * (self._budget / (step + 1)) ** _APART_POWER
        tosses = seeds.rolls(seeds.child(self._seed, f"step {step}"), 2, len(self.values))
        return [(2 * toss - 1) * max(apart, least) for toss, least in zip(tosses, self._least, strict=True)]

    def _moved(self, moves: Sequence[float]) -> Values:
        return tuple(min(max(value + move, 0.0), 1.0) for value, move in zip(self.values, moves, strict=True))
