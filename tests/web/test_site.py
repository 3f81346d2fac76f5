"""The pages of leagues in a browser: opened from disk and from a server, at two widths, in light and dark."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.drawing.matches import QUICK, golden_match
from tests.tournaments.web.pages import values
from tests.tournaments.web.pages.every import FRAME, pages, place
from tests.tournaments.web.service.hall import hall, token_of
from tests.tournaments.web.showing import pretended
from tests.tournaments.web.test_static_site import LEAGUES
from tests.web.opened import DESK, STANDARDS, TELEPHONE, each_view, resize, unreadable_buttons, violations
from tests.web.test_layout import of_each_shape, served_pages
from tournaments.league.model import Entry
from tournaments.league.status import Fleet
from tournaments.play.run import lock_league
from tournaments.store import lock_path
from tournaments.web.pages.rendering import FILES_ONLY, rendered
from tournaments.web.pages.urls import RelativeLinks
from tournaments.web.static_site import Site, common_files, files_of, write

pytestmark = pytest.mark.web

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e@1"
KINDS = ("index", "rounds", "crosstable", "crossplay", "fared", "history", "matches", "entries", "league")
TRANSCRIPTS = {match.game: golden_match(match) for match in sorted(QUICK, key=str)}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The site of a league, in a folder."""

    @cache
    def folder_of(name: str) -> Path:
        league = LEAGUES[name]
        showing = pretended(league, 110, TRANSCRIPTS[league.game])
        folder = tmp_path_factory.mktemp(name) / "site"
        write(files_of([Site(showing, values.NOW_MS, None, 1)], values.NOW_MS), folder)
        return folder

    return folder_of


