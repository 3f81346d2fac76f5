"""A person plays in a browser: whole matches of every game, in the list and on the drawing, alone and with another."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.failing_game import install
from tests.tournaments.web.visitors.puppets import SEATS
from tests.web.opened import DESK, TELEPHONE, each_view, unreadable_buttons, violations
from tests.web.served import served

pytestmark = pytest.mark.web

every_game = pytest.mark.parametrize("game", SEATS)
PATIENCE_MS = 60_000

NEXT = """() => ["choice", "after"].some((it) => document.getElementById(it)?.hidden === false)"""
"""There is something to decide, or the match is over. While the page is still read, neither is there."""


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path) as address:
        yield address


@contextmanager
def visitor(
    chromium: Any, size: tuple[int, int] = DESK, scheme: str = "light", at_once: bool = True, refused: bool = False
) -> Iterator[Any]:
    """A browser of somebody's own. With `at_once` nothing waits until the events have been seen.

    With `refused` the server may refuse a form, which browsers tell the console.

    Raises:
        AssertionError: it has said something to the console, failed, or asked for anything elsewhere.
    """
    width, height = size
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    wrong: list[str] = []
    told = "status of 409"
    page.on(
        "console",
        lambda it: None if refused and told in it.text else wrong.append(f"console: {it.text}"),
    )
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("request", lambda request: None if is_own(request.url) else wrong.append(request.url))
    page.set_default_timeout(PATIENCE_MS)
    if at_once:
        page.add_init_script(AT_ONCE)
    yield page
    context.close()
    assert wrong == []


AT_ONCE = """(() => {
    const real = window.setTimeout;
    window.setTimeout = (does, ms) => real(does, ms === 900 ? 0 : ms);
})();"""
"""A browser in which events follow each other at once."""


SEEN = """() => [
    ...["#story", "#actions", "#sentence", "#lines", "#seats"].map((it) => document.querySelector(it).textContent),
    document.querySelector("#board svg").outerHTML,
]"""
"""All that a page shows."""


NARROWEST_PART = """() => {
    const count = (part) => part.dataset.actions.split(" ").length;
    const parts = [...document.querySelectorAll("#board [data-actions]")];
    const [part] = parts.sort((one, other) => count(one) - count(other));
    part.scrollIntoView({ block: "center" });
    const box = part.getBoundingClientRect();
    return [count(part), box.x + box.width / 2, box.y + box.height / 2];
}"""
"""For how many actions that part of the board stands which stands for the fewest, and its middle."""


def is_own(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "data:"))


def open_table(page: Any, address: str, game: str, persons: int = 1, name: str = "ann") -> None:
    page.goto(f"{address}/")
    form = page.locator(f'form:has(input[value="{game}-league"])')
    form.locator('input[name="name"]').fill(name)
    for seat in range(1, persons):
        form.locator(f'select[name="seat.{seat}"]').select_option("~")
    form.locator("button").click()


def open_for_two(ann: Any, bob: Any, address: str, game: str) -> None:
    open_table(ann, address, game, persons=2)
    bob.goto(ann.locator("#invitations code").inner_text())
    bob.locator('input[name="name"]').fill("bob")
    bob.locator("button").click()


def play_together(ann: Any, bob: Any, rng: Random) -> None:
    """Play to the end at a table of two persons."""
    while not ann.locator("#after").is_visible():
        for page in (ann, bob):
            if page.locator("#choice").is_visible():
                page.locator("#skip").wait_for(state="hidden")
                choose_in_the_list(page, rng)
        ann.wait_for_timeout(20)
    bob.locator("#after").wait_for()


def wait_for_more(page: Any) -> bool:
    """Wait for a decision. Whether there is one; otherwise the match is over."""
    page.wait_for_function(NEXT)
    page.locator("#skip").wait_for(state="hidden")
    return bool(page.locator("#choice").is_visible())


def number_of(page: Any) -> str:
    """What tells this decision from the next: the story grows with each."""
    return str(page.locator("#story li").count())


def choose_in_the_list(page: Any, rng: Random) -> None:
    """By keyboard alone."""
    radios = page.locator("#actions input")
    radios.first.focus()
    page.keyboard.press("Space")
    for _ in range(rng.randrange(min(radios.count(), 12))):
        page.keyboard.press("ArrowDown")
    before = number_of(page)
    page.keyboard.press("Enter")
    changed(page, before)


def choose_on_the_drawing(page: Any, rng: Random) -> None:
    """By clicking parts of the board that stand for an action, until one is left or they cannot tell more."""
    target = rng.randrange(page.locator("#actions input").count())
    parts = page.evaluate(
        """(target) => [...document.querySelectorAll("#board [data-actions]")]
            .filter((part) => part.dataset.actions.split(" ").includes(String(target)))
            .map((part) => { part.scrollIntoView({ block: "center" }); const box = part.getBoundingClientRect();
                return [box.x + box.width / 2 + scrollX, box.y + box.height / 2 + scrollY]; })""",
        target,
    )
    assert parts, f"nothing on the board stands for action {target}"
    for x, y in parts:
        page.evaluate("([x, y]) => scrollTo(0, y - innerHeight / 2)", [x, y])
        top = page.evaluate("scrollY")
        page.mouse.click(x, y - top)
    radio = page.locator(f'#actions input[value="{target}"]')
    assert radio.count() == 1, "the list has no longer what was chosen on the board"
    radio.check()
    before = number_of(page)
    page.locator("#choose").click()
    changed(page, before)


def changed(page: Any, before: str) -> None:
    """Wait until the choice has come back as part of the story, or the match is over."""
    page.wait_for_function("(before) => String(document.querySelectorAll('#story li').length) !== before", arg=before)


def check_accessible(page: Any, axe: str) -> None:
    """At two widths, in light and in dark."""
    for look_for in each_view(page):
        assert violations(page, axe, look_for) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@every_game
def test_a_person_plays_a_whole_match_by_keyboard(chromium: Any, lobby: str, game: str) -> None:
    rng = Random(3)
    with visitor(chromium) as page:
        open_table(page, lobby, game)
        while wait_for_more(page):
            choose_in_the_list(page, rng)
        assert page.locator("#story .result").count() == 1
        result = page.locator("#state").inner_text()
        assert result.startswith(("You won", "You lost"))
        assert page.title() == result
        page.get_by_role("link", name="Replay").click()
        page.locator("#count", has_text=" / ").wait_for()


def test_a_person_plays_a_whole_match_of_a_game_that_nobody_has_drawn(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch)
    rng = Random(10)
    with served(tmp_path, ["auction"]) as address, visitor(chromium) as page:
        open_table(page, address, "auction")
        while wait_for_more(page):
            assert "View(seat=0" in page.locator("#board svg").text_content()
            choose_in_the_list(page, rng)
        assert page.locator("#story .result").count() == 1
        page.get_by_role("link", name="Replay").click()
        page.locator("#count", has_text=" / ").wait_for()


@every_game
def test_a_person_plays_a_whole_match_on_the_drawing_of_a_telephone(chromium: Any, lobby: str, game: str) -> None:
    rng = Random(4)
    with visitor(chromium, TELEPHONE, "dark") as page:
        open_table(page, lobby, game)
        while wait_for_more(page):
            choose_on_the_drawing(page, rng)
        assert page.locator("#story .result").count() == 1


@every_game
def test_two_persons_play_a_whole_match(chromium: Any, lobby: str, game: str) -> None:
    rng = Random(5)
    with visitor(chromium) as ann, visitor(chromium) as bob:
        open_for_two(ann, bob, lobby, game)
        play_together(ann, bob, rng)
        for page in (ann, bob):
            assert page.locator("#story .result").count() == 1
        assert ann.locator("#seats").inner_text().splitlines()[1] == "~bob"


@every_game
def test_who_reloads_the_page_finds_everything_as_it_was(chromium: Any, lobby: str, game: str) -> None:
    rng = Random(6)
    with visitor(chromium) as page:
        open_table(page, lobby, game)
        for _ in range(3):
            if wait_for_more(page):  # an accusation may end it
                choose_in_the_list(page, rng)
        check_same_after_a_reload(page)


def test_who_reloads_the_page_after_the_end_finds_everything_as_it_was(chromium: Any, lobby: str) -> None:
    rng = Random(7)
    with visitor(chromium) as page:
        open_table(page, lobby, "agent-avenue")
        while wait_for_more(page):
            choose_in_the_list(page, rng)
        check_same_after_a_reload(page)


def check_same_after_a_reload(page: Any) -> None:
    more = wait_for_more(page)
    before = page.evaluate(SEEN)
    page.reload()
    assert wait_for_more(page) == more
    assert page.evaluate(SEEN) == before


BROKEN = """() => {
    const Real = EventSource;
    window.EventSource = class extends Real {
        constructor(url) {
            super(window.broken ? url + "x" : url);
            window.source = this;
        }
    };
    window.EventSource.CLOSED = Real.CLOSED;
}"""
"""A browser whose streams can be broken: while `broken` is set, the server answers with 404, and it gives up."""


def test_a_page_that_loses_its_connection_says_so_and_goes_on(chromium: Any, tmp_path: Path) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(f"({BROKEN})()")
    rng = Random(8)
    with served(tmp_path) as address:
        open_table(page, address, "agent-avenue")
        assert wait_for_more(page)
        page.evaluate("""() => { window.broken = true; source.close(); source.dispatchEvent(new Event("error")); }""")
        page.locator("#state", has_text="The connection is lost").wait_for()
        page.wait_for_timeout(4_000)  # it has tried again, in vain
        assert page.locator("#state").inner_text().startswith("The connection is lost")
        assert "your clock goes on" in page.locator("#state").inner_text()
        page.evaluate("window.broken = false")
        page.locator("#state", has_text="It is your decision").wait_for()
        while wait_for_more(page):
            choose_in_the_list(page, rng)
        assert page.locator("#story .result").count() == 1
        context.close()


@every_game
def test_axe_finds_no_violation_on_any_page(chromium: Any, lobby: str, axe: str, game: str) -> None:
    rng = Random(9)
    with visitor(chromium) as page:
        page.goto(f"{lobby}/")
        check_accessible(page, axe)
        open_table(page, lobby, game, persons=2)
        page.locator("#invitations code").wait_for()
        check_accessible(page, axe)
        page.goto(page.locator("#invitations code").inner_text())
        check_accessible(page, axe)
        open_table(page, lobby, game)
        assert wait_for_more(page)
        page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        check_accessible(page, axe)
        page.locator("#actions input").first.check()
        check_accessible(page, axe)
        while wait_for_more(page):
            choose_in_the_list(page, rng)
        check_accessible(page, axe)
        page.goto(f"{lobby}/rules/{game}")
        check_accessible(page, axe)


@every_game
def test_a_click_on_the_board_leaves_only_what_it_stands_for_and_all_can_be_shown_again(
    chromium: Any, lobby: str, game: str
) -> None:
    rng = Random(7)
    with visitor(chromium) as page:
        open_table(page, lobby, game)
        assert wait_for_more(page)
        fewest, *middle = page.evaluate(NARROWEST_PART)
        while fewest == (everything := page.locator("#actions input").count()):  # no click could leave fewer
            choose_in_the_list(page, rng)
            assert wait_for_more(page)
            fewest, *middle = page.evaluate(NARROWEST_PART)
        page.mouse.click(*middle)
        assert 0 < page.locator("#actions input").count() < everything
        assert page.locator("#board .picked").count() > 0
        page.locator("#all").click()
        assert page.locator("#actions input").count() == everything
        assert page.locator("#board .picked").count() == 0


def test_what_is_not_possible_is_greyed_and_says_by_which_ruling(chromium: Any, lobby: str) -> None:
    rng = Random(2)
    with visitor(chromium) as page:
        while not page.locator("#board .veil").count():  # a match can end before anything is greyed
            open_table(page, lobby, "inside-job")
            while wait_for_more(page) and not page.locator("#board .veil").count():
                choose_in_the_list(page, rng)
        assert page.evaluate(HALF_COVERED) == []
        title = page.locator("#board .veils title").first.text_content()  # of which kind depends on the deal
        assert re.fullmatch(r"Not possible: .+ \((IJ-\d+)\)", title), title
        page.locator("#barred-of summary").click()
        assert title[title.rindex("(") :] in page.locator("#barred").inner_text()


HALF_COVERED = """() => {
    const faces = [...document.querySelectorAll("#board .face")].map((it) => it.getBoundingClientRect());
    const edges = ["left", "right", "top", "bottom"];
    const near = (one, other) => edges.every((edge) => Math.abs(one[edge] - other[edge]) < 4);
    return [...document.querySelectorAll("#board .veil")].map((it) => it.getBoundingClientRect())
        .filter((veil) => !faces.some((face) => near(face, veil))).map((it) => [it.x, it.y]);
}"""
"""Veils that lie over something else than a whole card."""


def test_a_table_that_is_closed_says_so_in_words(chromium: Any, lobby: str) -> None:
    with visitor(chromium) as page:
        open_table(page, lobby, "agonia")
        # Asked apart from the page: browsers tell the console of every status above 399.
        got = page.request.get(f"{page.url}x", headers={"accept": "text/html"})
        assert got.status == 404
        assert "This table is closed, or was never open" in got.text()


def test_no_button_of_the_lobby_or_of_a_seat_loses_its_label(chromium: Any, lobby: str) -> None:
    for scheme in ("light", "dark"):
        with visitor(chromium, scheme=scheme) as page:
            page.goto(f"{lobby}/")
            assert unreadable_buttons(page) == []
            open_table(page, lobby, "agent-avenue")
            assert wait_for_more(page)
            page.locator("#actions input").first.check()
            assert unreadable_buttons(page) == []
            rng = Random(3)
            while wait_for_more(page):
                choose_in_the_list(page, rng)
            assert unreadable_buttons(page) == []
