"""`referee site` writes the pages of leagues, and says what is wrong in a sentence."""

import importlib.util
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.cli.command import GAME, referee
from tests.tournaments.arena import write_bot, write_league
from tests.tournaments.fakes import FakeExecutor
from tournaments.cli import site as command
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league file whose league was never run."""
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob")]
    return write_league(tmp_path / "autumn.toml", bots, deals=2)


def site(*arguments: str | Path) -> tuple[int, str]:
    found = referee("site", *map(str, arguments))
    return found.code, found.out + found.err


def replays(folder: Path) -> int:
    """How many pages of matches contain a replay."""
    return sum('id="recording"' in page.read_text() for page in folder.rglob("*.html"))


def test_a_league_that_was_never_run_has_no_pages_and_says_so(tmp_path: Path, league: Path) -> None:
    code, said = site(league, tmp_path / "site", "--store", f"sqlite:///{tmp_path}/autumn.sqlite")
    assert code == 2
    assert "has no results of autumn; run it first" in said
    assert not (tmp_path / "site").exists()


def test_a_league_has_pages_that_are_for_visitors_unless_the_organizer_asks(
    tmp_path: Path, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeExecutor(game=GAME, clock=league_in(league).clock)
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))
    league.write_text(league.read_text().replace("rehearsal = true", "rehearsal = false").replace('"7"', f'"{7:064x}"'))
    store = "--store", f"sqlite:///{tmp_path}/autumn.sqlite"
    assert referee("league", "run", league, *store).code == 0
    assert site(league, tmp_path / "site", *store)[0] == 0
    assert replays(tmp_path / "site") == 0
    assert site(league, tmp_path / "site", "--organizer", "--replays", "1", *store)[0] == 0
    assert replays(tmp_path / "site") == 1


def test_two_leagues_of_one_name_are_refused_and_nothing_is_written(tmp_path: Path, league: Path) -> None:
    code, said = site(league, league, tmp_path / "site")
    assert code == 2
    assert "a league named autumn cannot be shown beside the others" in said
    assert not (tmp_path / "site").exists()


def test_one_store_for_several_leagues_is_refused(tmp_path: Path, league: Path) -> None:
    code, said = site(league, league, tmp_path / "site", "--store", "sqlite:///x.sqlite")
    assert code == 2
    assert "--store is the store of one league" in said


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path, league: Path) -> None:
    code, said = site(league, tmp_path)
    assert code == 2
    assert "holds something else than pages of leagues" in said
    assert league.exists()


def test_without_jinja2_it_says_what_to_install(tmp_path: Path, league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == "jinja2" else importlib.util.find_spec(name))
    code, said = site(league, tmp_path / "site")
    assert code == 2
    assert "install it: pip install 'referee[site]'" in said
