"""Pages are sealed: two worlds that differ only in open deals have the same pages, byte for byte."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from tests.drawing.matches import QUICK, golden_match
from tests.tournaments.web.pages import values
from tests.tournaments.web.pages.every import pages
from tests.tournaments.web.pages.test_pages import HOSTILE
from tests.tournaments.web.queries import worlds
from tests.tournaments.web.queries.worlds import MOMENT_MS
from tests.tournaments.web.showing import pretended
from tournaments.league.service_terms import About
from tournaments.store import MatchResult
from tournaments.web.page_router import Pages
from tournaments.web.pages.matches import SearchForm
from tournaments.web.pages.rendering import PageFrame, rendered
from tournaments.web.pages.urls import SERVED, Kind, PageAddress
from tournaments.web.queries import ENTRY_COLUMNS, STANDINGS_COLUMNS, NotThere, PublishedLeague, build_views
from tournaments.web.static_site import Site
from tournaments.web.visibility.permissions import Author, Organizer, Viewer, Visitor


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
    for viewer in (Visitor(), Author("bert")):
        assert files(stores, 1, viewer) == files(stores, 2, viewer), viewer


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


@pytest.mark.parametrize("text", [None, *HOSTILE])
def test_the_feed_is_atom_and_tells_what_happened_and_what_to_watch_but_no_result(
    text: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if text is not None:
        monkeypatch.setattr(values, "EVENTS", tuple(values.with_texts(each, text) for each in values.EVENTS))
    league = values.league(about=About(title=text or "Autumn", organizer=text or ""))
    frame = PageFrame(league, made=values.NOW_MS, base="/leagues/autumn", origin="https://games.example")
    page = Pages(pretended(league, 4, golden_match(min(QUICK, key=str)))).feed()
    feed = ElementTree.fromstring(rendered(page, frame, SERVED))  # noqa: S314 - it is ours
    atom = "{http://www.w3.org/2005/Atom}"
    entries = feed.findall(f"{atom}entry")
    ids = [entry.findtext(f"{atom}id") or "" for entry in entries]
    assert len(set(ids)) == len(ids) == len(values.EVENTS) + 2
    assert all(link.get("href", "").startswith("https://games.example/") for link in feed.iter(f"{atom}link"))
    titles = [entry.findtext(f"{atom}title") or "" for entry in entries]
    assert "Closest match of the day: ann v1 \N{EN DASH} bob v1" in titles
    assert not any("beat" in title or " won" in title for title in titles)
    if text is None:
        assert "ann v1 takes the lead from bob v1" in titles


def test_the_form_offers_every_result_that_can_be_searched() -> None:
    assert SearchForm().results == get_args(MatchResult)


@pytest.mark.parametrize(("name", "sorted_by"), [("standings", STANDINGS_COLUMNS), ("entries", ENTRY_COLUMNS)])
def test_the_headings_that_sort_are_the_columns_by_which_a_server_sorts(
    name: str, sorted_by: Mapping[str, Any]
) -> None:
    columns = pages()[name].context["columns"]
    assert isinstance(columns, dict)
    assert columns.keys() == sorted_by.keys()
