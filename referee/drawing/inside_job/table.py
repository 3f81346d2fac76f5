"""The round table: its plates with marks and tokens, the cards of the trick, and who names whom."""

from collections import Counter
from functools import partial
from math import hypot
from typing import Any

from referee.core.outcome import Seat
from referee.drawing.drawer import Moment
from referee.drawing.inside_job.cards import laid_card
from referee.drawing.inside_job.centre import winner_of
from referee.drawing.inside_job.layout import MARGIN, PLACES, PLATE_HEIGHT, PLATE_WIDTH, TABLE
from referee.drawing.inside_job.scene import Pointing, Scene
from referee.drawing.inside_job.signs import CROWN, RINGS, coin, suit_class
from referee.drawing.marks import actions, seat_class, seat_mark, title
from referee.drawing.svg import Element, at, box, dot, group, path, text
from referee.drawing.tokens import WIDTH
from referee.games.inside_job.missions import MISSIONS
from referee.games.inside_job.moves import ChoosePartner, PlayCard, Suspect, Vote

_SLOT = 12


def felt(scene: Scene) -> tuple[Element, ...]:
    """The table, in the colour of the trump suit."""
    tinted = suit_class(MISSIONS[scene.trick.mission].trump) if scene.trick else None
    shape = partial(box, MARGIN + 32, TABLE + 26, WIDTH - 2 * MARGIN - 64, 310, rx=150)
    return (group(shape("ij-table"), shape("ij-felt"), class_=tinted),)


def trick(scene: Scene) -> tuple[Element, ...]:
    """The cards in front of their players. The best so far has a strong outline."""
    if scene.trick is None or not scene.trick.laid:
        return ()
    best, seats = winner_of(scene.trick, len(scene.chairs)), len(scene.chairs)
    players = [(scene.trick.leader + turn) % seats for turn in range(len(scene.trick.laid))]
    return tuple(
        laid_card(PLACES[seats][seat].card_x, TABLE + PLACES[seats][seat].card_y, laid, wins=seat == best)
        for seat, laid in zip(players, scene.trick.laid, strict=True)
    )


# Plates


def plate(moment: Moment[Any], scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """A player's place: the mark, who leads, who is the Accomplice's partner, and the tokens."""
    place = PLACES[len(scene.chairs)][seat]
    left, top = -PLATE_WIDTH / 2, -PLATE_HEIGHT / 2
    outline = (
        "face ij-plate"
        + (" ij-turn" if seat in scene.acting else "")
        + (" ij-accused" if seat in scene.accused else "")
    )
    return (
        at(
            place.x, TABLE + place.y, box(left, top, PLATE_WIDTH, PLATE_HEIGHT, outline, rx=10),
            seat_mark(seat, left + 15, top + 14), text(left + 27, top + 19, str(seat), "bold"),
            *_signs(scene, seat), *_tokens(moment, scene, seat),
            **actions(moment, partial(_names, seat)),
        ),
    )  # fmt: skip


def _names(seat: Seat, action: Any) -> bool:
    """Whether the action points at this seat."""
    if isinstance(action, Suspect):
        return action.suspect == seat
    if isinstance(action, ChoosePartner):
        return action.partner == seat
    return isinstance(action, Vote) and seat in action.ballots


def _signs(scene: Scene, seat: Seat) -> list[Element]:
    y, signs = -PLATE_HEIGHT / 2 + 14, []
    if scene.common.trick and seat == scene.common.leader:
        signs.append(at(10, y, title("leads"), path(CROWN, "glyph ij-thin")))
    if seat == scene.common.partner:
        signs.append(at(29, y, title("partner of the Accomplice"), path(RINGS, "glyph ij-thin")))
    return signs


def _tokens(moment: Moment[Any], scene: Scene, seat: Seat) -> list[Element]:
    """The tokens that the player holds, in as many slots as make a player reveal the role."""
    held, slots = scene.chairs[seat].tokens, scene.settled.reveals_at
    y, most = PLATE_HEIGHT / 2 - 12, max(held, slots)
    if most > 6:
        return [coin(-8, y), text(2, y + 5, str(held), "bold")]
    first = -(most - 1) / 2 * _SLOT
    drawn = [
        coin(first + number * _SLOT, y) if number < held else dot(first + number * _SLOT, y, 4, "ij-slot")
        for number in range(most)
    ]
    own = seat in {question.seat for question in moment.asked}
    return [group(title(f"{held} tokens"), *drawn, **(actions(moment, _wagers) if own else {}))]


def _wagers(action: Any) -> bool:
    return isinstance(action, PlayCard) and action.wager


# Arrows


def arrows(scene: Scene) -> tuple[Element, ...]:
    """From each seat to those that it has named: dashed if it suspects them, whole if it votes for them."""
    times: Counter[tuple[str, Seat, Seat]] = Counter()
    drawn = []
    for pointing in scene.pointing:
        for named in pointing.named if pointing.heard else ():
            drawn.append(_arrow(scene, pointing, named, times[pointing.verb, pointing.seat, named]))
            times[pointing.verb, pointing.seat, named] += 1
    return tuple(drawn)


def _arrow(scene: Scene, pointing: Pointing, named: Seat, number: int) -> Element:
    """An arrow a little to the right of the straight line, so that no other lies on it."""
    places = PLACES[len(scene.chairs)]
    one, other = places[pointing.seat], places[named]
    length = hypot(other.x - one.x, other.y - one.y)
    along_x, along_y = (other.x - one.x) / length, (other.y - one.y) / length
    aside = 6 + 8 * number
    start, end = _rim(along_x, along_y), length - _rim(along_x, along_y)
    x0, y0 = one.x - along_y * aside, TABLE + one.y + along_x * aside
    tip_x, tip_y = x0 + along_x * end, y0 + along_y * end
    neck_x, neck_y = tip_x - along_x * 12, tip_y - along_y * 12
    shaft = f"M{x0 + along_x * start:.1f} {y0 + along_y * start:.1f}L{neck_x:.1f} {neck_y:.1f}"
    head = (
        f"M{tip_x:.1f} {tip_y:.1f}L{neck_x - along_y * 6:.1f} {neck_y + along_x * 6:.1f}"
        f"L{neck_x + along_y * 6:.1f} {neck_y - along_x * 6:.1f}Z"
    )
    line = "seatline ij-suspects" if pointing.verb == "suspects" else "seatline"
    told = title(f"seat {pointing.seat} {pointing.verb} seat {named}")
    return group(told, path(shaft, line), path(head, "seat"), class_=seat_class(pointing.seat))


def _rim(along_x: float, along_y: float) -> float:
    """How far from its middle a plate ends in this direction, with some air."""
    across = PLATE_WIDTH / 2 / abs(along_x) if along_x else PLATE_WIDTH
    down = PLATE_HEIGHT / 2 / abs(along_y) if along_y else PLATE_WIDTH
    return min(across, down) + 6
