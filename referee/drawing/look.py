"""The look as values: sizes, colours by name in light and dark, and how wide a line of type is at most.

docs/internals/design.md gives the reasons. This module cannot know which font a reader has. The widths are those of
DejaVu Sans, the widest of the usual ones, rounded up. So a line may be a little shorter than its place, and is never
longer.
"""

from bisect import bisect_right
from typing import NamedTuple

from referee.drawing.svg import plain

WIDTH = 480
"""The width of every picture, in units. A page of 400 pixels shows it on 384, and no wider page on fewer."""

UNIT = 8
"""Distances are multiples of this, or halves."""

SMALL = 14
"""The smallest type, in units: at least 11.2 pixels."""

MOST_SEATS = 6
"""The number of seats that have a colour and a shape of their own."""


class Colour(NamedTuple):
    """A colour in light and in dark surroundings."""

    light: str
    dark: str


COLOURS = {
    # Surfaces and ink
    "ground": Colour("#f4f3ef", "#15171a"),
    "panel": Colour("#ffffff", "#1e2125"),
    "sunk": Colour("#ebe9e3", "#292d32"),
    "line": Colour("#d5d2ca", "#3a3f46"),
    "edge": Colour("#807c74", "#7d858f"),  # 3:1 on panel and ground: what is seen only by its outline
    "ink": Colour("#1b1e23", "#eceef0"),
    "soft": Colour("#5a5f68", "#a9b0b9"),
    # The one accent: what is chosen, where the keyboard is, where one is in the match
    "accent": Colour("#0b57d0", "#8ab4f8"),
    "glow": Colour("#e3ecfc", "#24334f"),
    # Seats, from Okabe and Ito; darker for light surroundings where 3:1 asks for it
    "seat-0": Colour("#0072b2", "#56b4e9"),
    "seat-1": Colour("#d55e00", "#ff9a5c"),
    "seat-2": Colour("#00805e", "#2fc79b"),
    "seat-3": Colour("#a8508a", "#e59fc6"),
    "seat-4": Colour("#8a6d00", "#f0cf44"),
    "seat-5": Colour("#4a4f57", "#c3c9d1"),
    # Meanings that games share
    "good": Colour("#00805e", "#2fc79b"),
    "bad": Colour("#c2410c", "#ff8a5c"),
    "gold": Colour("#8a6d00", "#f0cf44"),
    "fire": Colour("#d55e00", "#ff9a5c"),
}

FONT = "system-ui,sans-serif"


def variables() -> str:
    """The colours as variables of a style sheet, for both kinds of surroundings: `var(--ink)`."""
    light, dark = (_declared([colour[at] for colour in COLOURS.values()]) for at in (0, 1))
    return (
        f":root{{color-scheme:light dark;{light}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"@media print{{:root{{color-scheme:light;{light}}}}}"
    )


def _declared(values: list[str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in zip(COLOURS, values, strict=True))


_SEATS = "".join(f".s{seat}{{--seat:var(--seat-{seat})}}" for seat in range(MOST_SEATS))

PICTURE = (
    f"svg.board{{font:400 {SMALL}px/1 {FONT};font-variant-numeric:tabular-nums}}"
    ".board .ground{fill:var(--panel)}"
    ".board text{fill:var(--ink)}"
    ".board .soft{fill:var(--soft)}"
    ".board .bold{font-weight:650}"
    ".board .big{font-size:24px;font-weight:650}"
    ".board .mono{font-family:ui-monospace,monospace;white-space:pre}"
    ".board .mid{text-anchor:middle}"
    ".board .end{text-anchor:end}"
    ".board .face{fill:var(--panel);stroke:var(--edge);stroke-width:1.5}"
    ".board .back{fill:var(--sunk);stroke:var(--edge);stroke-width:1.5}"
    ".board .hatch{fill:none;stroke:var(--edge);stroke-width:1.5;opacity:.55}"
    ".board .glyph{fill:none;stroke:var(--ink);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}"
    ".board .seat{fill:var(--seat)}"
    ".board .seatline{fill:none;stroke:var(--seat);stroke-width:2.5}"
    ".board [data-actions] .face,.board [data-actions] .back{stroke:var(--accent);stroke-width:2.5}"
    ".board .chosen .face,.board .chosen .back{stroke:var(--accent);stroke-width:3.5}"
    ".board .chosen .face{fill:var(--glow)}" + _SEATS
)
"""The style sheet that all pictures share."""


def still_style(of_the_game: str) -> str:
    """All that a picture needs to stand alone."""
    return f"{variables()}{PICTURE}{of_the_game}"


_REGULAR = {
    0.28: "'ijl",
    0.32: " IJ,.·",
    0.34: "/:;\\|",
    0.36: "f",
    0.42: "-()[]t!r",
    0.5: '*_`\u2013"',
    0.54: "?sz",
    0.58: "FkLc",
    0.6: "vxy",
    0.64: "0123456789$ESbdghnpqu{}PTYaeo",
    0.7: "ABCRVXZK",
    0.78: "&DGUHN",
    0.82: "wOQ",
    0.88: "M#+<=>^~\u00d7\u2212",
    1.0: "@W…—m%",
}
_BOLD = {
    0.36: "' ijl",
    0.4: ",./IJ\\|·:;",
    0.46: "-f!()[]",
    0.5: "_`r\u2013t",
    0.54: '"*',
    0.6: "?csz",
    0.68: "vxyLaek",
    0.72: "0123456789$EFTobdghnpqu{}",
    0.78: "ABKRVXCPSYZ",
    0.88: "#+<=>DGHNU^~\u00d7\u2212OQ&",
    1.0: "@M…—w",
    1.12: "Wm%",
}
_REGULAR_WIDTHS, _BOLD_WIDTHS = (
    {letter: width for width, letters in table.items() for letter in letters} for table in (_REGULAR, _BOLD)
)
_OTHER = 1.25
"""A letter of another script."""


def width_of(words: str, size: float = SMALL, *, bold: bool = False) -> float:
    """At most so many units wide is this line of type."""
    widths = _BOLD_WIDTHS if bold else _REGULAR_WIDTHS
    return sum(widths.get(letter, _OTHER) for letter in words) * size


def fitted(words: str, width: float, size: float = SMALL, *, bold: bool = False) -> str:
    """The words, or as many characters of them as fit, and `…`. Foreign words become one line without controls."""
    line = plain(words[: int(width)])  # no letter is narrower than a unit
    if len(words) <= int(width) and width_of(line, size, bold=bold) <= width:
        return line
    lengths = range(1, len(line) + 1)
    fit = bisect_right(lengths, width, key=lambda length: width_of(f"{line[:length]}…", size, bold=bold))
    return f"{line[:fit].rstrip()}…"


def in_two_lines(words: str, width: float, size: float = SMALL, *, bold: bool = False) -> tuple[str, ...]:
    """The words on one line if they fit, else on two, broken at the blank that makes them most alike."""
    if width_of(words, size, bold=bold) <= width or " " not in words:
        return (fitted(words, width, size, bold=bold),)
    blanks = [at for at, letter in enumerate(words) if letter == " "]
    broken = min(blanks, key=lambda at: abs(len(words) - 1 - 2 * at))
    return tuple(fitted(part, width, size, bold=bold) for part in (words[:broken], words[broken + 1 :]))
