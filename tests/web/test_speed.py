"""Pages are light, cost little, show their first picture soon, and nothing in them shifts."""

import gzip
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pages import usual_rows
from tests.drawing.matches import drawn_games
from tests.tournaments.web.pages.every import FRAME, pages
from tests.tournaments.web.service.hall import hall
from tests.web.opened import DESK, TELEPHONE, wait_until
from tests.web.test_replay import delivered, match
from tournaments.league.model import Entry
from tournaments.web.pages.match_pictures import style_of
from tournaments.web.pages.rendering import look, rendered
from tournaments.web.pages.urls import SERVED
from tournaments.web.service.replies import PAGE

pytestmark = pytest.mark.web

every_drawn_game = pytest.mark.parametrize("game", drawn_games())
MATCH = "/leagues/autumn/match/x"
LARGEST_SHIFT = 0.02

VITALS = """
window.vitals = { shift: 0, painted: 0 };
const each = (type, does) =>
  new PerformanceObserver((list) => list.getEntries().forEach(does)).observe({ type, buffered: true });
each("layout-shift", (it) => { if (!it.hadRecentInput) vitals.shift += it.value; });
each("largest-contentful-paint", (it) => { vitals.painted = it.startTime; });
"""
"""Adds up how much shifts, but for what somebody has just done; and notes when the largest part was painted, in ms."""

STEP_THROUGH = """async () => {
  for (let step = 0; step < Number(document.getElementById("slider").max); step += 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
}"""
"""By a script, so that no shift counts as what somebody has just done."""


@contextmanager
def at_an_address(files: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """The address of a server of these files, which sends them compressed."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body, media = files[self.path]
            packed = gzip.compress(body.encode())
            self.send_response(200)
            headers = {**PAGE, "content-type": media, "content-encoding": "gzip", "content-length": str(len(packed))}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(packed)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@contextmanager
def measured(chromium: Any, size: tuple[int, int]) -> Iterator[Any]:
    """A window that measures itself."""
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page = context.new_page()
    page.add_init_script(VITALS)
    yield page
    context.close()


@every_drawn_game
def test_nothing_shifts_while_a_match_loads_is_stepped_through_and_turns_to_another_tab(
    chromium: Any, game: str
) -> None:
    with at_an_address(delivered(match(game))) as base:
        for size in (TELEPHONE, (1280, 800)):
            with measured(chromium, size) as page:
                page.goto(base + MATCH)
                wait_until(page, "#count", "0 / ")
                page.evaluate(STEP_THROUGH)
                page.evaluate("document.getElementById('tab-why').click()")
                page.wait_for_timeout(100)
                assert page.evaluate("vitals.shift") < LARGEST_SHIFT, size


@pytest.mark.parametrize("kind", ["matches", "standings"])
def test_nothing_shifts_while_a_page_renews(chromium: Any, tmp_path: Path, kind: str) -> None:
    with hall(f"sqlite:///{tmp_path}/league.sqlite") as served, measured(chromium, DESK) as page:
        page.goto(f"http://127.0.0.1:{served.port}/leagues/autumn/{kind}")
        page.evaluate("document.addEventListener('renewed', () => { window.renewed = (window.renewed ?? 0) + 1; })")
        page.wait_for_timeout(2_500)  # the first look has been taken
        for number in range(3):
            served.store.change(f"new{number}@1", Entry(f"new{number}@1", "bots/new"), 5)
            while page.evaluate("window.renewed ?? 0") <= number:
                page.wait_for_timeout(200)
        assert page.evaluate("vitals.shift") < LARGEST_SHIFT


@every_drawn_game
def test_the_largest_part_of_a_match_is_painted_soon_on_a_slow_telephone(chromium: Any, game: str) -> None:
    """A fourth of the processor, 1.6 Mbit/s. Of three times the best counts, as other tests run on this machine."""
    found = []
    with at_an_address(delivered(match(game))) as base:
        for _ in range(3):
            with measured(chromium, TELEPHONE) as page:
                slow = page.context.new_cdp_session(page)
                slow.send("Network.enable")
                line = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
                slow.send("Network.emulateNetworkConditions", line)
                slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
                page.goto(base + MATCH)
                wait_until(page, "#count", "0 / ")
                page.wait_for_timeout(200)
                found.append(page.evaluate("vitals.painted"))
    assert 0 < min(found) < 2_500


@every_drawn_game
def test_what_a_match_loads_beside_its_page_has_at_most_80_kilobytes(game: str) -> None:
    weights = {path: len(gzip.compress(body.encode())) for path, (body, _) in delivered(match(game)).items()}
    del weights[MATCH]
    assert sum(weights.values()) <= 80_000, weights


def test_what_the_page_of_a_league_loads_beside_itself_has_at_most_40_kilobytes() -> None:
    page = rendered(pages()["standings"], FRAME._replace(base="/leagues/autumn"), SERVED)
    names = set(re.findall(r'(?:href|src)="/look/([^"]+)"', page)) - {"board-agent-avenue.css"}
    assert names >= {"pages.css", "pages.js", "tables.js"}
    weights = {name: len(gzip.compress(look(name))) for name in names}
    weights["board"] = len(gzip.compress(style_of("agent-avenue").encode()))
    assert sum(weights.values()) <= 40_000, weights


def test_no_page_of_200_bots_and_20_000_matches_costs_more_than_25_ms_or_40_kilobytes() -> None:
    """In processor time of the reference machine; of five times the best."""
    rows = usual_rows()
    dear = {row.name: row.spread for row in rows if row.spread and row.first and row.spread[0] > row.first}
    assert dear == {}
    assert len([row for row in rows if row.spread and row.first]) == len(rows)
