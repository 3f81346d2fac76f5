"""Pages in a browser: every match can be stepped through, by keys and by pointer, and says what it shows."""

from pathlib import Path
from typing import Any

import pytest

from referee.drawing.page.caption import for_everyone
from referee.drawing.playback import by_everyone
from referee.drawing.registry import drawer
from tests.conftest import Tell
from tests.drawing.matches import (
    DRAWN_GOLDEN,
    EVERY_CHOICE,
    EVERY_TABLE,
    drawn_games,
    golden_match,
    random_match,
    rules,
    watched,
)
from tests.golden.tables import TABLES, Golden, GoldenTable
from tests.web.opened import (
    DESK,
    GEOMETRY,
    STANDARDS,
    TELEPHONE,
    opened,
    resize,
    violations,
    wait_until,
    write,
)  # fmt: skip

pytestmark = pytest.mark.web

every_drawn_game = pytest.mark.parametrize("game", drawn_games())
MATCHES = 50
LONG = ("Wolfgang-Amadeus-of-the-many-words-and-letters@2026.11.23", "mmmmmmmmmmmmmmmmmmmmmm@1", "\u6f22\u5b57" * 20)


@pytest.mark.parametrize("golden", DRAWN_GOLDEN, ids=str)
def test_a_match_is_stepped_through_by_everyone_and_each_seat(chromium: Any, page_file: Path, golden: Golden) -> None:
    write(page_file, golden_match(golden))
    with opened(chromium, page_file) as page:
        assert page.evaluate(GEOMETRY, True)["wrong"] == []


@pytest.mark.parametrize("golden", [it for it in DRAWN_GOLDEN if it.ending == "fault"], ids=str)
def test_the_page_of_a_seat_is_stepped_through(chromium: Any, page_file: Path, golden: Golden) -> None:
    write(page_file, golden_match(golden), seat=1)
    with opened(chromium, page_file) as page:
        assert page.locator("#viewers").is_hidden()
        assert page.evaluate(GEOMETRY, True)["wrong"] == []


