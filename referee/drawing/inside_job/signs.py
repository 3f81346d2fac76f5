"""Signs: one for each suit, the token, and what else is told without words. All are our own lines around 0 0."""

from referee.drawing.marks import title
from referee.drawing.svg import Element, at, dot, element, path
from referee.games.inside_job.ending import Camp
from referee.games.inside_job.pieces import Suit
from referee.games.inside_job.role import Role

_SUITS = {
    # a star
    Suit.YELLOW: "M0 -10L2.9 -3.6L9.8 -2.9L4.6 1.8L6.1 8.6L0 5.1L-6.1 8.6L-4.6 1.8L-9.8 -2.9L-2.9 -3.6Z",
    # a leaf
    Suit.GREEN: "M9 -9C10 5 3 11 -6 7L-9 10L-10 8L-7 5C-11 -4 -5 -10 9 -9Z",
    # a drop
    Suit.BLUE: "M0 -10Q7.5 -1 7.5 3.5A7.5 6.8 0 0 1 -7.5 3.5Q-7.5 -1 0 -10Z",
    # a flash
    Suit.RED: "M3 -10L-7 2H-1.5L-3 10L7 -2.5H1.5Z",
}

_CAMPS = {
    # a shield
    Camp.AGENTS: "M0 -7L6 -5V0Q5.5 5 0 7.5Q-5.5 5 -6 0V-5Z",
    # an eye
    Camp.INSIDER: "M-8 0Q0 -10 8 0Q0 10 -8 0ZM-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z",
    # scales
    None: "M0 -7V7M-4 7H4M-7 -4H7M-7 -4L-9 2H-5ZM7 -4L9 2H5Z",
}

CROWN = "M-8 5V-5L-4 0L0 -6L4 0L8 -5V5Z"
CHECK = "M-6 0L-2 4L6 -5"
CROSS = "M-5 -5L5 5M5 -5L-5 5"
RINGS = "M1 0A4.5 4.5 0 1 1 -8 0A4.5 4.5 0 1 1 1 0ZM8 0A4.5 4.5 0 1 1 -1 0A4.5 4.5 0 1 1 8 0Z"


def suit_class(suit: Suit) -> str:
    """The class that makes `ij-suit` and `ij-felt` the colour of this suit."""
    return f"ij-{suit.name.lower()}"


def suit_mark(suit: Suit, x: float, y: float, r: float = 7) -> Element:
    """The shape of a suit in its colour."""
    where = f"translate({x:.1f} {y:.1f}) scale({r / 10:.2f})"
    return element("path", d=_SUITS[suit], class_=f"ij-suit {suit_class(suit)}", transform=where)


def coin(x: float, y: float, r: float = 5) -> Element:
    """A token."""
    return at(x, y, dot(0, 0, r, "ij-coin"), dot(0, 0, r / 2.5, "ij-hole"))


def camp_mark(role: Role, x: float, y: float) -> Element:
    """The sign of the camp that a role wins with, or of a neutral role."""
    words = "wins by a rule of its own" if role.camp is None else f"wins with the {role.camp}"
    return at(x, y, title(words), path(_CAMPS[role.camp], "glyph ij-thin"))


def verdict_mark(x: float, y: float, *, completed: bool) -> Element:
    """The sign of a mission that was completed, or failed."""
    return at(x, y, path(CHECK if completed else CROSS, "glyph ij-done" if completed else "glyph ij-failed"))
