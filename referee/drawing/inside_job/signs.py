"""Signs: one for each suit, the token, and all else that needs no words. We drew all of them ourselves."""

from referee.drawing.svg import Element, at, dot, group, path
from referee.games.inside_job.ending import Camp
from referee.games.inside_job.pieces import Suit
from referee.games.inside_job.role import Role

_SUITS = {
    # a star
    Suit.YELLOW: (0, -7, "l2 5h5l-4 3 2 5-5-3-5 3 2-5-4-3h5z"),
    # a leaf
    Suit.GREEN: (6, -6, "c1 9-4 13-10 11l-2 2-1-1 2-2c-3-7 2-11 11-10z"),
    # a drop
    Suit.BLUE: (0, -7, "q5 6 5 9a5 5 0 0 1-10 0q0-3 5-9z"),
    # a flash
    Suit.RED: (2, -7, "l-7 9h4l-2 6 7-10h-4z"),
}
"""The first point of each shape, relative to its middle, and the strokes from there."""

_CAMPS = {
    # a shield
    Camp.AGENTS: "M0 -7L6 -5V0Q5.5 5 0 7.5Q-5.5 5 -6 0V-5Z",
    # an eye
    Camp.INSIDER: "M-8 0Q0 -10 8 0Q0 10 -8 0ZM-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z",
    # scales
    None: "M0 -7V7M-4 7H4M-7 -4H7M-7 -4L-9 2H-5ZM7 -4L9 2H5Z",
}

CROWN = "M-8 5V-5L-4 0L0 -6L4 0L8 -5V5Z"
RINGS = "M1 0A4.5 4.5 0 1 1 -8 0A4.5 4.5 0 1 1 1 0ZM8 0A4.5 4.5 0 1 1 -1 0A4.5 4.5 0 1 1 8 0Z"


def suit_class(suit: Suit) -> str:
    """The class of the shape of a suit."""
    return f"ij-{suit.name.lower()}"


def felt_class(trump: Suit) -> str:
    """The class of the table while this suit is trump."""
    return f"ij-on-{trump.name.lower()}"


def suit_mark(suit: Suit, x: float, y: float) -> Element:
    """The shape of a suit in its colour, 14 units high, its middle here."""
    first_x, first_y, rest = _SUITS[suit]
    return path(f"M{x + first_x:g} {y + first_y:g}{rest}", suit_class(suit))


def large_suit_mark(suit: Suit, x: float, y: float) -> Element:
    """The same, 18 units high."""
    return group(suit_mark(suit, 0, 0), transform=f"translate({x:g} {y:g}) scale(1.3)")


def coin(x: float, y: float, r: float = 5) -> Element:
    """A token."""
    return at(x, y, dot(0, 0, r, "ij-coin"), dot(0, 0, r / 2.5, "ij-hole"))


def camp_mark(role: Role, x: float, y: float) -> Element:
    """The sign of the camp that a role wins with, or of a neutral role."""
    return at(x, y, path(_CAMPS[role.camp], "glyph ij-thin"))


def verdict_mark(x: float, y: float, *, completed: bool) -> Element:
    """The sign of a mission that was completed, or failed; of a player, that it wins."""
    if completed:
        return path(f"M{x - 6:g} {y:g}l4 4 8-9", "glyph ij-done")
    return path(f"M{x - 5:g} {y - 5:g}l10 10m0-10l-10 10", "glyph ij-failed")
