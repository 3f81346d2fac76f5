"""How wide a line of type is at most, so that words fit their place.

This module cannot know which font a reader has. The widths are those of DejaVu Sans, the widest of the usual ones,
rounded up. So a line may be a little shorter than its place, and is never longer.
"""

from bisect import bisect_right

from referee.drawing.svg import plain
from referee.drawing.tokens import SMALL

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
