"""`tune` as a user sees it: the search, its picture, and the comparison at its end."""

import contextlib
import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

import pytest

from tests.cli.command import GAME, Ended, finish, referee, start
from tests.tournaments.cli.runs import wait_until
from tests.tournaments.fakes import FakeExecutor, fails_in
from tests.tournaments.repositories import sometimes_greedy
from tournaments.play.environment import LocalEnvironment
from tournaments.play.workers.worker_messages import Work

MANIFEST = """\
name = "mine"
version = "1"
author = "tests"
games = ["*"]
protocol = "lines"
run = ["{python}", "bot.py"]
"""
PARAMETERS = """
[parameters]
depth = { type = "int", range = [0, 20], value = 4, argument = "--depth={value}" }
caution = { type = "float", range = [0, 1], value = 0.5, environment = "CAUTION" }
"""

MORE = ("--gain", "8", "--max-deals", "100")


@contextmanager
def deeper_wins(_self: LocalEnvironment, work: Work, _run_dir: Path) -> Iterator[FakeExecutor]:
    """Plays in this process. The lower the depth of a bot, the more of its matches it loses by a fault."""
    depths = {name: int(entry.terms.arguments[0].partition("=")[2]) for name, entry in work.entries.items()}
    yield FakeExecutor({name: fails_in(90 - 4 * depth) for name, depth in depths.items()}, game=GAME)


@pytest.fixture
def tune(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ended]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(LocalEnvironment, "executor", deeper_wins)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.toml").write_text(MANIFEST + PARAMETERS)
    (tmp_path / "mine" / "bot.py").write_text("")
    words = ("--game", "agent-avenue", "--deals", "100", "--sandbox", "none", "--workers", "1")
    return lambda *more: referee("tune", "mine", *words, *more)


@pytest.mark.slow
def test_the_search_is_told_and_only_a_comparison_on_fresh_deals_judges_it(
    tune: Callable[..., Ended], tmp_path: Path
) -> None:
    ended = tune("--report", "found", *MORE)
    assert ended.code == 0, ended.err
    depth, caution, verdict, *_ = ended.out.splitlines()
    assert depth.startswith("depth: 4 -> ")
    assert caution.startswith("caution: 0.5 -> ")
    assert verdict == "better: the new mine@1 is better than the old mine@1"
    assert [line for line in ended.err.splitlines() if line.startswith("56 of 100 deals: depth: 4 -> ")]
    assert "the same content" not in ended.err
    found = tune("--json", *MORE).json
    assert found["old_values"] == {"depth": "4", "caution": "0.5"}
    assert int(found["new_values"]["depth"]) > 8
    assert found["bots"][0][1]["arguments"] == [f"--depth={found['new_values']['depth']}"]
    assert len(found["course"]) == 1 + 100 // 8
    assert escape(depth) in (tmp_path / "found" / "report.html").read_text()
    assert json.loads((tmp_path / "found" / "report.json").read_text()) == found
    assert len(list(tmp_path.glob("tune-mine-*"))) == 1


@pytest.mark.slow
def test_a_search_that_moves_nothing_says_so_and_finds_nothing(tune: Callable[..., Ended], tmp_path: Path) -> None:
    (tmp_path / "mine" / "bot.toml").write_text(MANIFEST + PARAMETERS.rpartition("caution")[0])
    ended = tune("--gain", "0.01")
    assert ended.code == 1
    assert ended.out == "depth: 4 -> 4 (+0 %) ▂▂▂▂▂▂▂▂▂▂▂▂▂\n"
    assert ended.err.splitlines()[-1] == "no value has moved by a step; give a larger --gain, or more --deals"


def test_a_bot_without_parameters_is_told_where_to_name_them(tune: Callable[..., Ended], tmp_path: Path) -> None:
    (tmp_path / "mine" / "bot.toml").write_text(MANIFEST)
    ended = tune()
    assert (ended.code, ended.err) == (2, "mine/bot.toml: has no [parameters]; say there what can be tuned\n")


OFTEN = """
name = "mine"
version = "1"
author = "tests"
games = ["agent-avenue"]
run = ["{python}", "bot.py"]
[parameters]
often = { type = "float", range = [0, 1], value = 0.2, argument = "--often={value}" }
"""


@pytest.mark.slow
@pytest.mark.process
def test_a_real_bot_becomes_better_and_a_killed_search_takes_the_same_course(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("whole", "killed"):
        bot = tmp_path / place / "mine"
        bot.mkdir(parents=True)
        (bot / "bot.toml").write_text(OFTEN)
        (bot / "bot.py").write_text(sometimes_greedy("float(sys.argv[-1].partition('=')[2])"))
    words = ("tune", "mine", "--game", "agent-avenue", "--deals", "100", "--gain", "8", "--max-deals", "24", "--json")
    patient = ("--sandbox", "none", "--move-ms", "300000", "--start-ms", "300000", "--workers", "2")
    monkeypatch.chdir(tmp_path / "whole")
    whole = referee(*words, *patient)
    assert whole.code == 0, whole.err
    found = whole.json
    assert found["new_faults"] == found["old_faults"] == 0
    assert found["old_values"] == {"often": "0.2"}
    assert float(found["new_values"]["often"]) > 0.4
    assert found["bots"][0][1]["arguments"] == [f"--often={found['new_values']['often']}"]
    process = start(tmp_path / "killed", scratch, *words, *patient)
    wait_until(lambda: any((tmp_path / "killed").glob("tune-mine-*/store.sqlite")), process)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(8)
    process.kill()
    finish(process)
    monkeypatch.chdir(tmp_path / "killed")
    assert referee(*words, *patient).out == whole.out
