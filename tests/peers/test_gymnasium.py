"""Gymnasium's own check, at every variety of every game, and the script that trains by it."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.api.space_tables import TABLES, SpaceTable
from tests.needed import import_needed

pytestmark = pytest.mark.peers

referee_gymnasium = import_needed("referee.gymnasium")

SCRIPT = Path(__file__).parents[2] / "docs" / "examples" / "train_gymnasium.py"


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_check_env(table: SpaceTable) -> None:
    from gymnasium.utils.env_checker import check_env  # noqa: PLC0415

    env = referee_gymnasium.env(table.game, seats=table.seats, options=table.given, render_mode="ansi")
    check_env(env, skip_render_check=True)
    assert env.render()


@pytest.mark.filterwarnings("default")
def test_several_environments_go_on_in_step() -> None:
    from gymnasium.vector import SyncVectorEnv  # noqa: PLC0415

    many = SyncVectorEnv([lambda: referee_gymnasium.env("agent-avenue") for _ in range(4)])
    _, info = many.reset(seed=7)
    for _ in range(50):
        _, _, _, _, info = many.step([int(mask.argmax()) for mask in info["action_mask"]])


@pytest.mark.process
def test_the_script_of_the_documents_trains_and_compares_itself_with_chance() -> None:
    """How much better it becomes is in docs/training.md: in a few seconds chance would hide it."""
    ran = subprocess.run(
        [sys.executable, SCRIPT, "3"], capture_output=True, text=True, check=False, timeout=600, env=os.environ
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    matches, rewards, difference = ran.stdout.splitlines()
    assert int(matches.split()[0]) >= 200
    trained, random = map(float, re.findall(r"-?\d\.\d+", rewards))
    assert abs(trained - random - float(difference.split()[1].strip(","))) < 0.002


def test_its_network_learns_what_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["train", "0"])
    names = runpy.run_path(str(SCRIPT))
    network, rng = names["Network"](3), np.random.default_rng(1)
    seen, wanted = rng.standard_normal((5, names["size"])), rng.standard_normal((5, 3))

    def loss() -> float:
        return float(((network.evaluate(seen)[1] - wanted) ** 2).sum() / 2)

    before = loss()
    for _ in range(20):
        hidden, outputs = network.evaluate(seen)
        network.step(seen, hidden, outputs - wanted, 0.01)
    assert loss() < 0.5 * before
