"""The round table: its plates with marks and tokens, the cards of the trick, and the arrows between players."""

from collections import Counter
from functools import partial
from math import hypot

from referee.core.outcome import Seat
from referee.drawing.inside_job.cards import laid_card
from referee.drawing.inside_job.centre import winner_of
from referee.drawing.inside_job.layout import MARGIN, PLACES, PLATE_HEIGHT, PLATE_WIDTH, TABLE
from referee.drawing.inside_job.scene import Pointing, Scene
from referee.drawing.inside_job.signs import CROWN, RINGS, coin, felt_class
from referee.drawing.look import WIDTH, fitted
from referee.drawing.marks import seat_class, seat_mark, title
from referee.drawing.svg import Element, at, box, dot, group, path, text
from referee.games.inside_job.missions import MISSIONS

_LEFT, _TOP = -PLATE_WIDTH / 2, -PLATE_HEIGHT / 2
_SLOT = 12
_MOST_SLOTS = 6
_NAME = 240
TOKENS_BELOW = 10
"""So far below the middle of a plate lie its tokens."""


def felt(scene: Scene) -> tuple[Element, ...]:
    """The table, in the colour of the trump suit."""
    tinted = felt_class(MISSIONS[scene.trick.mission].trump) if scene.trick else None
    shape = partial(box, MARGIN + 32, TABLE + 26, WIDTH - 2 * MARGIN - 64, 310, rx=150)
    return (group(shape("ij-table"), shape("ij-felt"), class_=tinted),)


def laid(scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """The card in front of a player. The best so far has a strong outline."""
    trick, seats = scene.trick, len(scene.chairs)
    turn = 0 if trick is None else (seat - trick.leader) % seats
    if trick is None or turn >= len(trick.laid):
        return ()
    place = PLACES[seats][seat]
    best = winner_of(trick, seats) == seat
    return (laid_card(place.card_x, TABLE + place.card_y, trick.laid[turn], wins=best),)


# Plates


def plates(seats: int) -> tuple[Element, ...]:
    """Everybody's place, with mark and number."""
    return tuple(
        at(
            place.x, TABLE + place.y, box(_LEFT, _TOP, PLATE_WIDTH, PLATE_HEIGHT, "face", rx=10),
            seat_mark(seat, _LEFT + 15, _TOP + 14), text(_LEFT + 27, _TOP + 19, str(seat), "bold"),
        )
        for seat, place in enumerate(PLACES[seats])
    )  # fmt: skip


def turns(scene: Scene) -> tuple[Element, ...]:
    """Marks for players who must act, the leader, the Accomplice's partner, and the accused."""
    common, drawn = scene.common, []
    for seat, place in enumerate(PLACES[len(scene.chairs)]):
        signs = []
        if seat in scene.acting or seat in scene.accused:
            look = "ij-accused" if seat in scene.accused else "ij-turn"
            signs.append(plate_outline(look))
        if common.trick and seat == common.leader:
            signs.append(at(10, _TOP + 14, title("leads"), path(CROWN, "glyph ij-thin")))
        if seat == common.partner:
            signs.append(at(29, _TOP + 14, title("partner of the Accomplice"), path(RINGS, "glyph ij-thin")))
        if signs:
            drawn.append(at(place.x, TABLE + place.y, *signs))
    return tuple(drawn)


def plate_outline(look: str) -> Element:
    """The outline of a plate whose middle is at 0 0."""
    return box(_LEFT, _TOP, PLATE_WIDTH, PLATE_HEIGHT, look, rx=10)


def tokens(scene: Scene, seat: Seat) -> tuple[Element, ...]:
    """The tokens of a player, in as many slots as make a player reveal the role."""
    place = PLACES[len(scene.chairs)][seat]
    held, most = scene.chairs[seat].tokens, max(scene.chairs[seat].tokens, scene.settled.reveals_at)
    return (at(place.x, TABLE + place.y + TOKENS_BELOW, *_tokens(held, most)),)


def _tokens(count: int, most: int) -> tuple[Element, ...]:
    if most > _MOST_SLOTS:
        return coin(-8, 0), text(2, 5, str(count), "bold")
    xs = [(2 * number + 1 - most) * _SLOT / 2 for number in range(most)]
    return (*(coin(x, 0) for x in xs[:count]), *(dot(x, 0, 4, "ij-slot") for x in xs[count:]))


# Arrows


def arrows(scene: Scene) -> tuple[Element, ...]:
    """From each seat to those that it has named: dashed if it suspects them, whole if it votes for them."""
    times: Counter[tuple[str, Seat, Seat]] = Counter()
    drawn = []
    for pointing in scene.pointing:
        for named in pointing.named if pointing.is_public else ():
            drawn.append(_arrow(scene, pointing, named, times[pointing.verb, pointing.seat, named]))
            times[pointing.verb, pointing.seat, named] += 1
    return tuple(drawn)


def _arrow(scene: Scene, pointing: Pointing, named: Seat, number: int) -> Element:
    """An arrow a little to the right of the straight line, so that no other lies on it."""
    places = PLACES[len(scene.chairs)]
    one, other = places[pointing.seat], places[named]
    length = hypot(other.x - one.x, other.y - one.y)
    along_x, along_y = (other.x - one.x) / length, (other.y - one.y) / length
    offset = 6 + 8 * number
    start, end = _rim(along_x, along_y), length - _rim(along_x, along_y)
    x0, y0 = one.x - along_y * offset, TABLE + one.y + along_x * offset
    tip_x, tip_y = x0 + along_x * end, y0 + along_y * end
    neck_x, neck_y = tip_x - along_x * 12, tip_y - along_y * 12
    shaft = f"M{x0 + along_x * start:.1f} {y0 + along_y * start:.1f}L{neck_x:.1f} {neck_y:.1f}"
    head = (
        f"M{tip_x:.1f} {tip_y:.1f}L{neck_x - along_y * 6:.1f} {neck_y + along_x * 6:.1f}"
        f"L{neck_x + along_y * 6:.1f} {neck_y - along_x * 6:.1f}Z"
    )
    line = "seatline ij-suspects" if pointing.verb == "suspects" else "seatline"
    one_name, other_name = (fitted(scene.names[seat], _NAME) for seat in (pointing.seat, named))
    tooltip = title(f"{one_name} {pointing.verb} {other_name}")
    return group(tooltip, path(shaft, line), path(head, "seat"), class_=seat_class(pointing.seat))


def _rim(along_x: float, along_y: float) -> float:
    """How far from its middle a plate ends in this direction, with some air."""
    across = PLATE_WIDTH / 2 / abs(along_x) if along_x else PLATE_WIDTH
    down = PLATE_HEIGHT / 2 / abs(along_y) if along_y else PLATE_WIDTH
    return min(across, down) + 6
