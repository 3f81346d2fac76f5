"""What a person sees in each phase: the lobby, events, the last minute, no connection, the end, and a rematch."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.web.served import served
from tests.web.test_layout import LAYOUT, WIDTHS
from tests.web.test_visitors import (
    check_accessible,
    choose_in_the_list,
    choose_on_the_drawing,
    every_game,
    lobby,
    open_for_two,
    open_table,
    play_together,
    visitor,
    wait_for_more,
)
from tournaments.league.service_terms import VisitorTerms

pytestmark = pytest.mark.web

__all__ = ["lobby"]

SMALLEST = (360, 640)

STORY = "document.querySelectorAll('#story li').length"

IN_SIGHT = """() => {
    const box = document.getElementById("choose").getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.top >= 0 && box.bottom <= innerHeight && at === document.getElementById("choose");
}"""
"""Whether the button is in the window, and nothing lies over it."""


# Events


@pytest.mark.parametrize("way", ["key", "click"])
def test_events_play_one_after_the_other_while_one_may_choose_and_a_key_or_a_click_skips_them(
    chromium: Any, lobby: str, way: str
) -> None:
    rng = Random(11)
    with visitor(chromium, at_once=False) as page:
        page.clock.install()
        open_table(page, lobby, "inside-job")
        page.locator("#choice").wait_for()
        while not page.locator("#skip").is_visible():
            choose(page, rng)
            page.locator("#choice").wait_for()
        before = page.evaluate(STORY)
        page.clock.run_for(900)
        assert page.evaluate(STORY) == before + 1
        assert page.locator("#choice").is_visible()
        assert page.locator("#actions input").first.is_enabled()
        if way == "key":
            page.keyboard.press("Escape")
        else:
            page.locator("#board svg").click()
        assert page.locator("#skip").is_hidden()
        assert page.evaluate("document.querySelectorAll('#board [data-actions]').length") > 0


def choose(page: Any, rng: Random) -> None:
    """Choose while events may still play."""
    radios = page.locator("#actions input")
    radios.nth(rng.randrange(radios.count())).check()
    before = page.evaluate(STORY)
    page.locator("#choose").click()
    page.wait_for_function(f"(before) => {STORY} > before", arg=before)


# On a telephone


@every_game
def test_choose_is_in_sight_on_the_smallest_telephone_after_each_tap(chromium: Any, lobby: str, game: str) -> None:
    rng = Random(12)
    with visitor(chromium, SMALLEST) as page:
        open_table(page, lobby, game)
        taps = 0
        while wait_for_more(page) and taps < 12:
            assert page.evaluate(IN_SIGHT)
            page.evaluate("document.querySelector('#board [data-actions]').scrollIntoView({ block: 'start' })")
            box = page.locator("#board [data-actions]").first.bounding_box()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            assert page.evaluate(IN_SIGHT)
            taps += 1
            choose_on_the_drawing(page, rng)
        assert taps


# The clock


LISTEN = """addEventListener("DOMContentLoaded", () => {
    window.alarms = []; window.titles = [];
    const hurry = document.getElementById("hurry");
    if (!hurry) return;
    const isShort = () => document.querySelector("#clock.short:not([hidden])") !== null;
    const alarm = () => hurry.hidden || alarms.push([hurry.textContent, isShort()]);
    new MutationObserver(alarm).observe(hurry, { childList: true });
    const title = document.querySelector("title");
    new MutationObserver(() => titles.push(document.title)).observe(title, { childList: true });
});"""
"""Keeps what the page warns of. A busy machine may look at the page only when the match is over."""


def test_a_person_is_warned_twice_and_all_learn_who_lost_by_the_clock(chromium: Any, tmp_path: Path) -> None:
    terms = VisitorTerms(opponents=("puppet@person",), tables=2, move_ms=30_000)  # a busy machine takes its time
    with served(tmp_path, terms=terms) as address, visitor(chromium) as ann, visitor(chromium) as bob:
        for it in (ann, bob):
            it.add_init_script(LISTEN)
        open_for_two(ann, bob, address, "agent-avenue")
        for it in (ann, bob):
            it.locator("#after").wait_for()
        states = {it.locator("#state").inner_text(): it for it in (ann, bob)}
        loser = states.pop("You lost: your time ran out.")
        (won,) = states
        assert won.startswith("You won: the time of ~")
        alarms = loser.evaluate("alarms")
        assert 1 <= len(alarms) <= 2
        assert all("When the time is over, you lose." in text and is_short for text, is_short in alarms)
        assert any(title.startswith("Only ") for title in loser.evaluate("titles"))


# No connection


def test_a_choice_without_a_connection_is_sent_when_there_is_one_again(chromium: Any, tmp_path: Path) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    with served(tmp_path) as address:
        open_table(page, address, "agent-avenue")
        assert wait_for_more(page)
        page.locator("#actions input").first.check()
        context.set_offline(True)
        page.locator("#state", has_text="The connection is lost").wait_for()
        page.locator("#choose").click()
        page.locator("#trouble", has_text="sends it as soon as").wait_for()
        assert page.locator("#actions input").first.is_checked()
        context.set_offline(False)
        page.locator("#story .own").wait_for()
        context.close()


# The lobby


def test_the_line_up_decides_which_seats_are_offered_and_a_refusal_keeps_them(chromium: Any, lobby: str) -> None:
    with visitor(chromium, refused=True) as page:
        page.goto(f"{lobby}/")
        form = page.locator('form:has(input[value="agent-avenue-league"])')
        shown = form.locator(".row:visible")
        assert shown.count() == 2
        form.locator('select[name="option.line_up"]').select_option("2v2")
        assert shown.count() == 4
        form.locator('select[name="seat.2"]').select_option("you")
        assert form.locator('select[name="seat.0"]').input_value() == "puppet@person"
        sides = [row.locator(".side").inner_text() for row in shown.all()]
        assert sides == ["with you", "against you", "", "against you"]
        form.locator('input[name="name"]').fill("ann")
        form.locator('select[name="option.ceasefire"]').select_option("true")
        assert "option.line_up=2v2" in form.locator(".rules-link").get_attribute("href")
        form.locator("button").click()
        form.locator('[role="alert"]').wait_for()
        assert page.evaluate("document.activeElement.name") == "option.ceasefire"
        assert form.locator('input[name="name"]').input_value() == "ann"
        assert form.locator('select[name="seat.2"]').input_value() == "you"
        assert shown.count() == 4
        form.locator('select[name="option.ceasefire"]').select_option("false")
        form.locator("button").click()
        page.locator("#seats li.own").wait_for()
        assert page.locator("#seats li").nth(2).inner_text() == "~ann (you)"


# The end


def test_a_rematch_leads_both_to_one_new_table(chromium: Any, lobby: str) -> None:
    rng = Random(13)
    with visitor(chromium) as ann, visitor(chromium) as bob:
        open_for_two(ann, bob, lobby, "agent-avenue")
        play_together(ann, bob, rng)
        for page in (bob, ann):
            page.get_by_role("button", name="Rematch").click()
        for page in (bob, ann):
            page.locator("#state", has_text=re.compile("It is your decision|Waiting for the others[.]")).wait_for()
            assert page.locator("#seats").inner_text().split("\n")[0].startswith("~ann")


# Every width


LONGEST = "a-name-of-24-characters-"


@every_game
def test_no_page_scrolls_sideways_or_cuts_a_text_at_any_width(
    chromium: Any, tmp_path: Path, axe: str, game: str
) -> None:
    rng, wrong = Random(14), dict[str, list[str]]()
    terms = VisitorTerms(opponents=("puppet@person",), tables=9)

    def look(phase: str) -> None:
        for width in reversed(WIDTHS):
            page.set_viewport_size({"width": width, "height": 640 if width < 700 else 900})
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            if found := page.evaluate(LAYOUT):
                wrong[f"{phase} at {width}"] = found

    with served(tmp_path, terms=terms) as address, visitor(chromium, refused=True) as page:
        page.goto(f"{address}/rules/{game}")
        look("rules")
        page.goto(f"{address}/")
        look("lobby")
        open_table(page, address, game, persons=2, name=LONGEST)
        page.locator("#invitations code").wait_for()
        look("waiting")
        page.goto(page.locator("#invitations code").inner_text())
        page.locator('input[name="name"]').fill(LONGEST)
        page.locator("button").click()
        page.locator('[role="alert"]').wait_for()
        look("refused invitation")
        check_accessible(page, axe)
        open_table(page, address, game, name=LONGEST)
        for _ in range(2):
            if wait_for_more(page):
                choose_in_the_list(page, rng)
        if wait_for_more(page):
            page.locator("#actions input").first.check()
            page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
            look("own decision")
        page.set_viewport_size({"width": 1400, "height": 900})
        while wait_for_more(page):
            choose_in_the_list(page, rng)
        look("end")
    assert wrong == {}
