"""The starter that reads lines in each language: built, checked, and played in a box, where all choose alike.

`make ci-languages` runs this; `make test` leaves it out.
"""

import re
from pathlib import Path

import pytest

from tests.cli.command import run
from tests.languages.line_league import TOOLCHAINS, new_bot, play_both, rename
from tests.needed import skip_for_lack
from tests.runtime.sandbox.needed import needs_bwrap

STARTERS = Path(__file__).parents[2] / "sample_bots" / "lines"

pytestmark = [pytest.mark.languages, pytest.mark.timeout(3600), needs_bwrap]
each_language = pytest.mark.parametrize("language", TOOLCHAINS)


def bot(folder: Path, language: str) -> Path:
    """A new bot in a language, built, all of the same name."""
    if missing := TOOLCHAINS[language].missing:
        skip_for_lack(f"the toolchain of {language}: {', '.join(missing)}; make ci-languages installs it")
    return new_bot(folder, language)


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
        # After it may stand where the output of a bot is kept: some runtimes say something at their start.
        digests += [line for line in ended.out.splitlines() if line.startswith("digest: ")]
    assert len(digests) == 2
    assert digests[0] == digests[1]
    assert run("rerun", f"{language}.json", "--sandbox", "bubblewrap", folder=tmp_path).code == 0
    assert run("verify", f"{language}.json", folder=tmp_path).code == 0


def test_a_league_of_all_of_them_in_boxes_has_the_digest_of_the_same_rule_over_grpc(made: Path, tmp_path: Path) -> None:
    languages = [language for language, chain in TOOLCHAINS.items() if not chain.missing]
    in_lines, over_grpc = play_both(tmp_path, made, languages, 3 * len(languages) * (len(languages) - 1))
    assert in_lines.faults == 0
    assert in_lines == over_grpc
