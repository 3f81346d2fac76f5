"""Every limit of a league file, on the real machine: it works, or a sentence names it and a value that works."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from referee.core.errors import Exit
from tests.cli.command import BOTS, run
from tests.runtime.sandbox.boxes import needs_boxes
from tests.runtime.sandbox.needed import needs_landlock
from tests.tournaments.config.test_numbers import NUMBERS, Number, write
from tests.tournaments.web.service.running import serving
from tournaments.web.visibility.league_view import LeagueView

pytestmark = [pytest.mark.process, pytest.mark.slow]

KINDS = [pytest.param("bubblewrap", marks=needs_boxes), pytest.param("landlock", marks=needs_landlock)]


def ends_of(part: str, *low: int) -> list[Number]:
    """The least and the greatest value of every number in a part of a league file, and low ones."""
    ends = [each for each in NUMBERS if each.place == (part,)]
    return [*ends, *(Number((part,), key, value) for key in dict.fromkeys(each.key for each in ends) for value in low)]


def refusal(folder: Path, sandbox: str, *given: Number) -> str | None:
    """Why a league with these values is refused, by a check and by a run; None if the run played it."""
    file = write(folder / "autumn.toml", "round-robin", *given, sandbox=sandbox)
    ended = run("league", "run", file, "--workers", "1", folder=folder)
    if ended.code == 0:
        return None
    assert ended.code == Exit.WRONG_USE, ended.err
    checked = run("league", "check", file, folder=folder)
    assert (checked.code, checked.err) == (ended.code, ended.err)
    return ended.err.strip()


def faults(folder: Path) -> list[Any]:
    """The faults in the matches that were played last."""
    lines = run("league", "matches", folder / "autumn.toml", "--json", folder=folder).out.splitlines()
    assert lines
    return [seat["fault"] for line in lines for seat in json.loads(line)["seats"] if seat["fault"]]


@pytest.mark.parametrize("sandbox", KINDS)
@pytest.mark.parametrize("number", ends_of("sandbox", 9), ids=str)
def test_bots_play_within_a_limit_or_a_sentence_names_the_nearest_with_which_they_do(
    tmp_path: Path, sandbox: str, number: Number
) -> None:
    refused = refusal(tmp_path, sandbox, number)
    if refused is not None:
        place = f"sandbox.{number.key} in the league file"
        found = re.fullmatch(
            f"{place}: {number.value} is too (low; the least|high; the greatest) usable value on this machine is (.*)",
            refused,
        )
        assert found, refused
        nearest = int(found[2])
        assert (found[1] == "low; the least") == (number.value < nearest)
        assert refusal(tmp_path, sandbox, number._replace(value=nearest)) is None
    assert faults(tmp_path) == []


@needs_boxes
def test_of_several_limits_each_is_named_so_that_all_of_them_together_work(tmp_path: Path) -> None:
    given = {"processes": 1, "files": 3, "memory_mib": 5}
    part = ("sandbox",)
    refused = refusal(tmp_path, "bubblewrap", *(Number(part, key, value) for key, value in given.items()))
    assert refused is not None
    nearest = re.findall(r"sandbox\.(\w+) in the league file: \d+ is too low; .*? is (\d+)", refused)
    assert {key for key, _ in nearest} == given.keys()
    assert refusal(tmp_path, "bubblewrap", *(Number(part, key, int(value)) for key, value in nearest)) is None


@needs_boxes
def test_a_limit_that_is_too_low_hides_no_bot_that_cannot_start(tmp_path: Path) -> None:
    low = Number(("sandbox",), "processes", 1)
    file = write(tmp_path / "autumn.toml", "round-robin", low, sandbox="bubblewrap")
    (tmp_path / "bot").mkdir()
    manifest = 'name = "lost"\nversion = "1"\nauthor = "x"\ngames = ["*"]\nrun = ["no-such-program"]\n'
    (tmp_path / "bot" / "bot.toml").write_text(manifest)
    file.write_text(file.read_text().replace("bots = [", 'bots = [{ path = "bot" }, ', 1))
    for command in ("check", "run"):
        ended = run("league", command, file, folder=tmp_path)
        assert ended.code == Exit.WRONG_USE
        bot, limit = ended.err.splitlines()
        assert "there is no program no-such-program on this machine" in bot
        assert limit.startswith("sandbox.processes in the league file: 1 is too low")


@needs_boxes
@pytest.mark.parametrize("number", ends_of("clock"), ids=str)
def test_a_league_is_played_with_any_time_or_its_file_is_refused(tmp_path: Path, number: Number) -> None:
    refused = refusal(tmp_path, "bubblewrap", number)
    assert refused is None or re.fullmatch(r"autumn\.toml: clock: .*(move_ms|start_ms).*", refused)


@needs_boxes
@pytest.mark.parametrize("number", ends_of("submissions"), ids=str)
def test_a_bot_is_entered_within_a_limit_or_a_sentence_says_which_it_exceeded(tmp_path: Path, number: Number) -> None:
    words = {
        "free_mib": r"MiB free, .*free_mib in \[submissions\]",
        "check_s": f"the check was ended after {number.value} s",
        "size_mib": r"size_mib in \[folders\]",
    }
    file = write(tmp_path / "autumn.toml", "round-robin", number, sandbox="bubblewrap")
    bot = tmp_path / "bot"
    shutil.copytree(BOTS / "random", bot)
    with (bot / "bot.toml").open("a") as manifest:
        manifest.write('build = ["sleep", "0.7"]\n')  # so that we look at the build while it runs
    ended = run("submit", bot, "--to", file, "--label", "built", folder=tmp_path)
    assert ended.code == 0 or re.search(words.get(number.key, "nothing"), ended.out + ended.err), ended


@needs_boxes
@pytest.mark.parametrize("number", ends_of("service"), ids=str)
def test_a_league_is_served_with_any_number(tmp_path: Path, number: Number) -> None:
    file = write(tmp_path / "autumn.toml", "round-robin", number, sandbox="bubblewrap")
    with serving(file) as served:
        assert served.line().get(LeagueView).name == "autumn"
