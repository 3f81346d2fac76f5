"""A replay is watched: event by event, in groups, without knowing the end; and it stands in the page of its match."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.core.outcome import FAULT
from referee.drawing.page.caption import for_everyone
from referee.drawing.registry import drawer
from referee.match.transcript import Transcript
from tests.drawing.matches import DRAWN_GOLDEN, QUICK, drawn_games, golden_match, random_match, rules, watched
from tests.golden.tables import TABLES, Golden
from tests.tournaments.web.pages import values
from tests.tournaments.web.pages.every import FRAME, place
from tests.web.opened import DESK, TELEPHONE, opened, resize, unreadable_buttons, violations, wait_until, write
from tournaments.web.pages import matches
from tournaments.web.pages.match_pictures import PlayedMatch, style_of
from tournaments.web.pages.rendering import look, rendered
from tournaments.web.pages.urls import SERVED
from tournaments.web.service.replies import PAGE

pytestmark = pytest.mark.web

every_drawn_game = pytest.mark.parametrize("game", drawn_games())
MARKET = ("agent-avenue", 4)
"""Agent Avenue with teams and a market."""
SCRIPTS = ("pages", "tables", "replay")


def match(game: str, table: int = 0) -> Transcript:
    return random_match(game, TABLES[game][table], 3)


def step(page: Any) -> int:
    return int(page.locator("#count").inner_text().split(" / ")[0])


def result_of(transcript: Transcript) -> str:
    played = watched(transcript)
    return for_everyone(played, drawer(played.game)).result


# Groups


@every_drawn_game
def test_decisions_stand_below_headings_and_the_keyboard_walks_through_them(
    chromium: Any, page_file: Path, game: str
) -> None:
    write(page_file, match(game))
    with opened(chromium, page_file) as page:
        headings = page.locator("#story h2").all_inner_texts()
        assert len(headings) > 1
        assert set(headings) <= set(page.locator("#group option").all_inner_texts())
        assert page.locator("#story button[tabindex='0']").count() == 1
        page.locator("#story button[tabindex='0']").focus()
        page.keyboard.press("PageDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        first = "document.activeElement === document.querySelectorAll('#story ol')[1].querySelector('button')"
        assert page.evaluate(first)
        page.keyboard.press("Enter")
        assert str(step(page)) == page.evaluate("document.activeElement.dataset.frame")


@every_drawn_game
def test_a_telephone_reaches_every_group(chromium: Any, page_file: Path, game: str) -> None:
    write(page_file, match(game))
    with opened(chromium, page_file, size=TELEPHONE) as page:
        page.locator("#tab-more").click()
        last = page.locator("#group option").last
        page.locator("#group").select_option(last.get_attribute("value"))
        assert str(step(page)) == last.get_attribute("value")
        assert page.locator("#group").evaluate("it => it.selectedOptions[0].textContent") == last.inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# The result


@pytest.mark.parametrize("golden", [it for it in DRAWN_GOLDEN if it in QUICK or it.ending == FAULT], ids=str)
def test_the_result_is_hidden_until_it_is_asked_for_or_reached(chromium: Any, page_file: Path, golden: Golden) -> None:
    transcript = golden_match(golden)
    write(page_file, transcript)
    result = result_of(transcript)
    head = "[...document.head.querySelectorAll('title,meta')].map((it) => it.textContent + it.content).join()"
    with opened(chromium, page_file) as page:
        for reveal in ("document.querySelector('#result summary').click()", "document.getElementById('last').click()"):
            page.reload()
            wait_until(page, "#count", "0 / ")
            shown = page.locator("body").inner_text()
            assert result not in shown
            assert "fails" not in shown
            assert result not in page.evaluate(head)
            page.evaluate(reveal)
            assert result in page.locator("#result").inner_text()
            assert result in page.locator("#story").inner_text()


@every_drawn_game
def test_without_javascript_a_page_shows_how_it_begins_and_on_a_click_how_it_ended(
    chromium: Any, page_file: Path, game: str
) -> None:
    write(page_file, match(game))
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert page.locator("svg.board text").count() > 1
    assert not page.locator("#first").is_visible()
    page.locator("#result summary").click()
    assert result_of(match(game)) in page.locator("#result").inner_text()
    context.close()


# The course


@every_drawn_game
def test_the_course_is_hidden_with_the_result_and_leads_to_its_steps(
    chromium: Any, page_file: Path, game: str, axe: str
) -> None:
    write(page_file, match(game))
    for size, scheme in (((360, 740), "light"), (DESK, "dark"), ((2200, 1300), "light")):
        with opened(chromium, page_file, size=size, scheme=scheme) as page:
            assert page.locator("#curve .outlook").count() == 0
            assert page.locator(".turns").is_hidden()
            page.locator("#reveal").click()
            assert page.locator("#curve .outlook").count() > 0
            page.locator("#tab-why").click()
            page.locator(".turns button").first.click()
            here = step(page)
            assert page.locator("#slider").input_value() == str(here)
            assert page.url.endswith(f"#{here}-why") or page.wait_for_url(f"**#{here}-why") is None
            page.locator("#slider").focus()
            page.keyboard.press("ArrowRight")
            assert step(page) == here + 1
            box = page.locator("#slider").bounding_box()
            page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 20)
            assert page.locator("#count").inner_text() == f"{step(page)} / {step(page)}"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            for tab in page.locator("[role=tab]:visible").all():
                tab.click()
                assert violations(page, axe) == []


def test_each_tab_has_an_address_and_the_arrow_keys_walk_through_them(chromium: Any, page_file: Path) -> None:
    write(page_file, match("inside-job", 1))
    with opened(chromium, page_file, "#9-knew") as page:
        assert step(page) == 9
        assert page.locator("#knew").is_visible()
        assert page.locator("#decisions").is_hidden()
        page.locator("#tab-knew").focus()
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.activeElement.id") == "tab-why"
        assert page.locator("#why").is_visible()
        assert step(page) == 9
        page.locator("#reveal").click()
        page.locator("#tab-knew").click()
        assert page.locator(".suspicions [data-passage]:visible").count() == 1


# Playing


@every_drawn_game
def test_one_event_follows_the_other_at_a_pace_that_can_be_chosen(chromium: Any, page_file: Path, game: str) -> None:
    write(page_file, match(game))
    with opened(chromium, page_file) as page:
        page.clock.install(time=0)
        page.clock.pause_at(1_000)
        page.locator("#play").click()
        page.clock.run_for(700)
        assert step(page) == 0
        page.clock.run_for(100)
        assert step(page) == 1
        page.locator("#tab-more").click()
        page.locator("#speed").select_option("3000")
        page.clock.run_for(1_400)
        assert step(page) == 1
        page.locator("#play").click()
        page.clock.run_for(60_000)
        assert step(page) == 1


def test_a_link_can_ask_a_replay_to_play(chromium: Any, page_file: Path) -> None:
    write(page_file, match("agent-avenue"))
    with opened(chromium, page_file, "#play") as page:
        wait_until(page, "#count", "3 / ")
        assert page.locator("#play").get_attribute("aria-pressed") == "true"


# What cards do


@pytest.mark.parametrize(("game", "table"), [MARKET, ("agonia", 1), ("inside-job", 1)])
def test_a_card_says_what_it_does_to_a_pointer_a_finger_and_the_keyboard(
    chromium: Any, page_file: Path, game: str, table: int
) -> None:
    write(page_file, match(game, table))
    with opened(chromium, page_file, "#20") as page:
        card = page.locator("[data-card]").last
        says = card.get_attribute("data-card")
        box = card.bounding_box()
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert page.locator("#hint").is_hidden()
        page.mouse.move(*middle)
        assert page.locator("#hint").inner_text() == says
        page.keyboard.press("Escape")
        assert page.locator("#hint").is_hidden()
        page.mouse.click(*middle)
        assert page.locator("#hint").inner_text() == says
        page.locator("#tab-more").click()
        page.locator("#cards summary").focus()
        page.keyboard.press("Enter")
        name, _, does = says.partition(": ")
        assert name in page.locator("#cards dt").all_inner_texts()
        assert does in page.locator("#cards dd").all_inner_texts()


# The room

USUAL = [("agent-avenue", 0), MARKET, ("inside-job", 0), ("inside-job", 1), ("agonia", 0), ("agonia", 1)]
BOARD = """() => {
    const board = document.querySelector("#board svg");
    const { x, y, width, height } = board.getBoundingClientRect();
    const picture = board.viewBox.baseVal;
    const scale = Math.min(width / picture.width, height / picture.height);
    const deck = document.querySelector(".deck").getBoundingClientRect();
    const share = (scale * picture.width * scale * picture.height) / innerWidth / innerHeight;
    return { share, type: 14 * scale, width: scale * picture.width, bottom: y + height, deck: [deck.top, deck.bottom] };
}"""


@pytest.mark.parametrize(("game", "table"), USUAL)
def test_the_board_takes_the_window_and_nothing_hides_it(chromium: Any, page_file: Path, game: str, table: int) -> None:
    write(page_file, match(game, table))
    least = {(1280, 800): (0.55, 14), (1600, 900): (0.55, 14), (820, 1180): (0.42, 11), (390, 844): (0.4, 11)}
    with opened(chromium, page_file) as page:
        for size, (share, type_px) in least.items():
            resize(page, size)
            found = page.evaluate(BOARD)
            assert found["share"] >= share, (size, found)
            assert found["type"] >= type_px, (size, found)
            assert found["bottom"] <= found["deck"][0] + 1, (size, found)
            if size == TELEPHONE_NOW:
                assert found["width"] >= 0.99 * size[0], found
            assert found["deck"][1] <= size[1] + 1 or (size == TELEPHONE_NOW and (game, table) in TALL), (size, found)


TELEPHONE_NOW = (390, 844)
TALL = {MARKET, ("agonia", 1)}
"""On a telephone one scrolls to the controls of a table of so many players: smaller type would not be read."""

PLACES = """() => [".stage", "#sentence", ".deck", ".tabs", "#story"].map((it) => {
    const { x, y, width, height } = document.querySelector(it).getBoundingClientRect();
    return [x, y + scrollY, width, it === "#story" ? 0 : height].map(Math.round).join();
}).join(" ")"""


@every_drawn_game
def test_the_stage_the_sentence_the_deck_and_the_tabs_stand_in_one_place_over_all_steps(
    chromium: Any, page_file: Path, game: str
) -> None:
    write(page_file, match(game))
    for size in ((1280, 800), (820, 1180), TELEPHONE_NOW):
        with opened(chromium, page_file, size=size) as page:
            found = {page.evaluate(PLACES)}
            for _ in range(int(page.locator("#slider").get_attribute("max"))):
                page.keyboard.press("ArrowRight")
                found.add(page.evaluate(PLACES))
            assert len(found) == 1, size


# The page of a match


def delivered(transcript: Transcript) -> dict[str, tuple[str, str]]:
    """By path, what a server sends for the page of a match, and its media type."""
    game = transcript.record.header.game
    played = PlayedMatch(watched(transcript), drawer(rules(game)))
    here = place("match", "x")
    replay = matches.MatchReplay(played.begin(), played.result(), page=here._replace(kind="replay"))
    page = matches.match(values.league(game=game), values.match(), here, replay, ("earlier", "later"))
    return {
        "/leagues/autumn/match/x": (rendered(page, FRAME, SERVED), "text/html"),
        "/leagues/autumn/replay/x": (played.replay(), "text/html"),
        "/look/pages.css": (look("pages.css").decode(), "text/css"),
        "/look/replay.css": (look("replay.css").decode(), "text/css"),
        **{f"/look/{name}.js": (look(f"{name}.js").decode(), "text/javascript") for name in SCRIPTS},
        f"/look/board-{game}.css": (style_of(game), "text/css"),
    }


@contextmanager
def served(chromium: Any, transcript: Transcript, size: tuple[int, int] = DESK) -> Iterator[Any]:
    """The page of a match as a server sends it, with the policy of a server."""
    files = delivered(transcript)
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    wrong: list[str] = []

    def answer(route: Any) -> None:
        path = "/" + route.request.url.split("/", 3)[3].partition("#")[0]
        if path not in files:
            wrong.append(path)
        body, media = files.get(path, ("", "text/plain"))
        route.fulfill(status=200, body=body, headers={"content-type": media, **PAGE})

    context.route("**/*", answer)
    shown = context.new_page()
    shown.on("console", lambda message: wrong.append(message.text))
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.goto("http://league.test/leagues/autumn/match/x#3")
    wait_until(shown, "#count", "3 / ")
    yield shown
    context.close()
    assert wrong == []


def test_the_page_of_a_match_shows_its_replay_and_links_and_axe_finds_nothing(chromium: Any, axe: str) -> None:
    for size in (TELEPHONE, (1100, 800), DESK):
        with served(chromium, match("agent-avenue"), size) as page:
            for key in ("Home", "ArrowRight", "End"):
                page.keyboard.press(key)
                assert violations(page, axe) == []
            links = page.evaluate("[...document.querySelectorAll('main a')].map((it) => it.getAttribute('href'))")
            base = "/leagues/autumn"
            assert {f"{base}/match/earlier", f"{base}/match/later", f"{base}/matches", f"{base}/bot/ann@1"} <= set(
                links
            )
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_no_button_of_a_replay_loses_its_label(chromium: Any) -> None:
    with served(chromium, match("inside-job")) as page:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert unreadable_buttons(page) == []


def test_a_link_to_a_moment_of_a_match_can_be_copied(chromium: Any) -> None:
    with served(chromium, match("agent-avenue")) as page:
        page.keyboard.press("ArrowRight")
        page.locator("#copy").click()
        page.locator("#link").wait_for()
        assert page.locator("#link").input_value() == "http://league.test/leagues/autumn/match/x#4"


def test_a_link_to_a_match_says_who_plays_and_not_who_has_won(chromium: Any) -> None:
    with served(chromium, match("agent-avenue")) as page:
        told = page.evaluate("[...document.querySelectorAll('meta[property]')].map((it) => it.content)")
        assert "ann v1, bob v1" in told
        assert not any("win" in words or "caught" in words for words in told)
        assert "wins" not in page.locator("body").inner_text()
