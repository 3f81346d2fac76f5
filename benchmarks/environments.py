"""How fast programs that learn can play: our vector and our environment for PettingZoo, over the rules alone.

Both give the asked seat's vector and legal ids at every decision; choices are drawn at random. PettingZoo comes from
the environment of the peers.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import referee
from benchmarks.peers import environment
from benchmarks.peers.random_play import Chooser, play_pettingzoo, steps_a_second
from benchmarks.rows import Missing, Pair, Row, Target, missing_row, paired_row
from benchmarks.rules import CASES, Case, decision_rate

_ROUNDS = 7
_DECISIONS = 20_000
_MATCHES = 128
_VECTOR = Target(first=0.3, then=0.4)
_PETTINGZOO = Target(first=0.12, then=0.2)


def rows() -> list[Row]:
    """Two rows for every game; those of PettingZoo say why they are missing, if it cannot be installed."""
    return [*map(_vector_row, CASES), *_pettingzoo_rows()]


def _vector_row(case: Case) -> Row:
    matches = referee.vector(case.game, _MATCHES, seats=case.seats, seed=7, options=case.options)
    rng = np.random.default_rng(7)

    def step() -> int:
        places = (rng.random(_MATCHES) * np.diff(matches.offsets)).astype(np.int64)
        matches.step(matches.legal[matches.offsets[:-1] + places])
        return _MATCHES

    return _row(_name(f"{_MATCHES} matches in step", case), case, step, _VECTOR)


def _pettingzoo_rows() -> list[Row]:
    try:
        package = environment.python().parent.parent
    except Missing as missing:
        return [missing_row(_name("PettingZoo", CASES[0]), "higher", missing)]
    sys.path.extend(map(str, package.glob("lib/python*/site-packages")))  # behind our own packages
    return [_pettingzoo_row(case) for case in CASES]


def _pettingzoo_row(case: Case) -> Row:
    import referee.pettingzoo  # noqa: PLC0415 (its package was not there before)

    env: Any = referee.pettingzoo.env(case.game, case.seats, case.options)
    choose = Chooser()
    return _row(_name("PettingZoo", case), case, lambda: play_pettingzoo(env, choose), _PETTINGZOO)


def _name(what: str, case: Case) -> str:
    return f"{what}, {case.name}"


def _row(name: str, case: Case, play: Callable[[], int], target: Target) -> Row:
    steps_a_second(play, _DECISIONS // 4)  # what is seen often is kept by then
    pairs = [Pair(steps_a_second(play, _DECISIONS), decision_rate(case, _DECISIONS)) for _ in range(_ROUNDS)]
    return paired_row(f"{name}: decisions / CPU s, over the rules with the mover's view", pairs, "higher", target)
