"""The confinement is a value, and whatever runs a bot's code uses it."""

import pickle
from pathlib import Path
from typing import get_args

import pytest

from referee.core.bot_limits import Sandbox, SandboxLimits
from referee.files.bot_folder import Visible
from referee.runtime import confinement as module
from referee.runtime.confinement import Unconfined, confinement
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from referee.runtime.sandbox.landlock import Landlock
from tests.cli.command import BOTS, referee
from tests.runtime.confinements import Recording
from tests.runtime.test_batches import batcher
from tests.tournaments.arena import write_bot, write_league

RANDOM, GREEDY = BOTS / "random", BOTS / "greedy"
BUILT = """
name = "made"
version = "1"
author = "the tests"
games = ["*"]
run = ["./bot", "{address}"]
build = ["{python}", "-c", "open('bot', 'w')"]
"""


@pytest.fixture
def recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recording:
    """A confinement that replaces "none" in this process. The workers of a league get it from here."""
    found = Recording(tmp_path / "noted")
    monkeypatch.setitem(module._BY_NAME, "none", lambda _limits, _read: found)
    return found


def test_every_name_that_a_league_file_may_have_is_a_confinement() -> None:
    found: dict[str, object] = {name: confinement(name) for name in get_args(Sandbox)}
    assert found == {"bubblewrap": Bubblewrap(), "landlock": Landlock(), "none": Unconfined()}
    assert all(confinement(name).name == name for name in get_args(Sandbox))


def test_a_confinement_is_sent_compared_and_printed_as_a_value() -> None:
    confined = confinement("bubblewrap", SandboxLimits(processes=7), [Path("/somewhere")])
    again = pickle.loads(pickle.dumps(confined))  # noqa: S301 - it is our own
    assert again == confined != confinement("bubblewrap")
    assert "processes=7" in repr(again)


def test_unconfined_a_bot_runs_as_it_says(tmp_path: Path) -> None:
    command = ["./bot", "unix:/there"]
    assert Unconfined().to_play(command, Visible(tmp_path), tmp_path, "unix").command == command
    assert Unconfined().to_build(command, Visible(tmp_path)).command == command


@pytest.mark.slow
@pytest.mark.process
def test_play_and_rerun_confine_every_bot(recording: Recording, tmp_path: Path) -> None:
    match = tmp_path / "match.json"
    assert referee("play", "agent-avenue", RANDOM, GREEDY, "--sandbox", "none", "--seed", "7", "--out", match).code == 0
    both = sorted(f"play {bot} unix" for bot in (RANDOM, GREEDY))
    assert sorted(recording.noted()) == both
    assert referee("rerun", match, "--sandbox", "none").code == 0
    assert sorted(recording.noted()) == sorted(both * 2)


@pytest.mark.slow
@pytest.mark.process
def test_check_confines_the_bot_whenever_it_starts_it(recording: Recording, tmp_path: Path) -> None:
    bot = batcher(tmp_path, "right").folder
    assert referee("check", bot, "--game", "agent-avenue", "--sandbox", "none").code == 0
    # Two seats each: on warm processes, twice on fresh ones, with unknown fields, with large decisions, many at once.
    # Then once.
    assert recording.noted() == [f"play {bot} unix"] * 13


def test_build_confines_the_build_command(recording: Recording, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(BUILT)
    assert referee("build", tmp_path).code == 0
    assert recording.noted() == [f"build {tmp_path}"]


@pytest.mark.process
def test_the_workers_of_a_league_confine_every_bot(recording: Recording, tmp_path: Path) -> None:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob")]
    file = write_league(tmp_path / "small.toml", bots, deals=1)
    assert referee("league", "run", file, "--workers", "1", "--store", f"sqlite:///{tmp_path}/store.sqlite").code == 0
    probed = {noted for noted in recording.noted() if str(tmp_path) not in noted}  # before the first match
    assert len(probed) == 1
    assert set(recording.noted()) - probed == {f"play {tmp_path / name} unix" for name in ("ann", "bob")}
