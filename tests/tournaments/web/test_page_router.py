"""Pages are sealed: two worlds that differ only in open deals have the same pages, byte for byte."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from tests.tournaments.web.pages.every import pages
from tests.tournaments.web.queries import worlds
from tests.tournaments.web.queries.worlds import MOMENT_MS
from tournaments.store import MatchResult
from tournaments.web.page_router import Pages
from tournaments.web.pages.matches import SearchForm
from tournaments.web.pages.urls import Kind, PageAddress
from tournaments.web.queries import ENTRY_COLUMNS, STANDINGS_COLUMNS, NotThere, PublishedLeague, build_views
from tournaments.web.static_site import Site
from tournaments.web.visibility.permissions import Assistant, Author, Organizer, Viewer, Visitor


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the store of each world. Nobody writes in it."""
    folder = tmp_path_factory.mktemp("worlds")
    for world in (1, 2):
        worlds.open_round_robin(f"sqlite:///{folder / str(world)}", world)
    return folder


@pytest.fixture
def stores(kept: Path, tmp_path: Path) -> Path:
    """Copies of them."""
    return Path(shutil.copytree(kept, tmp_path / "stores"))


def files(stores: Path, world: int, viewer: Viewer) -> dict[str, bytes]:
    """All files of a site in a world."""
    url = f"sqlite:///{stores / str(world)}"
    with PublishedLeague(worlds.round_robin(), url) as shown:
        assert shown.refresh(MOMENT_MS)
        return dict(Site(shown.to(viewer), MOMENT_MS, None, replays=0).files())


def test_everybody_but_the_organizer_gets_the_same_pages_in_both_worlds(stores: Path) -> None:
    for viewer in (Visitor(), Assistant(), Author("bert")):
        assert files(stores, 1, viewer) == files(stores, 2, viewer), viewer
    assert files(stores, 1, Assistant()) == files(stores, 1, Visitor())


def test_the_organizer_sees_that_the_worlds_differ(stores: Path) -> None:
    assert files(stores, 1, Organizer()) != files(stores, 2, Organizer())


def test_a_leak_is_found_in_the_pages(stores: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tells = build_views._line

    def leaks(line: Any, lines: Any, sight: Any) -> Any:
        return replace(tells(line, lines, sight), mean_decision_ms=lines.all_ms[line.bot])

    monkeypatch.setattr(build_views, "_line", leaks)
    assert files(stores, 1, Visitor()) != files(stores, 2, Visitor())


def test_a_position_that_is_none_is_refused(stores: Path) -> None:
    with PublishedLeague(worlds.round_robin(), f"sqlite:///{stores / '1'}") as shown:
        shown_pages = Pages(shown.to(Visitor()))
        kinds: tuple[Kind, ...] = ("standings", "crosstable")
        for kind in kinds:
            for after in ("x", "1e3", "\u0663", "9" * 400, "1-x", "0x10", "1.5", " 1"):
                with pytest.raises(NotThere):
                    shown_pages.page(PageAddress(kind, "autumn", "", after))


def test_the_form_offers_every_result_that_can_be_searched() -> None:
    assert SearchForm().results == get_args(MatchResult)


@pytest.mark.parametrize(("name", "sorted_by"), [("standings", STANDINGS_COLUMNS), ("entries", ENTRY_COLUMNS)])
def test_the_headings_that_sort_are_the_columns_by_which_a_server_sorts(
    name: str, sorted_by: Mapping[str, Any]
) -> None:
    columns = pages()[name].context["columns"]
    assert isinstance(columns, dict)
    assert columns.keys() == sorted_by.keys()
