"""A player's band: who it is, what it says or chooses, the role, and the hand."""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from referee.core.outcome import Seat
from referee.drawing.drawer import Moment
from referee.drawing.inside_job.cards import HAND_HEIGHT, hand_card, put_away
from referee.drawing.inside_job.layout import BAND_HEIGHT, BANDS, hand_pitch
from referee.drawing.inside_job.scene import Chair, Pointing, Scene, Showing
from referee.drawing.inside_job.signs import CHECK, camp_mark, coin
from referee.drawing.marks import actions, card_back, seat_mark, title
from referee.drawing.svg import Element, at, box, path, text
from referee.drawing.tokens import UNIT, WIDTH
from referee.drawing.type import fitted, width_of
from referee.games.inside_job.moves import PlayCard
from referee.games.inside_job.pieces import Card
from referee.games.inside_job.role import Role

_LEFT, _RIGHT = 10, WIDTH - 10
_NAME = 48
"""Where names begin."""
_HAND = 24
_BACK_PITCH = 14
_RAISED = 3
"""So much higher lies a card that may be played."""


class Tag(NamedTuple):
    """Something in the first line of a band, 20 units high. Its left upper corner is at 0 0."""

    width: float
    drawn: Element


def band(moment: Moment[Any], scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """The band of this player. A frame says that this player alone must act."""
    chair = scene.chairs[seat]
    tags = list(_tags(scene, seat))
    alone = scene.acting == {seat}
    frame = (box(2, 0, WIDTH - 4, BAND_HEIGHT - 2, "ij-frame", rx=8),) if alone else ()
    room = _RIGHT - _NAME - sum(tag.width + UNIT for tag in tags)
    name = fitted(moment.names[seat], room, bold=True)
    return (
        at(
            0, BANDS + seat * BAND_HEIGHT, *frame, text(_LEFT, 17, str(seat), "soft"), seat_mark(seat, 32, 12),
            text(_NAME, 17, name, "bold"), *_from_the_right(tags), *_hand(moment, chair, seat), *_put_away(chair),
        ),
    )  # fmt: skip


# The first line


def _from_the_right(tags: list[Tag]) -> Iterator[Element]:
    x: float = _RIGHT
    for tag in tags:
        x -= tag.width
        yield at(x, 2, tag.drawn)
        x -= UNIT


def _tags(scene: Scene, seat: Seat) -> Iterator[Tag]:
    """From the right to the left: the role, whether it has won, and whom it names."""
    chair = scene.chairs[seat]
    if chair.role is not None:
        yield _role(chair.role, chair.showing)
    elif scene.common.supply < _ALL_TOKENS:
        yield Tag(width_of("role hidden"), text(0, 15, "role hidden", "soft"))
    if scene.ending is not None and scene.outcome is not None and scene.outcome.places[seat] == 1:
        yield Tag(
            20 + width_of("wins", bold=True),
            at(0, 0, path(CHECK, "glyph ij-done", transform="translate(8 10)"), text(20, 15, "wins", "bold")),
        )
    # What is chosen now; if nothing is, what was just said.
    named = [pointing for pointing in scene.pointing if pointing.seat == seat]
    if named:
        yield _pointing(named[-1])


_ALL_TOKENS = 14


def _role(role: Role, showing: Showing) -> Tag:
    """The role: in a whole outline if all know it, in a dashed one if not; with a token if tokens revealed it."""
    by_tokens = showing == "by tokens"
    left = 17 if by_tokens else 0
    width = left + 36 + width_of(role.name)
    drawn = at(
        0, 0, title(f"{role.name}, {showing}"),
        box(0, 0, width, 20, "ij-secret" if showing == "secret" else "face", rx=10),
        *((coin(14, 10),) if by_tokens else ()), camp_mark(role, left + 16, 10),
        text(left + 28, 15, role.name),
    )  # fmt: skip
    return Tag(width, drawn)


def _pointing(pointing: Pointing) -> Tag:
    verb = pointing.verb.removesuffix(" for") if pointing.named else f"{pointing.verb} nobody"
    first_mark = width_of(verb) + 19
    width = width_of(verb) + 16 + 19 * len(pointing.named)
    drawn = at(
        0, 0, box(0, 0, width, 20, "face ij-frameless" if pointing.heard else "face", rx=10), text(8, 15, verb),
        *(seat_mark(seat, first_mark + 19 * number, 10) for number, seat in enumerate(pointing.named)),
        class_=None if pointing.heard else "chosen",
    )  # fmt: skip
    return Tag(width, drawn)


# The hand


def _hand(moment: Moment[Any], chair: Chair, seat: Seat) -> Iterator[Element]:
    if chair.hand is None:
        for number in range(chair.count):
            yield card_back(_LEFT + number * _BACK_PITCH, _HAND, 26, 36)
        if chair.count:
            yield text(_LEFT + chair.count * _BACK_PITCH + 20, _HAND + 24, str(chair.count), "soft")
        return
    pitch = hand_pitch(len(moment.names))
    for number, card in enumerate(chair.hand):
        own = moment if any(question.seat == seat for question in moment.asked) else None
        attributes = actions(own, partial(_plays, card)) if own else {}
        y = _HAND - _RAISED if "data_actions" in attributes else _HAND
        wager = "chosen" in attributes.values() and _with_a_token(moment)
        yield hand_card(_LEFT + number * pitch, y, pitch - 2, card, wager=wager, **attributes)


def _plays(card: Card, action: Any) -> bool:
    return isinstance(action, PlayCard) and action.card == card


def _with_a_token(moment: Moment[Any]) -> bool:
    (question,) = moment.asked
    return question.chosen is not None and question.legal[question.chosen].wager


def _put_away(chair: Chair) -> Iterator[Element]:
    """Two below each other, from the right."""
    for number, mission in enumerate(chair.put_away):
        column, row = divmod(number, 2)
        yield put_away(_RIGHT - 36 - column * 40, _HAND + 1 + row * (HAND_HEIGHT / 2), mission)
