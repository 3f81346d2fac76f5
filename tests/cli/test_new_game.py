"""`referee new-game`, `check-game` and `games --schema`: a game of one's own, from nothing to a league."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import REFEREE, Ended, referee
from tests.drawing.test_page import readable
from tests.starter_game import install


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games") / "high-card"
    assert referee("new-game", folder).code == 0
    return folder


@pytest.fixture(scope="module")
def installed(package: Path) -> dict[str, str]:
    return install(package)


def run(environment: dict[str, str], folder: Path, *command: str | Path) -> Ended:
    """A command in the environment in which the game is installed."""
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def test_a_new_game_has_the_name_of_its_folder_everywhere(package: Path) -> None:
    files = [path for path in package.rglob("*") if path.is_file() and ".dist-info" not in str(path)]
    assert package / "high_card" / "rules.py" in files
    assert package / "bots" / "careful" / "bot.py" in files
    text = "".join(path.read_text() for path in files)
    assert "starter_game" not in text
    assert "starter-game" not in text
    assert "class HighCard:" in text


@pytest.mark.parametrize("name", ["My-Game", "9lives", "a game", "a_game", "agonia", "class", "json"])
def test_a_name_that_no_game_can_have_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    ended = referee("new-game", tmp_path / name)
    assert (ended.code, ended.out) == (2, "")
    assert "name" in ended.err
    assert not (tmp_path / name).exists()


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    ended = referee("new-game", tmp_path / "mine")
    assert ended.err == f"{tmp_path / 'mine'}: is there already; name a folder that is not\n"


@pytest.mark.slow
@pytest.mark.process
def test_a_new_game_passes_its_check_and_its_tests(package: Path, installed: dict[str, str]) -> None:
    checked = run(installed, package, REFEREE, "check-game", "high-card", "--json")
    assert (checked.code, checked.err) == (0, "")
    assert {finding["kept"] for finding in checked.json["findings"]} == {True}
    tested = run(installed, package, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert tested.code == 0, tested.out


@pytest.mark.process
def test_its_messages_have_a_schema(package: Path, installed: dict[str, str]) -> None:
    schema = json.loads(run(installed, package, REFEREE, "games", "high-card", "--schema").out)
    assert set(schema["$defs"]["View"]["properties"]) == {"seat", "card", "cards", "round", "rounds", "chips", "stays"}


def test_a_game_with_a_proto_has_a_schema_of_what_is_read_in_lines() -> None:
    schema = referee("games", "agonia", "--schema").json
    assert schema["$defs"]["MarkedCard"]["properties"].keys() == {"card", "jams"}
    card = schema["$defs"]["Card"]
    assert (card["enum"][0], card["printed"]["PISTOLA"]["range"]) == ("PISTOLA", 3)
    assert len(card["printed"]) == len(card["enum"])
    assert referee("games", "--schema").code == referee("games", "chess").code == 2


@pytest.mark.slow
@pytest.mark.process
def test_a_new_game_is_played_drawn_and_rated_in_a_league(package: Path, installed: dict[str, str]) -> None:
    bots = ["bots/careful", "bots/careful", "--sandbox", "none"]
    played = run(
        installed, package, REFEREE, "play", "high-card", *bots, "--seed", "1", "--html", "m.html", "--out", "m.json"
    )
    assert (played.code, played.err) == (0, "")
    assert "your card: " in readable((package / "m.html").read_text())
    pictured = run(installed, package, REFEREE, "replay", "m.json", "--seat", "0", "--svg", "m.svg", "--step", "2")
    assert (pictured.code, pictured.err) == (0, "")
    assert "chips" in (package / "m.svg").read_text()
    assert ">be out<" in (package / "m.svg").read_text()
    assert run(installed, package, REFEREE, "verify", "m.json").code == 0

    assert run(installed, package, REFEREE, "league", "run", "league.toml").code == 0
    standings = run(installed, package, REFEREE, "league", "standings", "league.toml", "--json").json["standings"]
    assert {line["bot"] for line in standings} == {"careful@1", "careful+bold@1"}
    assert sum(line["mean_return"] for line in standings) == pytest.approx(0)
    assert "mean return" in run(installed, package, REFEREE, "league", "standings", "league.toml", "--wide").out


@pytest.mark.slow
@pytest.mark.process
def test_a_rule_that_raises_is_told_in_a_sentence_and_keeps_the_match_and_no_bot_pays(
    package: Path, installed: dict[str, str], tmp_path: Path
) -> None:
    rules = package / "high_card" / "rules.py"
    text = rules.read_text()
    broken = text.replace(
        "    winner = max(", '    if state.round >= 1:\n        raise KeyError("pot")\n    winner = max('
    )
    assert broken != text
    rules.write_text(broken)
    try:
        bots = [str(package / "bots/careful")] * 2 + ["--sandbox", "none"]
        played = run(installed, tmp_path, REFEREE, "play", "high-card", *bots, "--seed", "1")
        league = tmp_path / "league.toml"
        league.write_text((package / "league.toml").read_text().replace("bots/", f"{package}/bots/"))
        ran = run(installed, tmp_path, REFEREE, "league", "run", "league.toml")
    finally:
        rules.write_text(text)
    for ended in (played, ran):
        assert ended.code == 3
        assert "the game high-card failed in the match" in ended.err
        assert "KeyError: 'pot'; this is a bug of the game, and no bot pays for it" in ended.err
        assert "Traceback" not in ended.err
    kept = [json.loads(path.read_text()) for path in tmp_path.glob("game-bug-*.json")]
    assert len(kept) == 2
    assert all("raise KeyError" in "".join(each["traceback"]) and each["choices"] for each in kept)
    mended = run(installed, tmp_path, REFEREE, "league", "run", "league.toml")
    assert mended.code == 0, mended.err
    standings = run(installed, tmp_path, REFEREE, "league", "standings", "league.toml", "--json").json["standings"]
    assert [(line["matches"], line["faults"]) for line in standings] == [(100, 0)] * 2
