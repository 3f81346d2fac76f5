"""What the pages for new authors tell them to do, from their own text: a bot is made, built, checked, played and rated.

`make ci-languages` runs this; `make test` leaves it out. C# over gRPC (docs/csharp.md) needs .NET, which Debian lacks.
"""

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.command import run
from tests.install import Toolchain
from tests.languages import leagues, line_league
from tests.needed import skip_for_lack
from tests.runtime.sandbox.needed import needs_bwrap

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.languages, pytest.mark.timeout(3600), needs_bwrap]


class FirstHour(NamedTuple):
    """What a page tells authors to do."""

    commands: list[list[str]]
    languages: set[str]
    league: str


def first_hour(page: str) -> FirstHour:
    """Read it from the page: the first block of commands, with the languages after its signs, and the league file."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    block = re.findall(r"^```\n(referee new .*?)^```$", text, re.M | re.S)[0]
    commands = [shlex.split(line, comments=True)[1:] for line in block.splitlines()]
    named = re.findall(r"[a-z]+", " ".join(line.partition("#")[2] for line in block.splitlines()))
    (league,) = re.findall(r"^```toml\n((?:(?!```).)*?^deals = .*?)^```$", text, re.M | re.S)
    return FirstHour(commands, {commands[0][1], *named} - {"or"}, league)


PAGES: Mapping[str, Mapping[str, Toolchain]] = {
    "writing-a-bot.md": leagues.TOOLCHAINS,
    "line-bots.md": line_league.TOOLCHAINS,
}
WAYS = [(page, language) for page in PAGES for language in ("cpp", "csharp", "go", "java", "javascript", "rust")]
WAYS.remove(("writing-a-bot.md", "csharp"))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_every_language(page: str) -> None:
    assert first_hour(page).languages == PAGES[page].keys()


@pytest.mark.parametrize(("page", "language"), WAYS)
def test_who_does_what_a_page_says_has_a_rated_bot(page: str, language: str, tmp_path: Path) -> None:
    if missing := PAGES[page][language].missing:
        skip_for_lack(f"the toolchain of {language}: {', '.join(missing)}; make ci-languages installs it")
    todo = first_hour(page)
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    assert run("new", "python", "another", folder=tmp_path).code == 0
    for command, *words in todo.commands:
        given = [language, *words[1:]] if command == "new" else words
        ended = run(command, *given, folder=tmp_path)
        assert ended.code == 0, f"{command}: {ended.out}{ended.err}"
    (tmp_path / "first.toml").write_text(todo.league)
    ran = run("league", "run", "first.toml", folder=tmp_path)
    assert ran.code == 0, ran.err
    table = run("league", "standings", "first.toml", "--json", folder=tmp_path).json
    assert table["matches"]["played"] == table["matches"]["planned"] > 0
    (line,) = [each for each in table["standings"] if each["bot"] == "mybot@1"]
    assert line["faults"] == 0
    assert line["rating"] is not None
