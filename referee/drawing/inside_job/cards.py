"""Cards of the game: to play, in hands and on the table, and missions."""

from referee.drawing.inside_job.layout import CENTRE_WIDTH, LAID_HEIGHT, LAID_WIDTH
from referee.drawing.inside_job.signs import coin, suit_mark
from referee.drawing.marks import card_back, title
from referee.drawing.svg import Element, at, box, group, text
from referee.drawing.type import fitted, in_two_lines
from referee.games.inside_job.common import Laid
from referee.games.inside_job.describe import CARDS
from referee.games.inside_job.missions import MISSIONS, MissionId
from referee.games.inside_job.pieces import SUIT, VALUE, Card

HAND_HEIGHT = 40
MISSION_HEIGHT = 46
_ID_WIDTH = 42


def hand_card(x: float, y: float, width: float, card: Card, *, wager: bool, **attributes: str | None) -> Element:
    """A card in a hand, with a token if it is about to be played with one. Its left upper corner is here."""
    return at(
        x, y, title(_name(card, wager=wager)), box(0, 0, width, HAND_HEIGHT, "face", rx=5),
        text(width / 2, 16, str(VALUE[card]), "mid bold"), *_suit(card, width / 2, 29, 6.5, wager=wager),
        **attributes, data_piece=f"card-{card}",
    )  # fmt: skip


def laid_card(x: float, y: float, laid: Laid, *, wins: bool) -> Element:
    """A card on the table, its middle here."""
    left, top = -LAID_WIDTH / 2, -LAID_HEIGHT / 2
    return at(
        x, y, title(_name(laid.card, wager=laid.wager) + (", the best" if wins else "")),
        box(left, top, LAID_WIDTH, LAID_HEIGHT, "face ij-best" if wins else "face", rx=6),
        text(0, -2, str(VALUE[laid.card]), "mid big"), *_suit(laid.card, 0, 13, 8.5, wager=laid.wager),
        data_piece=f"card-{laid.card}",
    )  # fmt: skip


def _name(card: Card, *, wager: bool) -> str:
    return CARDS[card] + (" with a token" if wager else "")


def _suit(card: Card, x: float, y: float, r: float, *, wager: bool) -> tuple[Element, ...]:
    """The suit, and the token beside it."""
    if not wager:
        return (suit_mark(SUIT[card], x, y, r),)
    return suit_mark(SUIT[card], x - r, y, r), coin(x + r, y, 0.8 * r)


def mission_card(mission: MissionId, **attributes: str | None) -> Element:
    """A mission: its trump suit, its id, and what it asks for. Its left upper corner is at 0 0."""
    it = MISSIONS[mission]
    lines = in_two_lines(it.text, CENTRE_WIDTH - _ID_WIDTH - 2)
    first = 20 if len(lines) > 1 else 28
    return group(
        box(0, 0, CENTRE_WIDTH, MISSION_HEIGHT, "face", rx=6),
        suit_mark(it.trump, _ID_WIDTH / 2, 14, 8),
        text(_ID_WIDTH / 2, 37, mission, "mid soft"),
        *(text(_ID_WIDTH, first + 17 * row, line) for row, line in enumerate(lines)),
        **attributes,
        data_piece=f"mission-{mission}",
    )


def mission_back() -> Element:
    """A mission face down."""
    return card_back(0, 0, CENTRE_WIDTH, MISSION_HEIGHT)


def put_away(x: float, y: float, mission: MissionId) -> Element:
    """A mission that its leader put away, small. Only who put it away knows it."""
    it = MISSIONS[mission]
    told = title(f"put away: {mission}, {it.text}; trump {it.trump.name.lower()}")
    return at(x, y, told, box(0, 0, 36, 18, "ij-secret", rx=3), text(18, 14, fitted(mission, 36), "mid soft"))
