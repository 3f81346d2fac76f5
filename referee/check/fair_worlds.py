"""Does `resample` draw fairly? The rank of the truth among the worlds that it draws must be uniform.

Each trial needs a truth that is fair by itself. It begins in a position of a match: in the first one, or in another
world of a later one. From there chance goes on, and players who choose blindly (`referee.core.game.BlindChoices`):
from the first position on to anywhere, from later ones for a few moves, which keep fair worlds fair. A blind player
makes only legal choices, which are more in some worlds than in others. The truth has a weight that makes up for this.
After more moves the weights are further apart, so the ranks after fewer moves count for more.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any, TypeAlias

import msgspec

from referee.check.random_play import ChoiceStep, LuckStep, evenly
from referee.core.errors import WrongUse
from referee.core.game import AnyGame, BlindChoices, Decide, Over
from referee.core.outcome import Seat

Values: TypeAlias = tuple[tuple[str, Any], ...]
"""Values, each after the name of its type, so that all can be compared."""

SAMPLES = 9
"""So many worlds are compared with the truth. So its rank is one of ten numbers."""

TRIALS = 60
"""So many trials there are in a match. Half of them begin in the first position."""
_MOST_MOVES = 6
"""From a later position on."""
_FEWEST_RANKS = 100
_MOST_UNEVEN = 55.0
"""If all is fair, a chi-squared of ten classes is larger once in a hundred million times."""


class Ranks:
    """The ranks of the truth, by the hidden fact (its place in a position) and the kind of an event."""

    def __init__(self) -> None:
        self._ranks = defaultdict[str, defaultdict[int, list[tuple[int, float]]]](lambda: defaultdict(list))
        """By name and about how many moves: each rank and its weight."""

    def add_match(self, game: Any, seats: int, match: Sequence[LuckStep | ChoiceStep], rng: Random) -> None:
        """Make trials in the positions of a match."""
        for trial in range(TRIALS):
            seat, at = rng.randrange(seats), rng.randrange(len(match)) if trial % 2 else 0
            past = [part for step in match[:at] for part in _parts(game, step.events, seat)]
            most = min(_MOST_MOVES, len(match) - at) if at else len(match)
            moves = int((most + 1) ** rng.random())
            with suppress(WrongUse):  # the game has no other worlds there
                begin = game.resample(match[at].before, seat, rng) if at else match[0].before
                truth, weight = _blind_moves(game, begin, seat, past, moves, rng)
                if not isinstance(game.awaiting(truth), Over):
                    drawn = [truth, *(game.resample(truth, seat, rng) for _ in range(SAMPLES))]
                    for name, rank in _fact_ranks(drawn, past, ", from a later position" if at else "", rng):
                        self._ranks[name][moves.bit_length()].append((rank, weight))

    def chi_squared(self) -> dict[str, float]:
        """By fact and event, how uneven the ranks are, where there are enough.

        `n` ranks of different weights are as good as `sum(weights) ** 2 / sum(weight ** 2)` ranks of the same weight
        (L. Kish, "Survey Sampling", 1965).
        """
        found = {}
        for name, by_moves in self._ranks.items():
            counts = [0.0] * (SAMPLES + 1)
            for ranks in by_moves.values():
                scale = sum(weight for _, weight in ranks) / sum(weight**2 for _, weight in ranks)
                for rank, weight in ranks:
                    counts[rank] += weight * scale
            even = sum(counts) / len(counts)
            if sum(counts) >= _FEWEST_RANKS:
                found[name] = sum((count - even) ** 2 for count in counts) / even
        return found

    def unfair(self) -> Iterator[str]:
        """In words, which facts are other than in fair worlds."""
        for name, found in self.chi_squared().items():
            if found > _MOST_UNEVEN:
                yield f"{name}: the rank of the truth among worlds is uneven, with a chi-squared of {found:.0f}"


def _fact_ranks(drawn: Sequence[Any], past: Sequence[Any], when: str, rng: Random) -> Iterator[tuple[str, int]]:
    """Ranks of the first, by fact: of a value at any place, and of how many values the last event of a kind named."""
    last = {type(event).__name__: event for event in past}
    named = {name: {value for _, values in _facts(event, "") for value in values} for name, event in last.items()}
    for fact, worlds in _hidden_facts(drawn).items():
        each = rng.choice(worlds)
        at = rng.randrange(max(map(len, each)))
        yield from _rank(fact + when, [values[at : at + 1] for values in each], rng)
        for name, of_event in named.items():
            counts = [sum(value in of_event for value in values) for values in each]
            yield from _rank(f"{fact}{when}, by {name}", counts, rng)


def _rank(name: str, values: Sequence[Any], rng: Random) -> Iterator[tuple[str, int]]:
    """The rank of the first among the others, if they are not all the same."""
    own, *others = values
    if any(value != own for value in others):
        yield name, sum(value < own for value in others) + rng.randint(0, others.count(own))


def _blind_moves(game: Any, state: Any, seat: Seat, past: list[Any], moves: int, rng: Random) -> tuple[Any, float]:
    """The position after so many moves, or at the end of the match, and its weight. Adds what the seat hears."""
    weight = 1.0
    for _ in range(moves):
        match game.awaiting(state):
            case Over():
                break
            case Decide(movers):
                other = game.resample(state, seat, rng)  # it keeps the weights of all positions alike
                choices = {}
                for mover in movers:
                    legal, ways = _blind_choices(game, state, mover)
                    choices[mover] = rng.choices(legal, ways)[0]
                    if mover != seat:
                        weight *= sum(ways) / sum(_blind_choices(game, other, mover)[1])
                state, events = game.apply(state, choices)
            case awaited:
                state, events = game.luck(state, evenly(awaited, rng))
        past += _parts(game, events, seat)
    return state, weight


def _blind_choices(game: Any, state: Any, seat: Seat) -> tuple[tuple[Any, ...], list[int]]:
    legal = game.legal(state, seat)
    return legal, [game.ways(state, seat, it) if isinstance(game, BlindChoices) else 1 for it in legal]


def _parts(game: AnyGame, events: Sequence[Any], seat: Seat) -> list[Any]:
    return [part for event in events if (part := game.heard(event, seat)) is not None]


def _hidden_facts(drawn: Sequence[Any]) -> dict[str, list[Sequence[Values]]]:
    """The facts that are not the same in all these worlds: for each place that a fact has, its values by world."""
    found = defaultdict[str, list[Sequence[Values]]](list)
    for field in drawn[0].__struct_fields__:
        worlds = [getattr(world, field) for world in drawn]
        if any(world != worlds[0] for world in worlds):
            for each in zip(*(_facts(world, field) for world in worlds), strict=False):
                if len({name for name, _ in each}) == 1 < len({values for _, values in each}):
                    found[each[0][0]].append([values for _, values in each])
    return found


def _facts(value: Any, name: str) -> Iterator[tuple[str, Values]]:
    """The values in a position or an event with their types, by the names of the fields in which they stand."""
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _facts(getattr(value, field), f"{name}.{field}")
    elif isinstance(value, tuple | list) and any(isinstance(it, msgspec.Struct | tuple | list) for it in value):
        for it in value:
            yield from _facts(it, name)
    else:
        values = value if isinstance(value, tuple | list) else (value,)
        yield name, tuple([(type(it).__name__, it if isinstance(it, int | float | str) else repr(it)) for it in values])
