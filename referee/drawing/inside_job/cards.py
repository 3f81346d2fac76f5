"""Cards of the game: to play, in hands and on the table, and missions."""

from referee.drawing.inside_job.layout import CENTRE_WIDTH, LAID_HEIGHT, LAID_WIDTH
from referee.drawing.inside_job.signs import coin, large_suit_mark, suit_mark
from referee.drawing.inside_job.texts import mission_text
from referee.drawing.look import in_two_lines
from referee.drawing.marks import card_back, card_text, title
from referee.drawing.svg import Element, at, box, group, path, text
from referee.games.inside_job.common import Laid
from referee.games.inside_job.describe import CARDS
from referee.games.inside_job.missions import MISSIONS, MissionId
from referee.games.inside_job.pieces import SUIT, VALUE, Card

HAND_HEIGHT = 40
MISSION_HEIGHT = 46
_ID_WIDTH = 42
AWAY_WIDTH, AWAY_HEIGHT = 36, 18
_FAN_PITCH, _FAN_HEIGHT = 14, 36


def hand_card(x: float, y: float, width: float, card: Card) -> Element:
    """A card in a hand, its left upper corner here."""
    return at(
        x, y, box(0, 0, width, HAND_HEIGHT, "face", rx=5), text(width / 2, 16, str(VALUE[card]), "mid bold"),
        suit_mark(SUIT[card], width / 2, 29), data_piece=f"card-{card}",
    )  # fmt: skip


def hidden_hand(x: float, y: float, count: int) -> Element:
    """A fan of cards face down, and how many they are. Its left upper corner is here."""
    width = 26 + (count - 1) * _FAN_PITCH
    edges = (path(f"M{number * _FAN_PITCH} 0v{_FAN_HEIGHT}", "ij-edges") for number in range(1, count))
    back, number = card_back(0, 0, width, _FAN_HEIGHT), text(width + 8, 23, str(count), "soft")
    return at(x, y, back, *edges, number)


def laid_card(x: float, y: float, laid: Laid, *, wins: bool) -> Element:
    """A card on the table, its middle here."""
    left, top = -LAID_WIDTH / 2, -LAID_HEIGHT / 2
    return at(
        x, y, title(_name(laid, wins=wins)),
        box(left, top, LAID_WIDTH, LAID_HEIGHT, "face ij-best" if wins else "face", rx=6),
        text(0, -2, str(VALUE[laid.card]), "mid big"), *_large_suit(laid), data_piece=f"card-{laid.card}",
    )  # fmt: skip


def _name(laid: Laid, *, wins: bool) -> str:
    return CARDS[laid.card] + (" with a token" if laid.wager else "") + (", the best" if wins else "")


def _large_suit(laid: Laid) -> tuple[Element, ...]:
    if not laid.wager:
        return (large_suit_mark(SUIT[laid.card], 0, 13),)
    return large_suit_mark(SUIT[laid.card], -8, 13), coin(10, 13, 7)


def mission_card(mission: MissionId, **attributes: str | None) -> Element:
    """A mission: its trump suit, its id, and its condition. Its left upper corner is at 0 0."""
    it = MISSIONS[mission]
    lines = in_two_lines(it.text, CENTRE_WIDTH - _ID_WIDTH - 2)
    first = 20 if len(lines) > 1 else 28
    return group(
        card_text(mission_text(mission)),
        box(0, 0, CENTRE_WIDTH, MISSION_HEIGHT, "face", rx=6),
        large_suit_mark(it.trump, _ID_WIDTH / 2, 14),
        text(_ID_WIDTH / 2, 37, mission, "mid soft"),
        *(text(_ID_WIDTH, first + 17 * row, line) for row, line in enumerate(lines)),
        **attributes,
        data_piece=f"mission-{mission}",
    )


def mission_back() -> Element:
    """A mission face down."""
    return card_back(0, 0, CENTRE_WIDTH, MISSION_HEIGHT)


def put_away(x: float, y: float, mission: MissionId) -> Element:
    """A mission that its leader put away, small. Only that leader knows it. Its left upper corner is here."""
    tooltip = card_text(mission_text(mission))
    frame = box(0, 0, AWAY_WIDTH, AWAY_HEIGHT, "ij-secret", rx=3)
    return at(x, y, tooltip, frame, text(AWAY_WIDTH / 2, 14, mission, "mid"))
