"""OpenSpiel's own tests, at every variety of every game with every number of seats."""

import pickle
import subprocess
import sys
from typing import Any

import pytest

from tests.api.space_tables import FEW, TABLES, SpaceTable
from tests.needed import import_needed

pytestmark = pytest.mark.peers

referee_pyspiel = import_needed("referee.pyspiel")
pyspiel = import_needed("pyspiel")


def game_of(table: SpaceTable) -> Any:
    return referee_pyspiel.game(table.game, table.seats, table.given)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_random_sim_test_with_states_that_are_written_and_read_again(table: SpaceTable) -> None:
    pyspiel.random_sim_test(game_of(table), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_playthrough_is_written_and_the_same_again(table: SpaceTable) -> None:
    from open_spiel.python.algorithms.generate_playthrough import playthrough_lines  # noqa: PLC0415

    name = game_of(table).get_type().short_name
    once, again = [playthrough_lines(name, None, seed=7, observation_params_string=None) for _ in range(2)]
    assert once == again
    assert any(line.startswith("Returns() = ") for line in once)


def test_the_tensor_of_a_past_is_refused_in_words_and_never_an_observation() -> None:
    state = game_of(FEW[0]).new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    with pytest.raises(Exception, match="has no tensor, as its length is not fixed"):
        state.information_state_tensor(0)
    assert len(state.observation_tensor(0)) == FEW[0].space.size


def test_the_exploitability_of_a_policy_of_a_game_of_ours_is_computed_by_openspiel() -> None:
    """Of the uniform policy in Kuhn poker, once as OpenSpiel's own game, and once as a game of ours."""
    from open_spiel.python import policy  # noqa: PLC0415
    from open_spiel.python.algorithms import exploitability  # noqa: PLC0415

    own = pyspiel.load_game("kuhn_poker")
    ours = referee_pyspiel.game("openspiel", 2, {"game": "kuhn_poker"})
    expected = exploitability.nash_conv(own, policy.UniformRandomPolicy(own))
    by_score = referee_pyspiel.game("openspiel", 2, {"game": "kuhn_poker"}, rewards="score")
    assert exploitability.nash_conv(by_score, policy.UniformRandomPolicy(by_score)) == pytest.approx(expected)
    assert exploitability.exploitability(ours, policy.UniformRandomPolicy(ours)) > 0
    uniform = referee_pyspiel.exploitability(by_score, lambda _view, legal: [1 / len(legal)] * len(legal))
    assert uniform == pytest.approx(expected / 2)
    folds = referee_pyspiel.exploitability(by_score, lambda _view, legal: [1, *[0] * (len(legal) - 1)])
    assert folds > uniform  # who always passes loses the ante to every bet


def test_a_game_is_pickled_by_its_name() -> None:
    game = game_of(FEW[0])
    assert str(pickle.loads(pickle.dumps(game))) == str(game)  # noqa: S301 - our own pickle


def test_a_program_that_has_used_it_ends_without_an_error() -> None:
    program = "import referee.pyspiel; referee.pyspiel.game('agent-avenue').new_initial_state()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("table", [FEW[0], FEW[3], FEW[-1], next(it for it in FEW if it.game == "agonia")], ids=str)
def test_ismcts_plays_a_match(table: SpaceTable) -> None:
    import numpy as np  # noqa: PLC0415
    from open_spiel.python.algorithms import ismcts, mcts  # noqa: PLC0415

    game, rng = game_of(table), np.random.RandomState(7)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game=game, evaluator=evaluator, uct_c=2.0, max_simulations=5, random_state=rng)
    state, searched = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice([outcome for outcome, _ in state.chance_outcomes()])))
        elif state.current_player() == 0 and searched < 10:
            state.apply_action(bot.step(state))
            searched += 1
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert searched
    assert len(state.returns()) == table.seats
