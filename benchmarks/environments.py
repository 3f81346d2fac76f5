"""How fast programs that learn can play: our vector, and our environments for PettingZoo and Gymnasium.

They are measured over the rules alone, and games of OpenSpiel through us over OpenSpiel itself. All give the asked
seat's vector and legal ids at every decision; choices are drawn at random. The libraries come from the environment of
the peers.
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
_GYMNASIUM = Target(first=0.12, then=0.2)
_OPENSPIEL = Target(first=0.1, then=0.2)
_OPENSPIEL_GAMES = ("leduc_poker", "tic_tac_toe")


def rows() -> list[Row]:
    """The rows of every game; those of libraries say why they are missing, if these cannot be installed."""
    return [*map(_vector_row, CASES), *_library_rows()]


def _vector_row(case: Case) -> Row:
    matches = referee.vector(case.game, _MATCHES, seats=case.seats, seed=7, options=case.options)
    rng = np.random.default_rng(7)

    def step() -> int:
        places = (rng.random(_MATCHES) * np.diff(matches.offsets)).astype(np.int64)
        matches.step(matches.legal[matches.offsets[:-1] + places])
        return _MATCHES

    return _row(_name(f"{_MATCHES} matches in step", case), case, step, _VECTOR)


def _library_rows() -> list[Row]:
    try:
        package = environment.python().parent.parent
    except Missing as missing:
        return [missing_row(_name("PettingZoo", CASES[0]), "higher", missing)]
    sys.path.extend(map(str, package.glob("lib/python*/site-packages")))  # behind our own packages
    ours = [row(case) for case in CASES for row in (_pettingzoo_row, _gymnasium_row)]
    return [*ours, *map(_openspiel_row, _OPENSPIEL_GAMES)]


def _gymnasium_row(case: Case) -> Row:
    """Decisions of all seats count: the other players choose at random, too."""
    import referee.gymnasium  # noqa: PLC0415 (its package was not there before)

    env = referee.gymnasium.env(case.game, seats=case.seats, options=case.options)
    choose = Chooser()

    def play() -> int:
        _, info = env.reset()
        over = False
        while not over:
            _, _, over, _, info = env.step(choose(info["action_mask"].nonzero()[0].tolist()))
        return sum(env.match.transcript.decisions)

    return _row(_name("Gymnasium", case), case, play, _GYMNASIUM)


def _openspiel_row(name: str) -> Row:
    import pyspiel  # noqa: PLC0415 (it was not there before)

    game, choose = pyspiel.load_game(name), Chooser()
    matches = referee.vector("openspiel", _MATCHES, seed=7, options={"game": name})
    rng = np.random.default_rng(7)

    def step() -> int:
        places = (rng.random(_MATCHES) * np.diff(matches.offsets)).astype(np.int64)
        matches.step(matches.legal[matches.offsets[:-1] + places])
        return _MATCHES

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(choose([action for action, _ in state.chance_outcomes()]))
                continue
            seat = state.current_player()
            state.observation_string(seat)
            state.observation_tensor(seat)
            state.apply_action(choose(state.legal_actions()))
            steps += 1
        return steps

    steps_a_second(step, _DECISIONS // 4)
    pairs = [Pair(steps_a_second(step, _DECISIONS), steps_a_second(play, _DECISIONS)) for _ in range(_ROUNDS)]
    name = f"{_MATCHES} matches in step, {name} of OpenSpiel: decisions / CPU s, over OpenSpiel from Python"
    return paired_row(name, pairs, "higher", _OPENSPIEL)


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
