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
