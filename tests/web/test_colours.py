"""Pages for people who see colours otherwise: people can read all type, and colour alone never carries information."""

import base64
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from referee.drawing.registry import drawn_games
from tests.conftest import Tell
from tests.drawing.matches import DRAWN_GOLDEN, golden_match, random_match
from tests.drawing.test_page import recorded
from tests.golden.tables import TABLES
from tests.web.opened import opened, write

pytestmark = pytest.mark.web

every_drawn_game = pytest.mark.parametrize("game", drawn_games())
both_schemes = pytest.mark.parametrize("scheme", ["light", "dark"])

EYES = ("none", "achromatopsia", "protanopia", "deuteranopia", "tritanopia")
"""How Chromium can emulate seeing; achromatopsia is grey."""

SHARP = 3
"""So many pixels of a screenshot for one of the page: the stems of letters are then wider than their soft edges."""
WIDTH, STEP, LONGEST = 400, 4_000, 1_000
"""Of a page and its parts, in pixels. No text is higher than the longest; 16,384 pixels are the highest picture."""

HERE = Path(__file__).parent
ALIKE, CONTRAST, TYPE = (
    (HERE / f"{name}.js").read_text(encoding="utf-8") for name in ("alike", "contrast", "type")
)  # fmt: skip

BARE = """() => {
  const sheet = document.styleSheets[0];
  sheet.insertRule(".bare *{color:transparent!important}", sheet.cssRules.length);
  sheet.insertRule(".bare .board text{fill:transparent!important}", sheet.cssRules.length);
  sheet.insertRule(".deck, #story h3 {position:static!important}", sheet.cssRules.length);
  for (const it of document.querySelectorAll("details")) it.open = true;
}"""
"""Lets type vanish when the page is `bare`. What lies behind it stays, and so do the outlines that set it off.

The controls and the headings of the list do not float: in a picture of the whole page they would cover type that a
reader can scroll from under them.
"""

SAID_ELSEWHERE = {"inside-job": "ij-on-"}
"""By game, the class of what differs in colour only because something elsewhere says the same.

The table of Inside Job has the colour of the trump suit. The mission beside it has the shape of the suit; a test of the
game's pictures holds both together.
"""


def shot(page: Any, top: int, *, bare: bool) -> str:
    page.evaluate("(name) => { document.documentElement.className = name; }", "bare" if bare else "")
    part = {"x": 0, "y": top, "width": WIDTH, "height": STEP + LONGEST}
    return base64.b64encode(page.screenshot(full_page=True, clip=part)).decode()


def in_parts(texts: list[dict[str, Any]]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Where each part of the page begins, and the texts in it: a browser takes no picture as high as the whole page."""
    for top, inside in groupby(texts, lambda text: int(min(line["top"] for line in text["lines"])) // STEP * STEP):
        yield top, [{**text, "lines": [_moved(line, top) for line in text["lines"]]} for text in inside]


def _moved(line: dict[str, float], up: int) -> dict[str, float]:
    return {**line, "top": line["top"] - up, "bottom": line["bottom"] - up}


@both_schemes
@every_drawn_game
def test_all_type_can_be_read_by_everybody_at_the_beginning_in_the_middle_and_at_the_end(
    chromium: Any, page_file: Path, tell: Tell, game: str, scheme: str
) -> None:
    write(page_file, random_match(game, TABLES[game][-1], 7))
    judge = chromium.new_page()
    least, texts = 21.0, 0  # black on white has 21
    with opened(chromium, page_file, size=(WIDTH, 800), scheme=scheme, sharp=SHARP) as page:
        page.evaluate(BARE)
        emulate = page.context.new_cdp_session(page)
        for keys in (["Home"], ["ArrowRight"] * 17, ["End"]):
            for key in keys:
                page.keyboard.press(key)
            lines = page.evaluate(TYPE)
            for eyes in EYES:
                emulate.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
                for top, inside in in_parts(lines):
                    shots = shot(page, top, bare=False), shot(page, top, bare=True)
                    found = judge.evaluate(CONTRAST, [*shots, inside, SHARP])
                    assert [(words, contrast) for words, contrast in found if contrast is None or contrast < 4.5] == []
                    least, texts = min([least, *(contrast for _, contrast in found)]), texts + len(found)
    judge.close()
    tell(
        f"{game}, type in {scheme}, seen in {len(EYES)} ways", {f"texts with a contrast of {least:.2f} or more": texts}
    )


@both_schemes
@every_drawn_game
def test_nothing_in_a_picture_is_told_by_colour_alone(
    chromium: Any, page_file: Path, tell: Tell, game: str, scheme: str
) -> None:
    goldens = [golden for golden in DRAWN_GOLDEN if golden.game == game]
    recordings = [recorded(golden_match(golden)) for golden in goldens]
    parts = sorted({part for recording in recordings for part in recording.parts})
    write(page_file, golden_match(goldens[0]))
    with opened(chromium, page_file, scheme=scheme) as page:
        found = page.evaluate(ALIKE, parts)
    said = SAID_ELSEWHERE.get(game, "nothing")
    assert [pair for pair in found if not all(said in markup for markup in pair)] == []
    tell(f"{game}, things compared without their colours in {scheme}", {"things": len(parts)})


def test_two_things_that_differ_in_colour_alone_are_found(chromium: Any, page_file: Path) -> None:
    write(page_file, golden_match(DRAWN_GOLDEN[0]))
    good, bad, dark = (f'<circle r="9" class="seat" transform="translate({at} 0)"/>' for at in range(3))
    parts = [f'<g class="s{seat}">{it}</g>' for seat, it in enumerate((good, good, dark.replace("9", "8")))]
    with opened(chromium, page_file) as page:
        assert [len(pair) for pair in page.evaluate(ALIKE, parts)] == [2]
        assert page.evaluate(ALIKE, [parts[0], parts[2], f'<g class="s0">{bad.replace("9", "7")}</g>']) == []
