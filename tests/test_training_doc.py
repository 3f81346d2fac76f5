"""The script of docs/training.md: its gradients, what it collects, that it learns, and that its bot keeps the rules."""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
import pytest
from referee_bot.v1 import bot_pb2 as pb

import referee
from referee.games.agent_avenue.state import Options
from referee.wire.agent_avenue import entry
from tests.cli.command import UNBOXED
from tests.cli.command import referee as referee_command
from tests.sample_bots.matches import bot_seed, play

PAGE = (Path(__file__).parents[1] / "docs" / "training.md").read_text(encoding="utf-8")
(SCRIPT,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(LEAGUE,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def script(tmp_path: Path) -> Iterator[ModuleType]:
    """The script of the page, for a network that is small and few matches."""
    (tmp_path / "train.py").write_text(SCRIPT)
    spec = importlib.util.spec_from_file_location("train", tmp_path / "train.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(os.environ):
        spec.loader.exec_module(module)
    with mock.patch.multiple(module, MATCHES=8, STEPS=40, HIDDEN=8, DEEPER=8, BATCH=64):
        yield module


def begin(script: ModuleType, matches: int) -> tuple[Any, Any, Any]:
    """So many matches, a network that has learned nothing, and random numbers."""
    rng = np.random.default_rng(1)
    vector = referee.vector(script.GAME, matches, seed=1, options=script.OPTIONS)
    return vector, script.Network.draw(vector.space, vector.observations, rng), rng


def test_its_gradients_are_those_of_half_the_mean_squared_error(script: ModuleType) -> None:
    matches, network, rng = begin(script, 8)
    reached, ids, rewards = script.play(matches, network, rng)
    # No bias is exactly 0.
    network.weights = [each + 0.1 * rng.standard_normal(each.shape) for each in network.weights]

    def error() -> float:
        return float(((network.evaluate(reached, slice(None), ids)[-1] - rewards) ** 2).mean() / 2)

    for weights, gradient in zip(network.weights, network.gradients(reached, ids, rewards), strict=True):
        at = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        middle, changes = weights[at], []
        for step in (1e-6, -1e-6):
            weights[at] = middle + step
            changes.append(error())
        weights[at] = middle
        assert gradient.shape == weights.shape
        assert (changes[0] - changes[1]) / 2e-6 == pytest.approx(gradient[at], rel=1e-3)


def test_a_vector_reaches_the_levels_that_its_numbers_are_not_below(script: ModuleType) -> None:
    vectors = np.array([[0, 0.5], [1, 0.5], [0.5, 0.5]], np.float32)
    space = referee.space(script.GAME, options=script.OPTIONS)
    network = script.Network.draw(space, vectors, np.random.default_rng(1))
    assert network.levels.tolist() == [[0, 0.5], [0, 1]]
    assert network.reach(vectors).tolist() == [[False, False], [True, True], [True, False]]


def test_actions_with_common_words_have_common_parts(script: ModuleType) -> None:
    space = referee.space(script.GAME, options=script.OPTIONS)
    parts = script.Network(space, [], []).parts
    assert len({row.tobytes() for row in parts}) == space.actions
    common = parts @ parts.T
    words = [each.split(", ")[0] for each in space.action_words]
    assert all(common[0, other] > 0 for other, word in enumerate(words) if word == words[0])


def test_without_exploring_a_reward_fades_by_the_trust_from_the_end_of_the_match(script: ModuleType) -> None:
    matches, network, rng = begin(script, 8)
    network.weights = [0 * each for each in network.weights]
    with mock.patch.multiple(script, EXPLORE=0, TRUST=0.5):
        reached, ids, rewards = script.play(matches, network, rng)
    assert len(reached) == len(ids) == len(rewards)
    assert 8 * 10 < len(rewards) < 8 * 40
    assert {1.0, -1.0, 0.5, -0.5, 0.25, -0.25} < set(rewards.tolist())
    assert {float(2 ** round(each)) for each in np.log2(abs(rewards))} == set(abs(rewards).tolist())


def test_what_was_drawn_says_nothing_about_the_choices_before(script: ModuleType) -> None:
    matches, network, rng = begin(script, 8)
    network.weights = [0 * each for each in network.weights]
    with mock.patch.multiple(script, EXPLORE=1, TRUST=0.5):
        *_, rewards = script.play(matches, network, rng)
    assert set(rewards.tolist()) == {1.0, -1.0, 0.0}


def test_it_chooses_the_best_legal_id_and_as_often_as_it_explores_any_legal_id(script: ModuleType) -> None:
    matches, network, rng = begin(script, 2000)
    legal = np.split(matches.legal, matches.offsets[1:-1])
    vectors = network.reach(matches.observations)
    best = [
        ids[network.evaluate(vectors[[place]], [0] * len(ids), ids)[-1].argmax()] for place, ids in enumerate(legal)
    ]
    assert script.choose(matches, network, 0, rng)[1].tolist() == best
    _, chosen, _, drawn = script.choose(matches, network, 0.5, rng)
    assert np.all((chosen == best) | drawn)
    assert drawn.mean() == pytest.approx(0.5, abs=0.05)
    places = [np.flatnonzero(ids == one)[0] / (len(ids) - 1) for ids, one in zip(legal, chosen, strict=True)]
    assert np.mean(np.array(places)[drawn]) == pytest.approx(0.5, abs=0.05)
    assert np.isin(chosen, matches.legal).all()


def test_training_moves_all_weights_that_take_part(script: ModuleType) -> None:
    rounds = [
        [each.copy() for each in network.weights] for network, used in islice(script.train(60), 3) if 0 < used < 60
    ]
    assert len(rounds) == 3
    assert all(np.isfinite(each).all() for weights in rounds for each in weights)
    assert all(not np.array_equal(now, then) for now, then in zip(rounds[2], rounds[0], strict=True))


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("agent-avenue", 4, {"mode": "advanced", "line_up": "2v2"}),
        ("inside-job", 4, {}),
        pytest.param("agonia", 2, {}, marks=pytest.mark.slow),
    ],
)
def test_for_another_game_one_line_changes(script: ModuleType, game: str, seats: int, options: dict[str, str]) -> None:
    with mock.patch.multiple(script, GAME=game, SEATS=seats, OPTIONS=options):
        network, _ = next(script.train(60))
    assert all(np.isfinite(each).all() and each.any() for each in network.weights)


def test_the_average_follows_the_weights(script: ModuleType) -> None:
    weights = [np.zeros(1)]
    learner = script.Learner(weights)
    for _ in range(1000):
        learner.step([np.ones(1)], 0.01)
    # It falls by 0.01 in each step, so an average of the last tenth or so is between its end and 20 % before it.
    assert weights[0][0] == pytest.approx(-10, rel=0.01)
    assert -9.5 < learner.average[0][0] < -8.5


@pytest.mark.slow
def test_after_some_rounds_it_knows_better_than_the_mean_who_wins(script: ModuleType) -> None:
    matches, network, rng = begin(script, 64)
    learner = script.Learner(network.weights)
    with mock.patch.multiple(script, TRUST=0):
        seen = script.play(matches, network, rng)
    for _ in range(100):
        learner.step(network.gradients(*seen), script.RATE)
    reached, ids, rewards = seen
    errors = network.evaluate(reached, slice(None), ids)[-1] - rewards
    assert (errors**2).mean() < 0.95 * rewards.var()


def test_its_bot_plays_a_match_by_the_messages_of_the_protocol_and_the_same_one_again(
    script: ModuleType, tmp_path: Path
) -> None:
    _, network, _ = begin(script, 8)
    np.savez(tmp_path / "network.npz", network.levels, *network.weights)
    matches = []
    for _ in range(2):
        players = [script.Player(pb.MatchStart(seed=bot_seed(1, seat)), "fnv") for seat in (0, 1)]
        matches.append(play(entry, Options(), players, 1))
    assert matches[0] == matches[1]


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.timeout(300)
def test_one_command_makes_a_bot_that_keeps_every_rule_and_plays_in_the_league_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(SCRIPT)
    subprocess.run([sys.executable, "train.py", "learner", "1"], cwd=tmp_path, check=True, timeout=120)
    checked = referee_command("check", tmp_path / "learner", "--option", "mode=simple", *UNBOXED)
    assert (checked.code, "FAIL" in checked.out) == (0, False), checked.out
    assert referee_command("new", "python", "--protocol", "grpc", tmp_path / "baseline").code == 0
    (tmp_path / "learner.toml").write_text(LEAGUE.replace("deals = 500", "deals = 2"))
    assert referee_command("league", "run", tmp_path / "learner.toml").code == 0
    standings = referee_command("league", "standings", tmp_path / "learner.toml")
    assert all(name in standings.out for name in ("learner@1", "baseline+random@1", "baseline+greedy@1"))
