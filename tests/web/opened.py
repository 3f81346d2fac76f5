"""A page as somebody has it before them: opened from disk, stepped through, looked at."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee.core.outcome import Seat
from referee.drawing.page.html import page_of_all, page_of_seat
from referee.drawing.registry import drawer
from referee.match.transcript import Transcript
from tests.drawing.matches import watched

TELEPHONE, DESK = (400, 800), (1400, 900)
STANDARDS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
"""What axe looks for in every page."""

GEOMETRY = (Path(__file__).parent / "geometry.js").read_text(encoding="utf-8")


def write(file: Path, transcript: Transcript, seat: Seat | None = None) -> None:
    played = watched(transcript)
    by = drawer(played.game)
    file.write_text(page_of_all(played, by) if seat is None else page_of_seat(played, by, seat), encoding="utf-8")


@contextmanager
def opened(
    chromium: Any,
    file: Path,
    fragment: str = "",
    size: tuple[int, int] = DESK,
    scheme: str = "light",
    sharp: int = 1,
) -> Iterator[Any]:
    """The page, in which nothing glides. A screenshot of it has `sharp` pixels for each pixel of the page.

    Raises:
        AssertionError: it has said something to the console, failed, or asked for anything but itself.
    """
    width, height = size
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
        device_scale_factor=sharp,
    )
    wrong: list[str] = []
    address = file.as_uri()
    page = context.new_page()
    page.on("console", lambda message: wrong.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("request", lambda request: wrong.append(request.url) if request.url != address else None)
    page.goto(address + fragment)
    wait_until(page, "#count", " / ")
    yield page
    context.close()
    assert wrong == []


def wait_until(page: Any, selector: str, text: str) -> None:
    """Wait until the text is there."""
    page.locator(selector, has_text=text).wait_for(timeout=60_000)


def resize(page: Any, size: tuple[int, int]) -> None:
    """Resize the page, and wait until its script has heard of it: a frame later."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def each_view(page: Any) -> Iterator[tuple[str, ...]]:
    """Show the page at two widths, in light and in dark. What axe looks for there: the scheme changes only colours."""
    for size in (TELEPHONE, DESK):
        resize(page, size)
        for scheme, look_for in (("light", STANDARDS), ("dark", ("color-contrast",))):
            page.emulate_media(color_scheme=scheme)
            yield look_for


def violations(page: Any, axe: str, look_for: tuple[str, ...] = STANDARDS) -> list[tuple[str, list[str]]]:
    """What axe finds in the page, by rule. It need not describe what it finds to be right, which takes it longest.

    It would load style sheets again, which the policy of a page forbids.
    """
    page.evaluate(f"window.axe || (() => {{ {axe} }})()")
    found = page.evaluate(
        "(names) => axe.run({ runOnly: names, preload: false, resultTypes: ['violations'] })", look_for
    )
    return [(it["id"], [node["html"][:200] for node in it["nodes"]]) for it in found["violations"]]


RATIO = """(button) => {
    const light = (colour) => {
        const parts = /rgba?\\(([^)]*)\\)/.exec(colour)[1].split(",").map((it) => Number(it) / 255);
        const [r, g, b] = parts.map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    let ground = button;
    while (/^rgba.*, 0\\)$/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
    const both = [getComputedStyle(button).color, getComputedStyle(ground).backgroundColor].map(light);
    return Math.max(...both) / Math.min(...both);
}"""
"""The contrast of the label of a button, or of its sign, with what lies behind it."""


def unreadable_buttons(page: Any) -> list[str]:
    """The buttons of a page whose label cannot be read at rest, with the focus, below the pointer or pressed."""
    wrong = []
    for button in page.locator("button:enabled:visible, a.button:visible").all():
        page.mouse.move(0, 0)
        ratios = [button.evaluate(RATIO)]
        button.focus()
        ratios.append(button.evaluate(RATIO))
        button.hover()
        ratios.append(button.evaluate(RATIO))
        page.mouse.down()
        ratios.append(button.evaluate(RATIO))
        page.mouse.move(0, 0)  # so that nothing is clicked
        page.mouse.up()
        if min(ratios) < 4.5:
            wrong.append(f"{button.evaluate('it => it.outerHTML')[:80]}: {min(ratios):.1f}")
    return wrong
