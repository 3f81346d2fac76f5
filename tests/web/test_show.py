"""The page for a projector: it fills the window, everything can be read from afar, and a league begins in sight."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.tournaments.web.pages import values
from tests.tournaments.web.showing import pretended
from tests.tournaments.web.test_static_site import LEAGUES
from tests.web.opened import violations
from tests.web.test_layout import TRANSCRIPTS, long_names
from tournaments.web.static_site import Site, files_of, write

pytestmark = pytest.mark.web

SMALLEST = """() => Math.min(...[...document.querySelectorAll(".show *:not(svg, svg *)")]
    .filter((it) => it.getClientRects().length && !it.matches(".unseen") && it.innerText?.trim())
    .map((it) => parseFloat(getComputedStyle(it).fontSize)))"""
OUTSIDE = """() => {
  const sticksOut = (box) => box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
  return [...document.querySelectorAll(".show, .show *:not(svg *)")]
    .filter((it) => it.getClientRects().length && !it.matches(".unseen"))
    .filter((it) => sticksOut(it.getBoundingClientRect()))
    .map((it) => it.outerHTML.slice(0, 120)); }"""
TURN = """(at) => {
  document.getAnimations().forEach((it) => { it.pause(); it.currentTime = at; });
  const isSeen = (panel) => getComputedStyle(panel).visibility === "visible";
  return [...document.querySelectorAll(".turn > section")].flatMap((it, number) => (isSeen(it) ? [number] : [])); }"""
"""Puts the panels that take turns to a moment, and says which of them can be seen."""

SHARE = """() => {
  const svg = [...document.querySelectorAll("svg.board")].find((it) => it.getClientRects().length);
  const box = svg.getBoundingClientRect(), { width, height } = svg.viewBox.baseVal;
  const scale = Math.min(box.width / width, box.height / height);
  return width * height * scale * scale / (innerWidth * innerHeight); }"""
"""The share of the window that the board covers, without the free space around it."""

LEAST_BOARD = 0.3

FIRST_LINE = "document.querySelector('.ranked tbody tr').getBoundingClientRect().top"


@pytest.fixture
def site(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A league with a picture. The parameter says how many bots it has, and whether names are long."""
    bots, are_long = request.param
    if are_long:
        monkeypatch.setattr(values, "names", long_names)
    league = replace(LEAGUES["round-robin"], bots=bots)
    write(
        files_of([Site(pretended(league, 6, TRANSCRIPTS[league.game]), values.NOW_MS, None, 1)], values.NOW_MS),
        tmp_path / "x",
    )
    return tmp_path / "x/autumn"


@pytest.mark.parametrize("site", [(3, False), (30, True)], indirect=True, ids=["few", "many with long names"])
def test_on_a_projector_nothing_is_small_or_outside_or_takes_the_focus(chromium: Any, axe: str, site: Path) -> None:
    for width, height in ((1280, 720), (1920, 1080)):
        context = chromium.new_context(viewport={"width": width, "height": height})
        page = context.new_page()
        page.goto((site / "show.html").as_uri())
        assert page.locator("svg.board:visible").count() == 1
        assert page.evaluate(SHARE) >= LEAST_BOARD
        for at_ms in (1_000, 13_000, 25_000):
            assert page.evaluate(TURN, at_ms) == [at_ms // 12_000]
            assert page.evaluate(SMALLEST) >= 20
            assert page.evaluate(OUTSIDE) == []
        assert page.locator("a, button, input, select, summary, [tabindex]:not([tabindex='-1'])").count() == 0
        assert violations(page, axe) == []
        context.close()


@pytest.mark.parametrize("site", [(3, False), (30, True)], indirect=True, ids=["few", "many with long names"])
def test_on_a_telephone_the_first_line_of_the_standings_is_in_the_upper_half(chromium: Any, site: Path) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    assert page.evaluate(FIRST_LINE) <= 420
    context.close()
