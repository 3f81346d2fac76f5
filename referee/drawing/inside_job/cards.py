"""Cards of the game: to play, in hands and on the table, and missions."""

from referee.drawing.inside_job.layout import CENTRE_WIDTH, LAID_HEIGHT, LAID_WIDTH
from referee.drawing.inside_job.signs import coin, hatched, large_suit_mark, outline, suit_marks
from referee.drawing.marks import title
from referee.drawing.svg import Element, at, box, element, group, path, text
from referee.drawing.type import in_two_lines
from referee.games.inside_job.common import Laid
from referee.games.inside_job.describe import CARDS
from referee.games.inside_job.missions import MISSIONS, MissionId, MissionIds
from referee.games.inside_job.pieces import SUIT, VALUE, Cards

HAND_HEIGHT = 40
MISSION_HEIGHT = 46
_ID_WIDTH = 42
FAN_PITCH, BACK_HEIGHT = 14, 36


def open_hand(cards: Cards, pitch: float) -> tuple[Element, ...]:
    """Cards face up side by side, `pitch` from one to the next. The left upper corner of the first is at 0 0."""
    middles = [number * pitch + (pitch - 2) / 2 for number in range(len(cards))]
    lying = list(zip(cards, middles, strict=True))
    faces = "".join(outline(number * pitch, 0, pitch - 2, HAND_HEIGHT) for number in range(len(cards)))
    values = (element("text", str(VALUE[card]), x=middle) for card, middle in lying)
    marks = suit_marks((SUIT[card], middle, 29) for card, middle in lying)
    return path(faces, "face"), at(0, 16, *values, class_="mid bold"), *marks


def hidden_hand(count: int) -> tuple[Element, ...]:
    """A fan of cards face down, hatched, and how many they are."""
    width = 26 + (count - 1) * FAN_PITCH
    edges = (path(f"M{FAN_PITCH - 1} 18h{(count - 1) * FAN_PITCH - 1}", "ij-edges"),) if count > 1 else ()
    fan = path(outline(0, 0, width, BACK_HEIGHT), "back")
    return fan, hatched(width, BACK_HEIGHT), *edges, text(width + 8, 23, str(count), "soft")


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
    """A mission: its trump suit, its id, and what it asks for. Its left upper corner is at 0 0."""
    it = MISSIONS[mission]
    lines = in_two_lines(it.text, CENTRE_WIDTH - _ID_WIDTH - 2)
    first = 20 if len(lines) > 1 else 28
    return group(
        box(0, 0, CENTRE_WIDTH, MISSION_HEIGHT, "face", rx=6),
        large_suit_mark(it.trump, _ID_WIDTH / 2, 14),
        text(_ID_WIDTH / 2, 37, mission, "mid soft"),
        *(text(_ID_WIDTH, first + 17 * row, line) for row, line in enumerate(lines)),
        **attributes,
        data_piece=f"mission-{mission}",
    )


def mission_back() -> Element:
    """A mission face down."""
    return group(box(0, 0, CENTRE_WIDTH, MISSION_HEIGHT, "back", rx=6), hatched(CENTRE_WIDTH, MISSION_HEIGHT))


def put_away(missions: MissionIds) -> tuple[Element, ...]:
    """Missions that their leader put away, two below each other, from the right. The right upper corner is at 0 0."""
    corners = [(-40 * (number // 2) - 36, 20 * (number % 2)) for number in range(len(missions))]
    names = (text(x + 18, y + 14, mission) for (x, y), mission in zip(corners, missions, strict=True))
    outlines = "".join(f"M{x} {y}h36v18h-36z" for x, y in corners)
    told = title("put away: " + ", ".join(f"{mission}, {MISSIONS[mission].text}" for mission in missions))
    return told, path(outlines, "ij-secret"), group(*names, class_="mid")
