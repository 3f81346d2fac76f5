"""The first pages that a reader meets are short, lead to all others, and show what really happens."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from referee.wire.registry import game_entry
from tests.cli.command import referee
from tournaments.config.league_file import read_league

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MOST_WORDS = {"README.md": 800, "CONTRIBUTING.md": 700, "SECURITY.md": 800}
BOT_TOML = 'name = "mybot"\nversion = "1"\nauthor = "me"\ngames = ["agent-avenue"]\nrun = ["x"]\n'
COMMAND_WITH_OUTPUT = re.compile(r"^```\n\$ referee (play .+ --out match\.json)\n(.*?)^```$", re.M | re.S)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def links(page: Path) -> set[Path]:
    """The files of this project to which a page links."""
    targets = re.findall(r"\]\(([^):#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    return {(page.parent / target).resolve() for target in targets}


@pytest.mark.parametrize("name", MOST_WORDS)
def test_a_front_page_is_short(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").split()) <= MOST_WORDS[name]


def test_the_list_of_pages_has_every_page() -> None:
    pages = {page for pattern in ("*.md", "games/*.md", "rulings/*.md") for page in DOCS.glob(pattern)}
    assert pages - links(DOCS / "README.md") == {DOCS / "README.md"}


def test_the_readme_leads_to_the_list_of_pages_and_to_what_is_promised_about_strangers() -> None:
    assert {DOCS / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"} <= links(ROOT / "README.md")


def test_the_list_of_pages_begins_with_three_pages_for_each_role() -> None:
    beginning = (DOCS / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    rows = [line for line in beginning.splitlines() if "**" in line]
    assert [row.count("](") for row in rows] == [3] * 5


@pytest.mark.process
@pytest.mark.parametrize("page", ["README.md", "docs/playing-matches.md"])
def test_the_match_of_a_page_is_played_as_the_page_prints_it(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((command, printed),) = COMMAND_WITH_OUTPUT.findall((ROOT / page).read_text(encoding="utf-8"))
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    monkeypatch.chdir(tmp_path)
    ended = referee(*shlex.split(command))
    assert (ended.code, ended.out) == (0, printed)


@pytest.mark.parametrize("page", ["README.md", "docs/playing-matches.md"])
def test_the_python_of_a_page_runs(page: str) -> None:
    (source,) = PYTHON.findall((ROOT / page).read_text(encoding="utf-8"))
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(source, page, "exec"), {})  # noqa: S102 - the page is ours
    assert re.fullmatch(r"\w+ \(\d, \d\)\n", printed.getvalue())


@pytest.mark.parametrize(
    ("page", "entries"),
    [
        ("writing-a-bot.md", ["mybot@1", "random@1", "greedy@1"]),
        ("running-a-league.md", ["greedy@1", "counter@1"]),
    ],
)
def test_the_league_file_of_a_page_is_one(page: str, entries: list[str], tmp_path: Path) -> None:
    (source,) = re.findall(r"^```toml\n(.*?)^```$", (DOCS / page).read_text(encoding="utf-8"), re.M | re.S)
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    (tmp_path / "mybot").mkdir()
    (tmp_path / "mybot" / "bot.toml").write_text(BOT_TOML)
    (tmp_path / "league.toml").write_text(source)
    league = read_league(tmp_path / "league.toml", lambda name: game_entry(name).game)
    assert [entry.name for entry in league.entries] == entries


def test_the_page_of_the_first_bot_says_how_many_deals_its_league_has() -> None:
    text = (DOCS / "writing-a-bot.md").read_text(encoding="utf-8")
    (deals,) = re.findall(r"^deals = (\d+)", text, re.M)
    assert f"{deals} deals" in text
