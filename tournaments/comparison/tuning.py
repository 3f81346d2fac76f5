"""Finds better values of parameters by play: simultaneous perturbation stochastic approximation, as fishtest uses it.

Each step moves all parameters at once, up or down by the toss of a coin. The two versions on either side are compared
on some deals, and the search goes towards the one that won. It needs no model, and its noise averages out. Source: J.
Spall, "Implementation of the simultaneous perturbation algorithm", 1998, with the exponents that it recommends.

A step is a comparison in the store of the search. So it is stored and resumed as every comparison is, and the course of
the search follows from what is stored.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from referee.core import seeds
from referee.files.manifest import VALUE, BotParameter
from referee.match.terms import USUAL, EntryTerms
from tournaments.comparison.compare import Comparison, compared, open_comparison
from tournaments.comparison.stopping_rule import Judge, NoQuestion
from tournaments.play.environment import Environment

Values: TypeAlias = tuple[float, ...]
"""One for each parameter, from 0 (the low end of its range) to 1."""

DEALS_A_STEP = 8
"""On so many deals the versions of a step play at once, with any number of workers."""

APART = 0.15
"""How far from the present values the two versions are at the end; at the beginning about twice as far."""

_RATE = 0.02
_STEP_POWER, _APART_POWER = 0.602, 0.101


class Tuning:
    """A search under way.

    Attributes:
        name: says all that it depends on.
        course: the values after each step, the first ones included.
    """

    def __init__(self, base: Comparison, parameters: Mapping[str, BotParameter], deals: int, gain: float) -> None:
        """Begin with the present values.

        Args:
            base: compares the bot with itself under the conditions of the search, with a seed; others may follow.
            parameters: those of the bot, by name.
            deals: how many deals the search has; what is left over after whole steps is not played.
            gain: how far a step goes. Within a factor of four of the best one it hardly matters.
        """
        self.name = f"{base.league.name}-{deals}-{gain:g}"
        self.course: list[Values] = [tuple(each.place for each in parameters.values())]
        self._base = base
        self._parameters = parameters
        self._deals = deals
        self._gain = gain

    def play(self, url: str, machine: Environment) -> Iterator[int]:
        """Play the steps that remain; after each, give the number of deals so far.

        Raises:
            LockHeld, FileProblems, StoreError, WorkersFail, BotsUnreachable, MachineBusy: as `open_comparison` and
                `OpenComparison.play`.
        """
        for first in range(0, self._deals - DEALS_A_STEP + 1, DEALS_A_STEP):
            moves = self._moves(first)
            versions = self._moved(moves, 1), self._moved(moves, -1)
            lead = self._lead(self.compared(*versions, f"deal {first}", DEALS_A_STEP), url, machine)
            size = self._gain * (1.1 * self._deals / (0.1 * self._deals + first + 1)) ** _STEP_POWER
            self.course.append(self._moved(moves, _RATE * size * lead))
            yield first + DEALS_A_STEP

    def compared(self, new: Values, old: Values, label: str, deals: int) -> Comparison:
        """The comparison of two versions on other deals, which follow from a label."""
        league = self._base.league
        one, other, *others = league.entries
        pair = replace(one, terms=self._terms(new)), replace(other, terms=self._terms(old))
        seed = self._seed(f"{self.name} {label}").hex()
        return compared(replace(league, entries=(*pair, *others), seed=seed, deals=deals), self._base.contents)

    def values(self, place: Values) -> dict[str, str]:
        """The values of the parameters at a point of the course, as the bot gets them."""
        return {name: each.at(at) for (name, each), at in zip(self._parameters.items(), place, strict=True)}

    def _terms(self, place: Values) -> EntryTerms:
        values = self.values(place)
        words = (each.argument.replace(VALUE, values[name]) for name, each in self._parameters.items())
        variables = {each.environment: values[name] for name, each in self._parameters.items() if each.environment}
        return replace(USUAL, arguments=tuple(filter(None, words)), environment=dict(sorted(variables.items())))

    def _seed(self, label: str) -> bytes:
        return seeds.child(bytes.fromhex(self._base.league.seed or ""), label)

    def _lead(self, comparison: Comparison, url: str, machine: Environment) -> float:
        """The lead of the first version, summed over its deals."""
        judge = Judge(0.05, NoQuestion())
        with open_comparison(comparison, url, machine, judge) as comparing:
            for _ in comparing.play():
                pass
        return math.fsum(deal.lead for deal in judge.deals)

    def _moves(self, first: int) -> list[float]:
        """How far the versions of a step are from the present values. A value that has steps moves by one at least."""
        apart = APART * (self._deals / (first + 1)) ** _APART_POWER
        least = [each.apart for each in self._parameters.values()]
        tosses = seeds.rolls(self._seed(f"tosses {first}"), 2, len(least))
        return [(2 * toss - 1) * max(apart, bound) for toss, bound in zip(tosses, least, strict=True)]

    def _moved(self, moves: Sequence[float], factor: float) -> Values:
        return tuple(min(max(at + factor * move, 0.0), 1.0) for at, move in zip(self.course[-1], moves, strict=True))
