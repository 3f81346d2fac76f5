"""Pages are sealed: two worlds that differ only in what is open have the same pages, byte for byte."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.tournaments.showing import worlds
from tests.tournaments.showing.worlds import MOMENT_MS
from tournaments.disclosure.viewer import Author, Organizer, Viewer, Visitor
from tournaments.pages.places import Kind, Place
from tournaments.paging import Pages
from tournaments.showing import NotThere, Shown, telling
from tournaments.site.files import Site


def files(folder: Path, world: int, viewer: Viewer) -> dict[str, bytes]:
    """All files of a site in a world."""
    folder.mkdir()
    url = f"sqlite:///{folder / 'league.sqlite'}"
    with Shown(worlds.open_round_robin(url, world), url) as shown:
        assert shown.refresh(MOMENT_MS)
        return dict(Site(shown.to(viewer), MOMENT_MS, None, replays=0).files())


def test_everybody_but_the_organizer_gets_the_same_pages_in_both_worlds(tmp_path: Path) -> None:
    for viewer in (Visitor(), Author("bert")):
        folder = tmp_path / type(viewer).__name__
        folder.mkdir()
        assert files(folder / "one", 1, viewer) == files(folder / "other", 2, viewer)


def test_the_organizer_sees_that_the_worlds_differ(tmp_path: Path) -> None:
    assert files(tmp_path / "one", 1, Organizer()) != files(tmp_path / "other", 2, Organizer())


def test_a_leak_is_found_in_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tells = telling._line

    def leaks(line: Any, found: Any, sight: Any) -> Any:
        return replace(tells(line, found, sight), mean_decision_ms=line.standing.mean_decision_ms)

    monkeypatch.setattr(telling, "_line", leaks)
    assert files(tmp_path / "one", 1, Visitor()) != files(tmp_path / "other", 2, Visitor())


def test_a_position_that_is_none_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'league.sqlite'}"
    with Shown(worlds.open_round_robin(url, 1), url) as shown:
        pages = Pages(shown.to(Visitor()))
        kinds: tuple[Kind, ...] = ("standings", "crosstable")
        for kind in kinds:
            for after in ("x", "1e3", "\u0663", "9" * 400, "1-x", "0x10", "1.5", " 1"):
                with pytest.raises(NotThere):
                    pages.page(Place(kind, "autumn", "", after))
