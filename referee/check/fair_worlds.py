"""Does `resample` draw fairly? The rank of the truth among the worlds that it draws must be uniform.

Each trial needs a truth that is fair by itself. It begins in a position of a match: in the first one, or in another world
of a later one. From there chance goes on, and players who choose blindly (`referee.core.game.BlindChoices`). So if worlds
are fair at first, and a few moves keep them fair, they are fair everywhere. A blind player makes only legal choices, which
are more in some worlds than in others. The truth has a weight that makes up for this.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from referee.check.random_play import ChoiceStep, LuckStep, evenly
from referee.core.errors import WrongUse
from referee.core.game import AnyGame, BlindChoices, Decide, Over
from referee.core.outcome import Seat

SAMPLES = 9
"""So many worlds are compared with the truth. So its rank is one of ten numbers."""

_STARTS = 10
"""So many trials of a match begin in its first position."""
_STEPS = 40
"""At most so many others there are, spread over the match."""
_MOVES = 6
"""The truth is found at most so many moves later."""
_FEWEST_RANKS = 100
_MOST_UNEVEN = 60.0
"""If all is fair, a chi-squared of ten classes is larger once in a thousand million times."""


class Ranks:
    """The ranks of the truth, by the hidden fact (its place in a position) and the kind of an event that was heard."""

    def __init__(self) -> None:
        self._weights = defaultdict[str, list[float]](lambda: [0.0] * (SAMPLES + 1))
        self._squares = defaultdict[str, float](float)

    def add_match(
        self, game: Any, seats: int, match: Sequence[LuckStep | ChoiceStep], rng: Random, starts: int = _STARTS
    ) -> None:
        """Make trials in the positions of a match."""
        heard: list[list[Any]] = [[] for _ in range(seats)]
        for number, step in enumerate(match):
            for _ in range(starts if number == 0 else number % (1 + len(match) // _STEPS) == 0):
                seat = rng.randrange(seats)
                with suppress(WrongUse):  # the game has no other worlds there
                    begin = game.resample(step.before, seat, rng) if number else step.before
                    self._add_trial(game, begin, seat, list(heard[seat]), rng)
            for seat in range(seats):
                heard[seat] += _parts(game, step.events, seat)

    def _add_trial(self, game: Any, truth: Any, seat: Seat, heard: list[Any], rng: Random) -> None:
        weight = 1.0
        for _ in range(1 + rng.randrange(_MOVES)):
            match game.awaiting(truth):
                case Over():
                    return
                case Decide(movers):
                    other = game.resample(truth, seat, rng)  # it keeps the weights of all positions alike
                    choices = {}
                    for mover in movers:
                        legal, ways = _blind_choices(game, truth, mover)
                        choices[mover] = rng.choices(legal, ways)[0]
                        if mover != seat:
                            weight *= sum(ways) / sum(_blind_choices(game, other, mover)[1])
                    truth, events = game.apply(truth, choices)
                case awaited:
                    truth, events = game.luck(truth, evenly(awaited, rng))
            heard += _parts(game, events, seat)
        if heard and not isinstance(game.awaiting(truth), Over):
            drawn = [truth, *(game.resample(truth, seat, rng) for _ in range(SAMPLES))]
            self._add_ranks(drawn, heard[-1 - int(rng.random() ** 2 * len(heard))], weight, rng)

    def _add_ranks(self, drawn: Sequence[Any], event: Any, weight: float, rng: Random) -> None:
        """Two ranks for each fact: a value at any place, and the number of values that the event named."""
        named = {value for _, values in _facts(event, "") for value in values}
        for fact, worlds in _hidden_facts(drawn).items():
            each = rng.choice(worlds)
            at = rng.randrange(max(map(len, each)))
            self._add_rank(fact, [values[at] if at < len(values) else "" for values in each], weight, rng)
            counts = [sum(value in named for value in values) for values in each]
            for name in (f"{fact}, by what was heard", f"{fact}, by what was heard of {type(event).__name__}"):
                self._add_rank(name, counts, weight, rng)

    def _add_rank(self, name: str, values: Sequence[Any], weight: float, rng: Random) -> None:
        own, *others = values
        if any(value != own for value in others):
            rank = sum(value < own for value in others) + rng.randint(0, others.count(own))
            self._weights[name][rank] += weight
            self._squares[name] += weight**2

    def chi_squared(self) -> dict[str, float]:
        """By fact and event, how uneven the ranks are, where there are enough."""
        found = {}
        for name, weights in self._weights.items():
            even, square = sum(weights) / len(weights), self._squares[name] / len(weights)
            if even**2 >= _FEWEST_RANKS / len(weights) * square:
                found[name] = sum((weight - even) ** 2 for weight in weights) / square
        return found

    def unfair(self) -> Iterator[str]:
        """In words, which facts are other than in fair worlds."""
        for name, found in self.chi_squared().items():
            if found > _MOST_UNEVEN:
                yield f"{name}: the truth is not like the worlds (chi-squared {found:.0f} with {SAMPLES} degrees)"


def _blind_choices(game: Any, state: Any, seat: Seat) -> tuple[tuple[Any, ...], list[int]]:
    legal = game.legal(state, seat)
    return legal, [game.ways(state, seat, it) if isinstance(game, BlindChoices) else 1 for it in legal]


def _parts(game: AnyGame, events: Sequence[Any], seat: Seat) -> list[Any]:
    return [part for event in events if (part := game.heard(event, seat)) is not None]


def _hidden_facts(drawn: Sequence[Any]) -> dict[str, list[Sequence[tuple[str, ...]]]]:
    """The facts that are not the same in all these worlds: for each place that a fact has, its values by world."""
    found = defaultdict[str, list[Sequence[tuple[str, ...]]]](list)
    for field in drawn[0].__struct_fields__:
        worlds = [getattr(world, field) for world in drawn]
        if any(world != worlds[0] for world in worlds):
            for each in zip(*(_facts(world, field) for world in worlds), strict=False):
                if len({name for name, _ in each}) == 1 < len({values for _, values in each}):
                    found[each[0][0]].append([values for _, values in each])
    return found


def _facts(value: Any, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The values in a position or an event, by the names of the fields in which they stand."""
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _facts(getattr(value, field), f"{name}.{field}")
    elif isinstance(value, tuple | list) and any(isinstance(it, msgspec.Struct | tuple | list) for it in value):
        for it in value:
            yield from _facts(it, name)
    else:
        yield name, tuple(map(repr, value if isinstance(value, tuple | list) else (value,)))
