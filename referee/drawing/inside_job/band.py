"""A player's band: the name, the statement or choice, the role, and the hand."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from referee.core.outcome import Seat
from referee.drawing.drawer import Moment
from referee.drawing.inside_job.cards import AWAY_HEIGHT, AWAY_WIDTH, hand_card, hidden_hand, put_away
from referee.drawing.inside_job.layout import BAND_HEIGHT, BANDS, hand_pitch
from referee.drawing.inside_job.scene import Pointing, Scene, Showing
from referee.drawing.inside_job.signs import camp_mark, coin, verdict_mark
from referee.drawing.inside_job.texts import role_text
from referee.drawing.look import UNIT, WIDTH, fitted, width_of
from referee.drawing.marks import card_text, seat_mark
from referee.drawing.svg import Element, at, box, group, text
from referee.games.inside_job.missions import MissionIds
from referee.games.inside_job.role import Role

_LEFT, _RIGHT = 10, WIDTH - 10
_NAME = 48
"""Where names begin."""
HAND_LEFT = 10
"""Where hands begin."""


class Tag(NamedTuple):
    """Something in the first line of a band, 18 units high. Its left upper corner is at 0 0."""

    width: float
    drawn: tuple[Element, ...]


def head(moment: Moment[Any], scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """The first line of a band: the name of the player, and remarks about it."""
    tags = list(_tags(scene, seat))
    room = _RIGHT - _NAME - sum(tag.width + UNIT for tag in tags)
    name = text(_NAME, _top(seat) + 18, fitted(moment.names[seat], room, bold=True), "bold")
    return (name, *_from_the_right(tags, _top(seat) + 2))


def marks(seats: int) -> tuple[Element, ...]:
    """The number and the mark of each player, before the name."""
    return tuple(
        at(0, _top(seat), text(_LEFT, 18, str(seat), "soft"), seat_mark(seat, 32, 13)) for seat in range(seats)
    )


def frame(scene: Scene) -> tuple[Element, ...]:
    """A frame round the band of the one player that must act."""
    if len(scene.acting) != 1:
        return ()
    (seat,) = scene.acting
    return (box(2, _top(seat) - 1, WIDTH - 4, BAND_HEIGHT - 1, "ij-frame", rx=8),)


def hand(scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """The second line: the cards, and the missions put away."""
    chair, pitch, y = scene.chairs[seat], hand_pitch(len(scene.chairs)), hand_top(seat)
    if chair.hand is None:
        return (hidden_hand(HAND_LEFT, y + 2, chair.count),) if chair.count else ()
    cards = (hand_card(HAND_LEFT + number * pitch, y, pitch - 2, card) for number, card in enumerate(chair.hand))
    return (*cards, *_put_away(chair.put_away, y + 2))


def _put_away(missions: MissionIds, y: float) -> Iterator[Element]:
    """Two below each other, from the right."""
    for number, mission in enumerate(missions):
        column, row = divmod(number, 2)
        yield put_away(_RIGHT - AWAY_WIDTH - column * (AWAY_WIDTH + 6), y + row * (AWAY_HEIGHT + 3), mission)


def hand_top(seat: Seat) -> float:
    """The upper edge of a hand."""
    return _top(seat) + 24


def _top(seat: Seat) -> float:
    return BANDS + seat * BAND_HEIGHT


# The first line


def _from_the_right(tags: list[Tag], y: float) -> Iterator[Element]:
    x: float = _RIGHT
    for tag in tags:
        x -= tag.width
        yield at(x, y, *tag.drawn)
        x -= UNIT


def _tags(scene: Scene, seat: Seat) -> Iterator[Tag]:
    """From the right to the left: the role, whether it has won, and whom it names."""
    chair = scene.chairs[seat]
    if chair.role is not None:
        yield _role(chair.role, chair.showing)
    elif any(other.role for other in scene.chairs):  # else the roles are not dealt yet
        yield Tag(width_of("role hidden"), (text(0, 14, "role hidden", "soft"),))
    if scene.ending is not None and scene.outcome is not None and scene.outcome.places[seat] == 1:
        sign = verdict_mark(8, 9, completed=True)
        yield Tag(20 + width_of("wins", bold=True), (sign, text(20, 14, "wins", "bold")))
    # The open choice; if there is none, the latest statement.
    named = [pointing for pointing in scene.pointing if pointing.seat == seat]
    if named:
        yield _pointing(named[-1])


def _role(role: Role, showing: Showing) -> Tag:
    """The role: in a whole outline if all know it, in a dashed one if not; with a token if tokens revealed it."""
    by_tokens = showing == "by tokens"
    left = 17 if by_tokens else 0
    width = left + 38 + width_of(role.name)
    frame = box(0, 0, width, 18, "ij-secret" if showing == "secret" else "face", rx=9)
    token = (coin(14, 9),) if by_tokens else ()
    drawn = group(
        card_text(role_text(role)), frame, *token, camp_mark(role, left + 16, 9), text(left + 30, 14, role.name)
    )
    return Tag(width, (drawn,))


def _pointing(pointing: Pointing) -> Tag:
    verb = pointing.verb.removesuffix(" for") if pointing.named else f"{pointing.verb} nobody"
    first_mark = width_of(verb) + 19
    width = width_of(verb) + 16 + 19 * len(pointing.named)
    look = "face ij-frameless" if pointing.is_public else "face"
    marks = (seat_mark(named, first_mark + 19 * number, 9) for number, named in enumerate(pointing.named))
    frame = box(0, 0, width, 18, look, rx=9)
    return Tag(width, (group(frame, text(8, 14, verb), *marks, class_=None if pointing.is_public else "chosen"),))
