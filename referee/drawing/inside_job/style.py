"""The style sheet of Inside Job."""

from referee.drawing.inside_job.signs import suit_class
from referee.games.inside_job.pieces import Suit

_COLOURS = {Suit.YELLOW: "gold", Suit.GREEN: "seat-2", Suit.BLUE: "seat-0", Suit.RED: "bad"}

STYLE = (
    ".board .ground{fill:var(--panel)}"
    ".ij-suit{fill:var(--suit)}"
    ".ij-table{fill:var(--sunk);stroke:var(--line);stroke-width:2}"
    ".ij-felt{fill:var(--suit,none);stroke:var(--suit,none);stroke-width:4;fill-opacity:.16}"
    ".board .ij-coin{fill:var(--gold);stroke:var(--ink);stroke-width:1}"
    ".ij-hole{fill:var(--panel)}"
    ".ij-empty{fill:none;stroke:var(--edge);stroke-width:1;stroke-dasharray:2 3}"
    ".board .ij-thin{stroke-width:1.5}"
    ".board .ij-done{stroke:var(--good);stroke-width:3}"
    ".board .ij-failed{stroke:var(--bad);stroke-width:3}"
    ".board .ij-best,.board .ij-new{stroke:var(--ink);stroke-width:3}"
    ".board .ij-turn{stroke:var(--ink);stroke-width:2.5}"
    ".board .ij-accused{stroke:var(--bad);stroke-width:4}"
    ".ij-secret{fill:var(--panel);stroke:var(--edge);stroke-width:1.5;stroke-dasharray:4 3}"
    ".ij-frame{fill:none;stroke:var(--ink);stroke-width:2.5}"
    ".ij-slot{fill:none;stroke:var(--edge);stroke-width:1.5}"
    ".ij-goal{fill:var(--ink);stroke:var(--ink);stroke-width:1.5}"
    ".ij-pill{fill:var(--panel)}"
    ".ij-result{fill:var(--panel);stroke:var(--accent);stroke-width:2.5}"
    ".board .ij-frameless{stroke:none}"
    ".board .ij-suspects{stroke-dasharray:7 5}"
) + "".join(f".{suit_class(suit)}{{--suit:var(--{colour})}}" for suit, colour in _COLOURS.items())
