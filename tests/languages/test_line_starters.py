"""The starter that reads lines in each language: built, checked, and played in a box, where all choose alike.

`make ci-languages` runs this; `make test` leaves it out.
"""

import re
from pathlib import Path

import pytest

from referee.files.bot_toml import read_manifest
from tests.bots.alike import SERVES
from tests.cli.command import run
from tests.install import toolchains
from tests.needed import skip_for_lack
from tests.runtime.sandbox.needed import needs_bwrap

TOOLCHAINS = toolchains(Path(__file__).with_name("line_toolchains.toml"))
STARTERS = Path(__file__).parents[2] / "sample_bots" / "lines"

pytestmark = [pytest.mark.languages, pytest.mark.timeout(3600), needs_bwrap]
each_language = pytest.mark.parametrize("language", TOOLCHAINS)


def bot(folder: Path, language: str) -> Path:
    """A new bot in a language, built, all of the same name."""
    if missing := TOOLCHAINS[language].missing:
        skip_for_lack(f"the toolchain of {language}: {', '.join(missing)}; make ci-languages installs it")
    place = folder / language
    if not place.exists():
        for command in (["new", language], ["build"]):
            ended = run(*command, place, folder=folder)
            assert ended.code == 0, f"{ended.out}{ended.err}"
    return place


def rename(place: Path, name: str) -> None:
    before = f'name = "{read_manifest(place).name}"'
    (place / "bot.toml").write_text((place / "bot.toml").read_text().replace(before, f'name = "{name}"'))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the bots are; each is made by the first test that needs it."""
    return tmp_path_factory.mktemp("line-bots")


def test_every_starter_has_a_toolchain_and_names_its_packages() -> None:
    assert {path.parent.name for path in STARTERS.glob("*/bot.toml")} == TOOLCHAINS.keys()
    for language, chain in TOOLCHAINS.items():
        head = (STARTERS / language / "bot.toml").read_text().splitlines()[0]
        named = set(re.split(r", | and ", head.partition("names it: ")[2].rstrip(".")))
        assert set(chain.packages) - {"libc6-dev"} <= named


@each_language
def test_it_keeps_every_rule_of_conduct_in_a_box(made: Path, language: str, tmp_path: Path) -> None:
    ended = run("check", bot(made, language), "--sandbox", "bubblewrap", folder=tmp_path)
    assert ended.code == 0, f"{ended.out}{ended.err}"


@each_language
def test_it_chooses_as_all_others_do_and_its_match_can_be_played_again(
    made: Path, language: str, tmp_path: Path
) -> None:
    digests = []
    for each in ("python", language):
        place = bot(made, each)
        rename(place, "starter")
        command: list[str | Path] = ["play", "inside-job", *[place] * 4, "--seed", "1", "--out", f"{each}.json"]
        ended = run(*command, "--sandbox", "bubblewrap", folder=tmp_path)
        assert ended.code == 0, ended.err
        digests.append(ended.out.splitlines()[-1])
    assert digests[0] == digests[1]
    assert run("rerun", f"{language}.json", "--sandbox", "bubblewrap", folder=tmp_path).code == 0
    assert run("verify", f"{language}.json", folder=tmp_path).code == 0


def test_a_league_of_all_of_them_in_boxes_has_the_digest_of_the_same_rule_over_grpc(made: Path, tmp_path: Path) -> None:
    languages = [language for language, chain in TOOLCHAINS.items() if not chain.missing]
    digests = []
    for kind in ("lines", "grpc"):
        league = tmp_path / kind
        league.mkdir()
        paths = [bot(made, language) if kind == "lines" else league / language for language in languages]
        entered = ""
        for language, place in zip(languages, paths, strict=True):
            if kind == "grpc":
                place.mkdir()
                (place / "bot.py").write_text(SERVES)
                head = f'name = "{language}"\nversion = "1"\nauthor = "tests"\ngames = ["*"]\n'
                (place / "bot.toml").write_text(f'{head}run = ["{{python}}", "bot.py"]\n')
            else:
                rename(place, language)
            entered += f'[[bots]]\npath = "{place}"\n'
        (league / "league.toml").write_text(
            'name = "languages"\ngame = "agent-avenue"\ndeals = 3\nrehearsal = true\nseed = "languages"\n'
            f'sandbox = "bubblewrap"\n{entered}[[tables]]\nname = "simple"\nseats = 2\n'
        )
        ran = run("league", "run", "league.toml", folder=league)
        assert ran.code == 0, ran.err
        table = run("league", "standings", "league.toml", "--json", folder=league).json
        assert {line["faults"] for line in table["standings"]} == {0}
        digests.append(table["digest"])
    assert digests[0] == digests[1]
