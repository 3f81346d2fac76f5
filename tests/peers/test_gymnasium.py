"""Gymnasium's own check, at every variety of every game, and the script that trains by it."""

import os
import subprocess
import sys
from pathlib import Path

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
def test_the_script_of_the_documents_trains_a_policy_that_is_better_than_chance() -> None:
    """Twenty seconds make a difference of several standard errors."""
    ran = subprocess.run(
        [sys.executable, SCRIPT, "20"], capture_output=True, text=True, check=False, timeout=600, env=os.environ
    )
    assert ran.returncode == 0, ran.stderr
    difference, error = (float(ran.stdout.split(word)[1].split()[0].strip(",")) for word in ("difference:", "error"))
    assert difference > 2 * error
