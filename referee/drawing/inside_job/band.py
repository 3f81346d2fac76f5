"""A player's block: the name, below it the statement or choice and the role, and the hand in two rows."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from referee.core.outcome import Seat
from referee.drawing.columns import BLOCK_WIDTH
from referee.drawing.drawer import Moment
from referee.drawing.inside_job.cards import AWAY_HEIGHT, AWAY_WIDTH, hand_card, hidden_hand, put_away
from referee.drawing.inside_job.layout import BAND_HEIGHT, IN_A_ROW, PITCH, block, place_in_hand
from referee.drawing.inside_job.scene import Pointing, Scene, Showing
from referee.drawing.inside_job.signs import camp_mark, coin, verdict_mark
from referee.drawing.inside_job.texts import role_text
from referee.drawing.look import UNIT, fitted, width_of
from referee.drawing.marks import card_text, seat_mark
from referee.drawing.svg import Element, at, box, group, placed, text
from referee.games.inside_job.missions import MissionIds
from referee.games.inside_job.role import Role

_LEFT, _RIGHT = 4, BLOCK_WIDTH - 4
_NAME = 42
"""Where names begin."""
_TAGS = 20
"""The upper edge of the line below the name."""


class Tag(NamedTuple):
    """Something in the first two lines of a block, 18 units high. Its left upper corner is at 0 0."""

    width: float
    drawn: tuple[Element, ...]


def head(moment: Moment[Any], scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """The first lines of a block: mark and name of the player, and remarks about it; a frame if it alone must act."""
    wins, tags = list(_wins(scene, seat)), list(_tags(scene, seat))
    room = _RIGHT - _NAME - sum(tag.width + UNIT for tag in wins)
    frame = [box(0, 0, BLOCK_WIDTH, BAND_HEIGHT - 2, "ij-frame", rx=8)] if scene.acting == {seat} else []
    number = text(_LEFT, 16, str(seat), "soft")
    name = text(_NAME, 16, fitted(moment.names[seat], room, bold=True), "bold")
    drawn = (*frame, number, seat_mark(seat, 26, 11), name, *_from_the_right(wins, 1), *_from_the_right(tags, _TAGS))
    return placed(*block(seat), *drawn)


def hand(scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """The hand: the cards, and at its end the missions put away."""
    chair, (x, y) = scene.chairs[seat], place_in_hand(seat, 0)
    if chair.hand is None:
        return (hidden_hand(x, y + 2, chair.count),) if chair.count else ()
    cards = (hand_card(*place_in_hand(seat, number), PITCH - 2, card) for number, card in enumerate(chair.hand))
    return (*cards, *_put_away(chair.put_away, seat))


def _put_away(missions: MissionIds, seat: Seat) -> Iterator[Element]:
    """Two below each other beside the second row, from the right on."""
    y = place_in_hand(seat, IN_A_ROW)[1]
    for number, mission in enumerate(missions):
        column, row = divmod(number, 2)
        x = block(seat)[0] + BLOCK_WIDTH - (column + 1) * (AWAY_WIDTH + 4)
        yield put_away(x, y + row * (AWAY_HEIGHT + 3), mission)


# The first lines


def _from_the_right(tags: list[Tag], y: float) -> Iterator[Element]:
    x: float = _RIGHT
    for tag in tags:
        x -= tag.width
        yield at(x, y, *tag.drawn)
        x -= UNIT


def _wins(scene: Scene, seat: Seat) -> Iterator[Tag]:
    """Whether it has won."""
    if scene.ending is not None and scene.outcome is not None and scene.outcome.places[seat] == 1:
        sign = verdict_mark(8, 9, completed=True)
        yield Tag(20 + width_of("wins", bold=True), (sign, text(20, 14, "wins", "bold")))


def _tags(scene: Scene, seat: Seat) -> Iterator[Tag]:
    """From the right to the left: the role, and whom it names."""
    chair = scene.chairs[seat]
    room: float = _RIGHT - _LEFT
    if chair.role is not None:
        role = _role(chair.role, chair.showing)
        room -= role.width + UNIT
        yield role
    elif any(other.role for other in scene.chairs):  # else the roles are not dealt yet
        yield Tag(width_of("role hidden"), (text(0, 14, "role hidden", "soft"),))
    # The open choice; if there is none, the latest statement.
    named = [pointing for pointing in scene.pointing if pointing.seat == seat]
    if named:
        pointing = _pointing(named[-1], named[-1].verb.removesuffix(" for"))
        shorter = (pointing, _pointing(named[-1], ""), _pointing(named[-1], "", "\N{EN DASH}"))
        yield next((tag for tag in shorter if tag.width <= room), shorter[-1])


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


def _pointing(pointing: Pointing, verb: str, nobody: str = "nobody") -> Tag:
    """Whom a player names, if there is room after what the player does."""
    verb = verb if pointing.named else f"{verb and pointing.verb} {nobody}".lstrip()
    first_mark = width_of(verb) + 19
    width = width_of(verb) + 16 + 19 * len(pointing.named)
    look = "face ij-frameless" if pointing.is_public else "face"
    marks = (seat_mark(named, first_mark + 19 * number, 9) for number, named in enumerate(pointing.named))
    frame = box(0, 0, width, 18, look, rx=9)
    return Tag(width, (group(frame, text(8, 14, verb), *marks, class_=None if pointing.is_public else "chosen"),))