@contextmanager
def looked_at(chromium: Any, width: tuple[int, int], scheme: str, base: str, zone: str | None = None) -> Iterator[Any]:
    """A window in which nothing may be said to the console, fail, or be asked for from elsewhere."""
    wrong: list[str] = []
    context = chromium.new_context(
        viewport={"width": width[0], "height": width[1]}, color_scheme=scheme, timezone_id=zone, locale="en-US"
    )
    page = context.new_page()
    page.on("console", lambda message: wrong.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("request", lambda request: None if request.url.startswith((base, "data:")) else wrong.append(request.url))
    yield page
    context.close()
    assert wrong == []


def hold(page: Any, axe: str, look_for: tuple[str, ...] = STANDARDS) -> None:
    """Nothing sticks out, and axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    assert violations(page, axe, look_for) == []


def test_every_page_opens_from_disk_without_a_fault(chromium: Any, axe: str, written: Callable[[str], Path]) -> None:
    """At two widths, in light and in dark. Of pages of the same shape one is looked at."""
    pages = []
    for site in map(written, LEAGUES):
        pages += [path for kind in KINDS if (path := site / "autumn" / f"{kind}.html").exists()]
        pages += [site / "autumn" / kind / "bob@1.html" for kind in ("bots", "losses", "decisions")]
        pages += [site / "index.html", *(site / "autumn/matches").glob("?" * 20 + ".html")]
    for path in of_each_shape(pages):
        site = next(folder for folder in path.parents if folder.name == "site")
        with looked_at(chromium, TELEPHONE, "light", site.as_uri()) as page:
            page.goto(path.as_uri())
            for look_for in each_view(page):
                hold(page, axe, look_for)


def test_axe_finds_nothing_on_any_kind_of_page_that_only_a_server_has(chromium: Any, axe: str, tmp_path: Path) -> None:
    write(common_files([values.league()], values.NOW_MS), tmp_path / "site")
    (tmp_path / "site/autumn").mkdir()
    frame = FRAME._replace(policy=FILES_ONLY, viewer="ann", login="logout", submit="submit", play="play")
    page = chromium.new_context().new_page()  # a site on disk lacks the scripts of forms
    for kind, each in {**pages(), **served_pages("ann@1")}.items():
        path = tmp_path / f"site/autumn/{kind}.html"
        path.write_text(rendered(each, frame, RelativeLinks(place("league"))), encoding="utf-8")
        resize(page, TELEPHONE)
        page.emulate_media(color_scheme="light")
        page.goto(path.as_uri())
        hold(page, axe)
        resize(page, DESK)
        page.emulate_media(color_scheme="dark")
        hold(page, axe, ("color-contrast",))
    page.context.close()


def test_a_chart_is_drawn_and_times_are_told_in_the_zone_of_the_reader(
    chromium: Any, written: Callable[[str], Path]
) -> None:
    site = written("round-robin")
    with looked_at(chromium, DESK, "light", site.as_uri(), "Asia/Kolkata") as page:
        page.goto((site / "autumn/history.html").as_uri())
        assert page.locator("#chart canvas").count() == 1
        assert page.locator("footer time").inner_text().endswith("GMT+5:30")
        assert "UTC" in (page.locator("footer time").get_attribute("title") or "")


def test_a_whole_table_is_sorted_by_its_headings_without_a_server(
    chromium: Any, written: Callable[[str], Path]
) -> None:
    site = written("round-robin")
    with looked_at(chromium, DESK, "light", site.as_uri()) as page:
        page.goto((site / "autumn/index.html").as_uri())

        def column(heading: str, cell: str) -> list[str]:
            page.locator("th button", has_text=heading).click()
            return [str(text) for text in page.locator(f"tbody tr > :nth-child({cell})").all_inner_texts()]

        bots = [bot.split()[0] for bot in column("bot", "2")]
        assert bots == sorted(bots)
        assert page.locator("th[aria-sort]").inner_text() == "bot"
        faults = [int(text) for text in column("faults", "9")]
        assert faults == sorted(faults, reverse=True)
        ratings = [float(text) for text in column("rating", "4")]
        assert ratings == sorted(ratings, reverse=True)


def test_a_table_of_a_server_is_sorted_and_searched_at_once_and_the_address_says_it(
    chromium: Any, axe: str, tmp_path: Path
) -> None:
    with hall(f"sqlite:///{tmp_path}/league.sqlite") as served:
        base = f"http://127.0.0.1:{served.port}"
        for number in range(12):
            served.store.change(f"bee{number:02}@1", Entry(f"bee{number:02}@1", "bots/bee"), 5)
        with looked_at(chromium, DESK, "light", base) as page:
            page.goto(f"{base}/leagues/autumn/entries")
            hold(page, axe)
            names = page.locator("tbody .name a:visible")
            assert names.first.inner_text() == "bee00@1"
            page.locator("th a", has_text="bot").click()
            assert names.first.inner_text() == "bee11@1"
            assert page.url.endswith("?sort=-bot")
            page.locator("[name=find]").fill("BEE1")
            assert names.all_inner_texts() == ["bee11@1", "bee10@1"]
            assert "find=BEE1" in page.url
            page.reload()
            assert names.all_inner_texts() == ["bee11@1", "bee10@1"]
            page.goto(f"{base}/leagues/autumn/matches?result=won")
            page.locator("[role=alert]", has_text="of which bot?").wait_for()
            hold(page, axe)


def test_an_author_logs_in_submits_in_the_browser_and_logs_out(chromium: Any, axe: str, tmp_path: Path) -> None:
    archive = tmp_path / "bot.tar.gz"
    archive.write_bytes(b"this is no archive")
    with hall(f"sqlite:///{tmp_path}/league.sqlite") as served:
        base = f"http://127.0.0.1:{served.port}"
        context = chromium.new_context()
        page = context.new_page()
        page.goto(f"{base}/login?league=autumn")
        hold(page, axe)
        page.locator("[name=token]").fill("nonsense")
        page.locator("main button").click()
        page.locator("[role=alert]", has_text="not valid").wait_for()
        page.locator("[name=token]").fill(token_of("eva"))
        page.locator("main button").click()
        page.wait_for_url("**/entries")
        assert page.evaluate("document.cookie") == ""
        page.locator("main a", has_text="Submit a bot").click()
        hold(page, axe)
        page.locator("#archive").set_input_files(archive)
        page.locator("main button").click()
        page.locator("#answer", has_text="gzip").wait_for()
        page.locator("header form button").click()
        page.wait_for_url("**/standings")
        assert page.locator("header", has_text="eva").count() == 0
        context.close()


def test_a_page_renews_itself_when_something_changed(chromium: Any, tmp_path: Path) -> None:
    with hall(f"sqlite:///{tmp_path}/league.sqlite") as served:
        base = f"http://127.0.0.1:{served.port}"
        with looked_at(chromium, DESK, "light", base) as page:
            page.goto(f"{base}/leagues/autumn/entries")
            page.evaluate("document.addEventListener('renewed', () => { window.renewed = true; })")
            page.wait_for_timeout(2_500)  # the first look has been taken
            served.store.change("ann@1", None, 5)
            while not page.evaluate("window.renewed"):  # the policy of the page lets nothing be evaluated within it
                page.wait_for_timeout(200)


def test_renewals_leave_a_field_and_what_is_typed_there(chromium: Any, tmp_path: Path) -> None:
    with hall(f"sqlite:///{tmp_path}/league.sqlite") as served:
        base = f"http://127.0.0.1:{served.port}"
        with looked_at(chromium, DESK, "light", base) as page:
            page.goto(f"{base}/leagues/autumn/matches")
            page.evaluate("document.addEventListener('renewed', () => { window.renewed = (window.renewed ?? 0) + 1; })")
            page.locator("[name=other]").fill("only a part of a na")
            page.locator("[name=bot]").fill("ann")
            page.wait_for_timeout(2_500)
            for number in range(3):
                served.store.change(f"new{number}@1", Entry(f"new{number}@1", "bots/new"), 5)
                while page.evaluate("window.renewed ?? 0") <= number:
                    page.wait_for_timeout(200)
            assert page.locator("[name=other]").input_value() == "only a part of a na"
            assert page.locator("[name=bot]").input_value() == "ann"
            assert page.evaluate("document.activeElement.name") == "bot"


def test_no_button_loses_its_label_under_the_pointer_or_with_the_focus(chromium: Any, tmp_path: Path) -> None:
    with hall(f"sqlite:///{tmp_path}/league.sqlite") as served:
        base = f"http://127.0.0.1:{served.port}"
        for scheme in ("light", "dark"):
            with looked_at(chromium, DESK, scheme, base) as page:
                for path in ("matches", "login"):
                    page.goto(f"{base}/leagues/autumn/{path}")
                    assert unreadable_buttons(page) == []


def test_the_organizer_sees_how_nodes_are_now_though_no_match_is_stored(
    chromium: Any, axe: str, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/league.sqlite"
    with hall(url, authors=("organizer",)) as served, lock_league(lock_path(url, "autumn")):
        served.store.note_fleet(values.FLEET)
        page = chromium.new_context().new_page()
        page.goto(f"http://127.0.0.1:{served.port}/leagues/autumn/league")
        assert page.locator("#nodes").count() == 0  # a visitor
        page.goto(f"http://127.0.0.1:{served.port}/login?league=autumn")
        page.locator("[name=token]").fill(token_of("organizer"))
        page.locator("main button").click()
        page.wait_for_url("**/entries")
        page.goto(f"http://127.0.0.1:{served.port}/leagues/autumn/league")
        hold(page, axe)
        page.locator("main tr", has_text="10.0.0.1").locator(".mark", has_text="plays").wait_for()
        gone = replace(values.NODE, state="lost", why="it was unplugged")
        served.store.note_fleet(Fleet(values.NOW_MS, (gone,)))
        page.locator("main tr", has_text="10.0.0.1").locator(".mark", has_text="it was unplugged").wait_for()
        page.context.close()


def test_hostile_words_are_words_in_a_browser_on_every_page(chromium: Any, tmp_path: Path) -> None:
    site = tmp_path / "site"
    write(common_files([LEAGUES["round-robin"]], values.NOW_MS), site)
    (site / "autumn").mkdir()
    shown = 0
    with looked_at(chromium, DESK, "light", site.as_uri()) as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        for name, each in pages(HOSTILE).items():
            path = site / "autumn" / f"{name}.html"
            path.write_text(rendered(each, FRAME._replace(policy=FILES_ONLY), RelativeLinks(place("league"))))
            page.goto(path.as_uri())
            assert page.locator("img").count() == 0, name
            shown += "<img src=x" in page.locator("main").inner_text()
    assert shown >= 8
