"""From a clean clone to a league in an environment that has nothing but the wheel. `make ci-wheel` runs this.

`make test` leaves it out: it takes minutes, and fetches the build tools and what the referee needs.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.wire.registry import games
from tests.cli.command import referee
from tests.wheel.building import ROOT, Builder, Environment, committed, contents, names

pytestmark = [pytest.mark.wheel, pytest.mark.timeout(1800)]

LANGUAGES = sorted(path.parent.name for path in (ROOT / "sample_bots").glob("*/starter"))
LEAGUE = """
name = "ours"
game = "agent-avenue"
deals = 4
rehearsal = true
seed = "7"
sandbox = "none"

[[bots]]
path = "one"

[[bots]]
path = "two"

[[tables]]
name = "simple"
seats = 2
"""


@pytest.fixture(scope="session")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    return Builder(tmp_path_factory.mktemp("wheel") / "building")


@pytest.fixture(scope="session")
def clone(builder: Builder) -> Path:
    return builder.clone("clone")


@pytest.fixture(scope="session")
def sdist(builder: Builder, clone: Path) -> Path:
    return builder.sdist(clone, "sdist")


@pytest.fixture(scope="session")
def wheel(builder: Builder, clone: Path) -> Path:
    return builder.wheel(clone, "wheel")


@pytest.fixture(scope="session")
def installed(builder: Builder, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel in an environment of its own, installed without the index."""
    environment = Environment(tmp_path_factory.mktemp("installed") / "fresh")
    wheels = builder.dependencies("dependencies")
    environment.pip_offline("install the wheel", "install", "--find-links", wheels, wheel)
    return environment


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the story takes place."""
    return tmp_path_factory.mktemp("empty")


@pytest.fixture(scope="session")
def bots(installed: Environment, empty: Path) -> list[str]:
    for name in ("one", "two"):
        installed.run(f"make the bot {name}", "referee", "new", "python", "--protocol", "grpc", name, folder=empty)
        installed.run(f"build the bot {name}", "referee", "build", name, folder=empty)
    return ["one", "two"]


def test_an_sdist_holds_what_is_under_version_control_and_nothing_else(sdist: Path) -> None:
    assert names(sdist) == committed() | {"PKG-INFO"}


def test_a_wheel_holds_the_program_the_starters_the_protos_and_what_is_made_of_these(wheel: Path) -> None:
    assert {name for name in contents(wheel) if ".dist-info/" not in name} == set(_expected())


def _expected() -> Iterator[str]:
    yield "referee_bot/v1/__init__.py"
    for name in committed():
        if re.match(r"(referee|tournaments)/(?!leagues/)", name):
            yield name
        if library := re.match(r"sample_bots/python/library/(referee_bot/.+)", name):
            yield library[1]
        if starter := re.match(r"sample_bots/(\w+/starter/.+|attend/.+|lines/.+|python/chat/.+)", name):
            yield f"referee/starters/{starter[1]}"
        if game := re.match(r"sample_games/starter/(.+)", name):
            yield f"referee/game_starter/{game[1]}"
        if name.startswith("proto/"):
            yield f"referee/{name}"
        if proto := re.match(r"proto/(referee_bot/v1/\w+)\.proto", name):
            yield from (proto[1] + end for end in ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi"))


def test_a_wheel_of_the_sdist_is_the_wheel_of_the_clone(builder: Builder, sdist: Path, wheel: Path) -> None:
    assert builder.wheel(sdist, "wheel-of-sdist").read_bytes() == wheel.read_bytes()


def test_what_pip_builds_in_isolation_differs_at_most_in_what_says_who_built_it(
    builder: Builder, clone: Path, wheel: Path
) -> None:
    isolated, ours = contents(builder.isolated_wheel(clone, "isolated")), contents(wheel)
    assert isolated.keys() == ours.keys()
    assert [name for name in ours if ".dist-info/" not in name and isolated[name] != ours[name]] == []


def test_what_bots_leave_behind_when_they_are_built_is_in_neither(builder: Builder, sdist: Path, wheel: Path) -> None:
    used = builder.clone("used")
    for ignored in used.glob("sample_bots/*/starter/.gitignore"):
        for line in ignored.read_text().splitlines():
            if not line.startswith("#"):
                _leave(ignored.parent / line.strip("/"), is_folder=line.endswith("/"))
    _leave(used / "sample_bots/python/library/referee_bot/v1/of_yesterday_pb2.py", is_folder=False)
    assert builder.sdist(used, "sdist-of-used").read_bytes() == sdist.read_bytes()
    assert builder.wheel(used, "wheel-of-used").read_bytes() == wheel.read_bytes()


def _leave(path: Path, *, is_folder: bool) -> None:
    file = path / "left.txt" if is_folder else path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("left behind")


def test_what_is_installed_has_all_that_it_needs_and_nothing_of_the_checkout(
    installed: Environment, empty: Path
) -> None:
    installed.pip_offline("look for what is missing", "check")
    program = "import referee, referee_bot, tournaments as t; print(referee.__file__, referee_bot.__file__, t.__file__)"
    files = installed.run("look where the packages are", "python", "-c", program, folder=empty).split()
    assert [file for file in files if not Path(file).is_relative_to(installed.folder)] == []


def test_it_knows_all_games(installed: Environment, empty: Path) -> None:
    listed = json.loads(installed.run("list the games", "referee", "games", "--json", folder=empty))
    assert {game["name"] for game in listed} == set(games())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_is_the_one_that_a_checkout_makes(
    installed: Environment, empty: Path, tmp_path: Path, language: str
) -> None:
    installed.run(f"make a bot in {language}", "referee", "new", language, f"in-{language}", folder=empty)
    assert referee("new", language, tmp_path / f"in-{language}").code == 0
    assert _files(empty / f"in-{language}") == _files(tmp_path / f"in-{language}")


def _files(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_new_bot_passes_its_check(installed: Environment, empty: Path, bots: list[str]) -> None:
    report = json.loads(installed.run("check a bot", "referee", "check", bots[0], "--json", folder=empty))
    assert set(report["games"]) == set(games())
    assert [point for points in report["games"].values() for point in points if not point["kept"]] == []


def test_two_bots_play_the_match_that_they_play_in_a_checkout(
    installed: Environment, empty: Path, bots: list[str]
) -> None:
    words = ("play", "agent-avenue", *bots, "--seed", "7")
    here = installed.run("play a match", "referee", *words, folder=empty)
    there = referee("play", "agent-avenue", *(empty / bot for bot in bots), "--seed", "7")
    assert "digest: " in here
    assert here == there.out


def test_a_league_is_played_verified_and_told(installed: Environment, empty: Path, bots: list[str]) -> None:
    (empty / "league.toml").write_text(LEAGUE)
    for command in ("run", "verify"):
        installed.run(f"league {command}", "referee", "league", command, "league.toml", folder=empty)
    told = installed.run("league standings", "referee", "league", "standings", "league.toml", "--json", folder=empty)
    assert all(f"{bot}@1" in told for bot in bots)
    assert json.loads(told)["matches"]["played"] == 8
