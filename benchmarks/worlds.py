"""How fast other worlds are drawn: `resample` for the seat that must choose, in the positions of random games.

The floor is the rate of the rules in the same run: decisions, each with the mover's legal actions and view.
"""

import time
from itertools import cycle, islice
from random import Random
from typing import Any

from benchmarks.rows import Pair, Row, Target, paired_row
from benchmarks.rules import CASES, Case, decision_rate
from referee.core.game import Decide, Over, Worlds
from referee.core.outcome import Seat
from referee.match.match import draw
from referee.wire.registry import games

_ROUNDS = 7
_POSITIONS = 2_000
_RESAMPLES = 20_000
_DECISIONS = 50_000
_TARGETS = {"inside-job": Target(first=0.03, then=0.1)}
_USUAL = Target(first=0.2, then=0.3)


def rows() -> list[Row]:
    """A row for every game."""
    return [_row(case) for case in CASES]


def _row(case: Case) -> Row:
    positions = _positions(case)
    pairs = [Pair(_resample_rate(case, positions), decision_rate(case, _DECISIONS)) for _ in range(_ROUNDS)]
    name = f"other worlds, {case.name}: resamples / CPU s, over decisions / CPU s of the rules"
    return paired_row(name, pairs, "higher", _TARGETS.get(case.game, _USUAL))


def _positions(case: Case) -> list[tuple[Any, Seat]]:
    """Positions of random games, each with the seat that must choose."""
    game, rng = games()[case.game].game, Random(1)
    found: list[tuple[Any, Seat]] = []
    while len(found) < _POSITIONS:
        state, seed = game.setup(game.options_type(**case.options), case.seats), rng.randbytes(32)
        while not isinstance(awaited := game.awaiting(state), Over):
            if isinstance(awaited, Decide):
                found += [(state, seat) for seat in awaited.seats]
                state, _ = game.apply(state, {seat: rng.choice(game.legal(state, seat)) for seat in awaited.seats})
            else:
                state, _ = game.luck(state, draw(seed, awaited))
    return found


def _resample_rate(case: Case, positions: list[tuple[Any, Seat]]) -> float:
    """Resamples a CPU second."""
    game, rng = games()[case.game].game, Random(2)
    if not isinstance(game, Worlds):
        raise TypeError(f"{case.game} cannot resample")
    began = time.process_time()
    for state, seat in islice(cycle(positions), _RESAMPLES):
        game.resample(state, seat, rng)
    return _RESAMPLES / (time.process_time() - began)
