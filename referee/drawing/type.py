"""How wide a line of type is at most, so that foreign words fit their place.

Nobody knows here which font a reader has. The widths are those of DejaVu Sans, the widest of the usual ones, rounded
up; so a line may be a little shorter than its place, and is never longer.
"""

from unicodedata import east_asian_width

from referee.core.printable import one_line
from referee.drawing.tokens import SMALL

_NARROW = frozenset("ijl.,:;'|!()[]{}ft -r/\\`I")
_WIDE = frozenset("mwMW@%&—…")
_BOLD = 1.1


def width_of(words: str, size: float = SMALL, *, bold: bool = False) -> float:
    """At most so many units wide is this line of type."""
    return sum(map(_of_a_letter, words)) * size * (_BOLD if bold else 1)


def fitted(words: str, width: float, size: float = SMALL, *, bold: bool = False) -> str:
    """The words, or as many letters of them as fit, and `…`. Foreign words become one line without controls."""
    line = one_line(words[: int(width)])  # no letter that shows is narrower than a unit
    if len(line) == len(words) and width_of(line, size, bold=bold) <= width:
        return line
    while line and width_of(f"{line}…", size, bold=bold) > width:
        line = line[:-1]
    return f"{line.rstrip()}…"


def _of_a_letter(letter: str) -> float:
    if letter in _NARROW:
        return 0.42
    if letter in _WIDE:
        return 1.02
    if ord(letter) > 0x2FF:
        return 1.1 if east_asian_width(letter) in "WF" else 0.9
    return 0.72 if letter.isupper() else 0.65
