"""Nothing is squeezed, cut or on top of something else: at any width, with few bots or many, short names or long."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.drawing.matches import QUICK, golden_match
from tests.tournaments.web.pages import values
from tests.tournaments.web.site.showing import pretended
from tests.tournaments.web.site.test_site_files import LEAGUES
from tournaments.results.table_values import StandingView
from tournaments.web.site.site_files import Site, files_of
from tournaments.web.site.write import write

pytestmark = pytest.mark.web

WIDTHS = range(360, 2201, 40)
LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
TRANSCRIPTS = {match.game: golden_match(match) for match in sorted(QUICK, key=str)}
short_names, standing = values.names, values.standing


def long_names(bots: int) -> tuple[str, ...]:
    """Names of 64 characters."""
    return tuple(
        "a-name-as-long-as-any-bot-may-have-here-".ljust(64 - len(name), "x") + name for name in short_names(bots)
    )


def with_returns(name: str, rank: int) -> StandingView:
    """The widest line: it has a mean return."""
    return replace(standing(name, rank), mean_return=-12.5)


def one_of_each_kind(site: Path) -> list[Path]:
    """A page of each kind: of a kind with many pages, such as matches, the first."""
    found: dict[tuple[Path, str], Path] = {}
    for page in sorted(site.rglob("*.html")):
        is_league = page.parent.name == "autumn"
        found.setdefault((page.parent, page.name.split("-")[0] if is_league else ""), page)
    return list(found.values())


@pytest.mark.parametrize("names", [short_names, long_names], ids=["short", "long"])
@pytest.mark.parametrize(
    ("name", "bots"), [*((name, 20) for name in LEAGUES), ("round-robin", 3), ("round-robin", 200)]
)
def test_no_column_is_narrower_than_its_longest_word_and_nothing_is_cut_at_any_width(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, bots: int, names: Any
) -> None:
    monkeypatch.setattr(values, "names", names)
    monkeypatch.setattr(values, "standing", with_returns)
    league = replace(LEAGUES[name], bots=bots)
    showing = pretended(league, 60, TRANSCRIPTS[league.game])
    write(files_of([Site(showing, values.NOW_MS, None, 1)], values.NOW_MS), tmp_path / "site")
    wrong = {}
    for file in one_of_each_kind(tmp_path / "site"):
        context = chromium.new_context(viewport={"width": WIDTHS[-1], "height": 900})
        page = context.new_page()
        page.goto(file.as_uri())
        for width in reversed(WIDTHS):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            found = page.evaluate(LAYOUT)
            if found:
                wrong[f"{file.relative_to(tmp_path)} at {width}"] = found
        context.close()
    assert wrong == {}