@pytest.mark.parametrize(
    ("game", "table"),
    [pytest.param(game, it, id=f"{game}-{it.name}") for game, tables in EVERY_CHOICE.items() for it in tables],
)
def test_in_random_matches_nothing_overlaps_or_sticks_out_or_is_too_small(
    chromium: Any, page_file: Path, tell: Tell, game: str, table: GoldenTable
) -> None:
    each = -(-MATCHES // len(EVERY_CHOICE[game]))
    pictures = 0
    write(page_file, random_match(game, table, 0))
    with opened(chromium, page_file) as page:
        for seed in range(each):
            entries = tuple(LONG[(seat + seed) % len(LONG)] for seat in range(table.seats)) if seed % 2 else ()
            write(page_file, random_match(game, table, seed, entries))
            page.reload()
            wait_until(page, "#count", " / ")
            for size in (TELEPHONE, DESK):
                resize(page, size)
                found = page.evaluate(GEOMETRY, False)
                assert found["wrong"] == []
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
                pictures += found["pictures"]
    tell(f"{game}/{table.name}, on a telephone and on a desk", {"matches": each, "pictures": pictures})


@pytest.mark.parametrize(("game", "table"), [pytest.param(*it, id=f"{it[0]}-{it[1].name}") for it in EVERY_TABLE])
def test_axe_finds_no_violation_at_the_beginning_in_the_middle_and_at_the_end(
    chromium: Any, page_file: Path, axe: str, game: str, table: GoldenTable
) -> None:
    """The schemes differ in nothing but colours."""
    write(page_file, random_match(game, table, 7))
    with opened(chromium, page_file) as page:
        page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        for keys in (["Home"], ["ArrowRight"] * 6, ["End"]):
            for key in keys:
                page.keyboard.press(key)
            for size in (TELEPHONE, DESK):
                resize(page, size)
                for scheme, look_for in (("light", STANDARDS), ("dark", ("color-contrast",))):
                    page.emulate_media(color_scheme=scheme)
                    assert violations(page, axe, look_for) == []


@every_drawn_game
def test_the_controls_stay_in_one_place_in_sight(chromium: Any, page_file: Path, game: str) -> None:
    write(page_file, random_match(game, TABLES[game][0], 1))
    for size in ((360, 640), (390, 844), (820, 1100), (1366, 768), DESK):
        with opened(chromium, page_file, "#0", size) as page:
            places = set(map(tuple, page.evaluate(_PLACES)))
            # On a small phone the board fills the window: what lay above it would hide a hand.
            assert [is_in_sight for _, _, is_in_sight in places] == [size != (360, 640)]


_PLACES = """() => Array.from({ length: 1 + Number(document.getElementById("slider").max) }, () => {
  const box = document.getElementById("on").getBoundingClientRect();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  return [box.x, box.y, box.bottom <= innerHeight];
})"""


@every_drawn_game
def test_arrow_keys_step_and_shift_jumps_to_decisions(chromium: Any, page_file: Path, game: str) -> None:
    write(page_file, random_match(game, TABLES[game][0], 1))
    with opened(chromium, page_file) as page:
        count = page.locator("#count")
        assert count.inner_text().startswith("0 / ")
        for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
            page.keyboard.press(key)
            assert count.inner_text().startswith(f"{step} / ")
        page.keyboard.press("Shift+ArrowRight")
        assert page.locator("#asked .pick").count() == 1
        page.keyboard.press("End")
        step, last = count.inner_text().split(" / ")
        assert step == last
        page.wait_for_url(f"**#{last}")


@every_drawn_game
def test_a_link_to_a_step_opens_there_also_for_a_seat(chromium: Any, page_file: Path, game: str) -> None:
    write(page_file, random_match(game, TABLES[game][0], 1))
    with opened(chromium, page_file, "#5") as page:
        assert page.locator("#count").inner_text().startswith("5 / ")
    with opened(chromium, page_file, "#seat-1-3") as page:
        assert page.locator("#count").inner_text().startswith("3 / ")
        assert page.locator("#viewer").input_value() == "2"
        page.evaluate("location.hash = '#4'")
        wait_until(page, "#count", "4 / ")
        assert page.locator("#viewer").input_value() == "0"
    with opened(chromium, page_file, "#99999") as page:
        step, last = page.locator("#count").inner_text().split(" / ")
        assert step == last
    with opened(chromium, page_file, "#no-such-thing") as page:
        assert page.locator("#count").inner_text().startswith("0 / ")


def test_a_link_that_is_followed_just_before_the_address_is_written_leads_to_its_step(
    chromium: Any, page_file: Path
) -> None:
    write(page_file, random_match("agonia", TABLES["agonia"][0], 1))
    with opened(chromium, page_file, "#1") as page:
        page.evaluate("() => { waiting = []; setTimeout = (run) => waiting.push(run); }")
        page.keyboard.press("ArrowRight")
        page.evaluate("location.hash = '#5'; waiting.forEach((run) => run())")
        wait_until(page, "#count", "5 / ")


@every_drawn_game
def test_a_decision_in_the_list_leads_to_its_step_and_is_the_current_one(
    chromium: Any, page_file: Path, game: str
) -> None:
    write(page_file, random_match(game, TABLES[game][0], 1))
    with opened(chromium, page_file) as page:
        line = page.locator("#story button").nth(3)
        line.click()
        assert page.locator("#count").inner_text().split(" / ")[0] == line.get_attribute("data-frame")
        assert page.locator("#asked .pick").inner_text() in line.inner_text()
        assert page.locator("#story [aria-current]").count() == 1


@every_drawn_game
def test_the_match_plays_by_itself_to_its_end_and_can_be_halted(chromium: Any, page_file: Path, game: str) -> None:
    write(page_file, random_match(game, TABLES[game][0], 1))
    with opened(chromium, page_file) as page:
        page.locator("#tab-more").click()
        page.locator("#speed").select_option("700")
        page.evaluate("document.activeElement.blur()")  # the keys of tabs are theirs
        page.keyboard.press("End")
        last = page.locator("#count").inner_text().split(" / ")[1]
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        page.locator("#play").click()
        assert page.locator("#play").get_attribute("aria-pressed") == "true"
        wait_until(page, "#count", f"{last} / {last}")
        assert page.locator("#play").get_attribute("aria-pressed") == "false"
        page.locator("#speed").select_option("3000")
        page.locator("#play").click()
        assert page.locator("#count").inner_text().startswith("0 / ")
        page.locator("#play").click()
        assert page.locator("#play").get_attribute("aria-pressed") == "false"


@every_drawn_game
def test_another_viewer_is_shown_the_same_moment(chromium: Any, page_file: Path, game: str) -> None:
    write(page_file, random_match(game, TABLES[game][0], 1))
    with opened(chromium, page_file) as page:
        page.keyboard.press("End")
        page.locator("#viewer").select_option("1")
        step, last = page.locator("#count").inner_text().split(" / ")
        assert step == last
        page.locator("#viewer").select_option("0")
        step, last = page.locator("#count").inner_text().split(" / ")
        assert step == last


@every_drawn_game
def test_the_sentence_is_announced_and_the_board_has_words(chromium: Any, page_file: Path, game: str) -> None:
    match = random_match(game, TABLES[game][0], 1)
    write(page_file, match)
    with opened(chromium, page_file) as page:
        assert page.locator("#sentence").get_attribute("aria-live") == "polite"
        before = page.locator("#sentence").inner_text()
        page.keyboard.press("ArrowRight")
        assert page.locator("#sentence").inner_text() not in {before, ""}
        page.keyboard.press("End")
        last = list(by_everyone(watched(match)))[-1]
        names = for_everyone(watched(match), drawer(rules(game))).names
        assert page.locator("#lines").text_content() == "\n".join(map(names.put_into, last.lines))


@every_drawn_game
def test_the_keyboard_reaches_every_control_and_shows_where_it_is(chromium: Any, page_file: Path, game: str) -> None:
    write(page_file, random_match(game, TABLES[game][0], 1))
    reached = set[str]()
    with opened(chromium, page_file) as page:
        page.locator("#tab-more").click()
        page.locator("body").focus()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.id"))
            width = page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
            assert width >= 2 or page.evaluate("document.activeElement === document.body")
    assert reached >= {"first", "back", "play", "on", "last", "slider", "speed", "viewer", "group", "copy"}


@every_drawn_game
def test_things_glide_for_those_who_like_it(chromium: Any, page_file: Path, game: str) -> None:
    """Somewhere in a match a named thing moves, and the browser then has an animation under way."""
    write(page_file, random_match(game, TABLES[game][0], 1))
    with opened(chromium, page_file) as page:
        assert not page.evaluate(_GLIDES)
        page.emulate_media(reduced_motion="no-preference")
        assert page.evaluate(_GLIDES)


_GLIDES = """() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
  for (let step = 0; step < Number(document.getElementById("slider").max); step += 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    if (document.getAnimations().length) return true;
  }
  return false;
}"""
