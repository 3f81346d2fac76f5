"""The script of docs/training.md: its gradients, what it collects, that it learns, and that its bot keeps the rules."""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
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
    with mock.patch.multiple(module, MATCHES=8, STEPS=40, HIDDEN=8, BATCH=64):
        yield module


def experience(script: ModuleType) -> tuple[list[Any], list[Any]]:
    """The weights of a network that has learned nothing, and what it sees when it plays."""
    rng = np.random.default_rng(1)
    matches = referee.vector(script.GAME, script.MATCHES, seed=1, options=script.OPTIONS)
    weights = [each.astype(np.float64) for each in script.draw_weights(matches.space, rng)]
    return weights, script.play(matches, weights, rng)


def test_its_gradients_are_those_of_half_the_mean_squared_error(script: ModuleType) -> None:
    weights, (vectors, ids, rewards) = experience(script)
    rng, each = np.random.default_rng(2), np.arange(len(ids))
    weights = [layer + 0.1 * rng.standard_normal(layer.shape) for layer in weights]  # no bias is exactly 0

    def error() -> float:
        return float(((script.evaluate(weights, vectors)[-1][each, ids] - rewards) ** 2).mean() / 2)

    for number, gradient in enumerate(script.gradients(weights, vectors, ids, rewards)):
        at = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        middle, changes = weights[number][at], []
        for step in (1e-6, -1e-6):
            weights[number][at] = middle + step
            changes.append(error())
        weights[number][at] = middle
        assert (changes[0] - changes[1]) / 2e-6 == pytest.approx(gradient[at], rel=1e-3)


def test_what_it_collects_are_the_decisions_of_matches_that_ended_with_the_reward_of_their_seats(
    script: ModuleType,
) -> None:
    _, (vectors, ids, rewards) = experience(script)
    assert len(vectors) == len(ids) == len(rewards)
    assert 8 * 10 < len(rewards) < 8 * 40
    assert set(rewards.tolist()) == {1.0, -1.0}


def test_it_chooses_the_best_legal_id_and_as_often_as_it_explores_any_legal_id(script: ModuleType) -> None:
    expected, mask = np.tile([9.0, 2.0, 3.0], (4000, 1)), np.tile(np.array([0, 1, 1], np.int8), (4000, 1))
    rng = np.random.default_rng(3)
    assert set(script.choose(expected, mask, 0, rng)) == {2}
    chosen = script.choose(expected, mask, 0.5, rng)
    assert np.bincount(chosen, minlength=3) / 4000 == pytest.approx([0, 0.25, 0.75], abs=0.03)


def test_training_moves_all_weights_that_take_part(script: ModuleType) -> None:
    first, _ = experience(script)
    for weights, used in script.train(0.05):
        assert used > 0
        assert all(np.isfinite(each).all() for each in weights)
    assert all(not np.array_equal(now, then) for now, then in zip(weights, first, strict=True))


@pytest.mark.slow
def test_after_some_rounds_it_knows_better_than_the_mean_who_wins(script: ModuleType) -> None:
    rng = np.random.default_rng(1)
    matches = referee.vector(script.GAME, 64, seed=1, options=script.OPTIONS)
    adam = script.Adam(script.draw_weights(matches.space, rng))
    seen = script.play(matches, adam.weights, rng)
    for _ in range(60):
        adam.step(script.gradients(adam.weights, *seen), script.RATE)
    vectors, ids, rewards = seen
    errors = script.evaluate(adam.weights, vectors)[-1][np.arange(len(ids)), ids] - rewards
    assert (errors**2).mean() < 0.95 * rewards.var()


def test_its_bot_plays_a_match_by_the_messages_of_the_protocol_and_the_same_one_again(
    script: ModuleType, tmp_path: Path
) -> None:
    weights, _ = experience(script)
    np.savez(tmp_path / "weights.npz", *weights)
    matches = []
    for _ in range(2):
        players = [script.Player(pb.MatchStart(seed=bot_seed(1, seat)), "fnv") for seat in (0, 1)]
        matches.append(play(entry, Options(), players, 1))
    assert matches[0] == matches[1]


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.timeout(300)
def test_one_command_makes_a_bot_that_keeps_every_rule_and_plays_in_the_league_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    subprocess.run([sys.executable, "train.py", "learner", "1"], cwd=tmp_path, check=True, timeout=120)
    checked = referee_command("check", tmp_path / "learner", "--option", "mode=simple", *UNBOXED)
    assert (checked.code, "FAIL" in checked.out) == (0, False), checked.out
    assert referee_command("new", "python", tmp_path / "baseline").code == 0
    (tmp_path / "learner.toml").write_text(LEAGUE.replace("deals = 500", "deals = 2"))
    assert referee_command("league", "run", tmp_path / "learner.toml").code == 0
    standings = referee_command("league", "standings", tmp_path / "learner.toml")
    assert all(name in standings.out for name in ("learner@1", "baseline+random@1", "baseline+greedy@1"))
