"""Pages for people who see colours otherwise: people can read all type, and colour alone never carries information."""

import base64
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Tell
from tests.drawing.matches import DRAWN_GOLDEN, drawn_games, golden_match, random_match
from tests.drawing.test_page import recorded
from tests.golden.tables import TABLES
from tests.web.opened import opened, write

pytestmark = pytest.mark.web

every_drawn_game = pytest.mark.parametrize("game", drawn_games())
SCHEMES = ("light", "dark")

EYES = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "achromatopsia": ((0.213, 0.715, 0.072),) * 3,
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.28, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""How Chromium can emulate seeing: what it makes of red, green and blue light. Achromatopsia is grey."""

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

SAID_ELSEWHERE = {"inside-job": "ij-on-", "agent-avenue": "aa-beside"}
"""By game, the class of what differs in colour only because something elsewhere says the same.

The table of Inside Job has the colour of the trump suit. The mission beside it has the shape of the suit; a test of the
game's pictures holds both together. In Agent Avenue, the heading of what a side has says
whose it is; the bar repeats it.
"""


def contrasts(page: Any, judge: Any, eyes: Iterable[str]) -> list[tuple[str, list[float]]]:
    """Each text of the page, and the least contrast that each of these eyes sees; 0 if nothing of it can be seen."""
    matrices = [EYES[name] for name in eyes]
    found = list[tuple[str, list[float]]]()
    for top, inside in in_parts(page.evaluate(TYPE)):
        below = max(line["bottom"] for text in inside for line in text["lines"])
        part = {"x": 0, "y": top, "width": WIDTH, "height": below + 1}
        shots = [shot(page, part, bare=bare) for bare in (False, True)]
        judged = judge.evaluate(CONTRAST, [*shots, inside, SHARP, matrices])
        found += [(words, by_eyes or [0.0] * len(matrices)) for words, by_eyes in judged]
    return found


def shot(page: Any, part: dict[str, float], *, bare: bool) -> str:
    page.evaluate("(name) => { document.documentElement.className = name; }", "bare" if bare else "")
    return base64.b64encode(page.screenshot(full_page=True, clip=part)).decode()


def in_parts(texts: list[dict[str, Any]]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Where each part of the page begins, and the texts in it: a browser takes no picture as high as the whole page."""
    for top, inside in groupby(texts, lambda text: int(min(line["top"] for line in text["lines"])) // STEP * STEP):
        yield top, [{**text, "lines": [_moved(line, top) for line in text["lines"]]} for text in inside]


def _moved(line: dict[str, float], up: int) -> dict[str, float]:
    return {**line, "top": line["top"] - up, "bottom": line["bottom"] - up}


@every_drawn_game
def test_all_type_can_be_read_by_everybody_at_the_beginning_in_the_middle_and_at_the_end(
    chromium: Any, page_file: Path, tell: Tell, game: str
) -> None:
    write(page_file, random_match(game, TABLES[game][-1], 7))
    judge = chromium.new_page()
    least, texts = 21.0, 0  # black on white has 21
    with opened(chromium, page_file, size=(WIDTH, 800), sharp=SHARP) as page:
        page.evaluate(BARE)
        for keys in (["Home"], ["ArrowRight"] * 17, ["End"]):
            for key in keys:
                page.keyboard.press(key)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                found = [(words, min(by_eyes)) for words, by_eyes in contrasts(page, judge, EYES)]
                assert [(words, contrast) for words, contrast in found if contrast < 4.5] == []
                least, texts = min([least, *(contrast for _, contrast in found)]), texts + len(found)
    judge.close()
    tell(f"{game}, type, seen in {len(EYES)} ways", {f"texts with a contrast of {least:.2f} or more": texts})


def test_our_eyes_see_type_as_chromium_shows_it_to_them(chromium: Any, page_file: Path) -> None:
    write(page_file, random_match("inside-job", TABLES["inside-job"][0], 7))
    judge = chromium.new_page()
    with opened(chromium, page_file, size=(WIDTH, 800), sharp=SHARP) as page:
        page.evaluate(BARE)
        ours = contrasts(page, judge, EYES)
        emulate = page.context.new_cdp_session(page)
        for number, eyes in enumerate(EYES):
            emulate.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
            seen = [contrast for _, (contrast,) in contrasts(page, judge, ["none"])]
            assert seen == pytest.approx([by_eyes[number] for _, by_eyes in ours], rel=0.02)
    judge.close()


@every_drawn_game
def test_nothing_in_a_picture_is_told_by_colour_alone(chromium: Any, page_file: Path, tell: Tell, game: str) -> None:
    goldens = [golden for golden in DRAWN_GOLDEN if golden.game == game]
    recordings = [recorded(golden_match(golden)) for golden in goldens]
    parts = sorted({part for recording in recordings for part in recording.parts})
    said = SAID_ELSEWHERE.get(game, "nothing")
    write(page_file, golden_match(goldens[0]))
    with opened(chromium, page_file) as page:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate(ALIKE, parts)
            assert [pair for pair in found if not all(said in markup for markup in pair)] == []
    tell(f"{game}, things compared without their colours", {"things": len(parts)})


def test_two_things_that_differ_in_colour_alone_are_found(chromium: Any, page_file: Path) -> None:
    write(page_file, golden_match(DRAWN_GOLDEN[0]))
    good, bad, dark = (f'<circle r="9" class="seat" transform="translate({at} 0)"/>' for at in range(3))
    parts = [f'<g class="s{seat}">{it}</g>' for seat, it in enumerate((good, good, dark.replace("9", "8")))]
    with opened(chromium, page_file) as page:
        assert [len(pair) for pair in page.evaluate(ALIKE, parts)] == [2]
        assert page.evaluate(ALIKE, [parts[0], parts[2], f'<g class="s0">{bad.replace("9", "7")}</g>']) == []
