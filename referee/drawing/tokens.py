"""The look as values: sizes, and colours by name in light and dark. docs/design.md gives the reasons."""

from typing import NamedTuple

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
