"""Nothing is squeezed, cut or on top of something else: at any width, with few bots or many, short names or long."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.drawing.matches import QUICK, golden_match
from tests.tournaments.web.pages import values
from tests.tournaments.web.pages.every import FRAME, pages, place
from tests.tournaments.web.showing import pretended
from tests.tournaments.web.test_static_site import LEAGUES
from tournaments.results.standings import StandingView
from tournaments.web.pages import bots, leagues, matches, result_tables
from tournaments.web.pages.lists import TableSearch
from tournaments.web.pages.rendering import FILES_ONLY, Page, rendered
from tournaments.web.pages.urls import relative_links
from tournaments.web.static_site import Site, common_files, files_of, write

pytestmark = pytest.mark.web

STYLES = [file for room in ("referee", "tournaments") for file in (Path(__file__).parents[2] / room).rglob("*.css")]
LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
TRANSCRIPTS = {match.game: golden_match(match) for match in sorted(QUICK, key=str)}
short_names, standing = values.names, values.standing


def widths(styles: str) -> list[int]:
    """The narrowest of each range in which the same rules of the style sheets hold, and some between."""
    media = "".join(re.findall(r"@media[^{]*", styles))
    bounds = re.findall(r"(min|max)-width:\s*(\d+)px", media)
    return sorted({360, 420, 600, 820, 880, 1280, 2200, *(int(bound) + (side == "max") for side, bound in bounds)})


WIDTHS = widths("".join(file.read_text(encoding="utf-8") for file in STYLES))


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


def shape(page: str) -> frozenset[tuple[str, ...]]:
    """What the layout of a page depends on: its elements with their classes, and what stands in its headings."""
    elements = re.findall(r'<(\w+)(?:[^>]*? class="([^"]*)")?', page)
    return frozenset([*elements, *re.findall(r"<(th|dt|dd|h\d)[^>]*>([^<]*)", page)])


def of_each_shape(pages: Iterable[Path]) -> list[Path]:
    """Of pages of the same shape the first."""
    found: dict[frozenset[tuple[str, ...]], Path] = {}
    for page in pages:
        found.setdefault(shape(page.read_text(encoding="utf-8")), page)
    return list(found.values())


@pytest.mark.parametrize("names", [short_names, long_names], ids=["short", "long"])
def test_no_column_is_narrower_than_its_longest_word_and_nothing_is_cut_at_any_width(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: Any
) -> None:
    """In leagues of every kind. Of pages of the same shape one is looked at, that of the league with the most bots."""
    monkeypatch.setattr(values, "names", names)
    monkeypatch.setattr(values, "standing", with_returns)
    found: list[Path] = []
    for name, count in [("round-robin", 200), *((name, 20) for name in LEAGUES), ("round-robin", 3)]:
        league, site = replace(LEAGUES[name], bots=count), tmp_path / f"{name}-{count}"
        showing = pretended(league, 60, TRANSCRIPTS[league.game])
        write(files_of([Site(showing, values.NOW_MS, None, 1)], values.NOW_MS), site)
        found += one_of_each_kind(site)
    assert wrong_at_any_width(chromium, of_each_shape(found)) == {}


@pytest.mark.parametrize("name", ["ann@1", long_names(1)[0]], ids=["short", "long"])
def test_the_same_holds_for_pages_that_only_a_server_has(chromium: Any, tmp_path: Path, name: str) -> None:
    write(common_files([values.league()], values.NOW_MS), tmp_path / "site")
    (tmp_path / "site/autumn").mkdir()
    frame = FRAME._replace(policy=FILES_ONLY, viewer=name, login="logout", submit="submit", play="play", base="base")
    files = []
    for kind, page in {**pages(name), **served_pages(name)}.items():
        files.append(tmp_path / f"site/autumn/{kind}.html")
        files[-1].write_text(rendered(page, frame, relative_links(place("league"))), encoding="utf-8")
    assert wrong_at_any_width(chromium, files) == {}


def served_pages(name: str) -> dict[str, Page]:
    """Forms, refusals, and tables with links that sort and a form that searches."""
    league = values.league(bots=20)
    asked = TableSearch("-score", name)
    lines = tuple(with_returns(name, rank) for rank in range(1, 21))
    entries = bots.EntriesView((replace(values.ENTRY, bot=name),) * 20, None, (replace(values.SUBMISSION, bot=name),))
    searched = matches.SearchForm(dict.fromkeys(matches.SEARCHED, name), (name,), ("caught", "worn_out"))
    return {
        "login": leagues.form(league, "login", "This token is not valid."),
        "submit": leagues.form(league, "submit", ""),
        "refusal": leagues.problem("Not Found", f"there is no bot {name}"),
        "sorted": result_tables.standings(league, values.standings(20, lines=lines), place("standings"), search=asked),
        "sorted entries": bots.entries(league, entries, place("entries"), asked),
        "search": matches.matches(
            league, matches.MatchesView((), None), place("matches", name), form=searched, wrong=f"{name} is unknown"
        ),
        "linked": result_tables.crosstable(values.crosstable(20), place("crosstable"), has_search=True),
    }


def wrong_at_any_width(chromium: Any, files: Sequence[Path]) -> dict[str, list[str]]:
    """What is wrong with the layout of these pages, by page and width."""
    wrong = {}
    for file in files:
        context = chromium.new_context(viewport={"width": WIDTHS[-1], "height": 900})
        page = context.new_page()
        page.goto(file.as_uri())
        for width in reversed(WIDTHS):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            found = page.evaluate(LAYOUT)
            if found:
                wrong[f"{file.parents[1].name}/{file.parent.name}/{file.name} at {width}"] = found
        context.close()
    return wrong
