"""The loop of houses, the pawns on it, and how they have just moved."""

from functools import cache
from math import cos, pi, sin
from typing import Any

from referee.drawing.agent_avenue.layout import ROAD, TOP, Layout
from referee.drawing.agent_avenue.scene import Scene
from referee.drawing.drawer import Moment
from referee.drawing.look import WIDTH
from referee.drawing.marks import seat_class, title
from referee.drawing.svg import Element, at, box, dot, path, placed
from referee.games.agent_avenue.moves import GotAway, Moved
from referee.games.agent_avenue.pawns import space
from referee.games.agent_avenue.pieces import HOMES, MARKET_SPACES, SPACES

LEFT, RIGHT = 32.0, WIDTH - 32.0
_MIDDLE = WIDTH / 2
_RADIUS = 84.0


@cache
def point(number: float, bottom: float) -> tuple[float, float]:
    """The middle of a space. Space 0 is in the middle of the lower edge, and they run clockwise at equal distances."""
    half_width, straight = (RIGHT - LEFT) / 2 - _RADIUS, (bottom - TOP) - 2 * _RADIUS
    arc = pi / 2 * _RADIUS
    whole = 4 * half_width + 2 * straight + 4 * arc
    way = number % SPACES / SPACES * whole
    if way > whole / 2:
        x, y = _on_the_left(whole - way, bottom, (half_width, arc, straight))
        return WIDTH - x, y
    return _on_the_left(way, bottom, (half_width, arc, straight))


def _on_the_left(way: float, bottom: float, pieces: tuple[float, float, float]) -> tuple[float, float]:
    """The point so far from the middle of the lower edge, going left and up: along it, a corner, the side, a corner."""
    half_width, arc, straight = pieces
    if way <= half_width:
        return _MIDDLE - way, bottom
    if way <= half_width + arc:
        turned = (way - half_width) / _RADIUS
        return LEFT + _RADIUS * (1 - sin(turned)), bottom - _RADIUS * (1 - cos(turned))
    way -= half_width + arc
    if way <= straight:
        return LEFT, bottom - _RADIUS - way
    if way <= straight + arc:
        turned = (way - straight) / _RADIUS
        return LEFT + _RADIUS * (1 - cos(turned)), TOP + _RADIUS * (1 - sin(turned))
    return LEFT + _RADIUS + way - straight - arc, TOP


def road(places: Layout) -> tuple[Element, ...]:
    """The loop and its spaces."""
    way = box(LEFT, TOP, RIGHT - LEFT, places.bottom - TOP, "aa-road", rx=_RADIUS, stroke_width=ROAD)
    spaces = (dot(*point(number, places.bottom), 15, "aa-space") for number in range(SPACES))
    return placed(0, 0, way, *spaces)


def signs(places: Layout, *, market: bool) -> tuple[Element, ...]:
    """The homes of both sides, and the market spaces if there is a market. Trails pass below them."""
    homes = (_home(places, side) for side in range(len(HOMES)))
    bags = (_bag(places, number) for number in sorted(MARKET_SPACES)) if market else ()
    return placed(0, 0, *homes, *bags)


def _home(places: Layout, side: int) -> Element:
    tables_service = path("M-10 2L0 -9L10 2M-7 0V9H7V0", "seatline")
    ground = dot(0, 0, 23, "aa-home seatline")
    return at(
        *point(HOMES[side], places.bottom),
        title(f"home of side {'ab'[side]}"),
        ground,
        tables_service,
        class_=seat_class(side),
    )


def _bag(places: Layout, number: int) -> Element:
    bag = path("M-9 -3H9L7 8H-7ZM-4 -3a4 5 0 0 1 8 0", "glyph aa-gold")
    return at(*point(number, places.bottom), title("market space"), dot(0, 0, 18, "aa-space aa-market"), bag)


def trails(places: Layout, moment: Moment[Any], scene: Scene) -> tuple[Element, ...]:
    """How the pawns have just moved. A side that moved several times has one trail, from first to last."""
    moves = [event for event in moment.events if isinstance(event, Moved | GotAway)]
    lines = []
    for side, own in enumerate(scene.sides):
        walked = sum(move.spaces for move in moves if move.side == side)
        if walked:
            lines.append(_trail(places, side, own.progress - walked, own.progress))
    return placed(0, 0, *lines)


def _trail(places: Layout, side: int, start: int, end: int) -> Element:
    """A line along the road; the two sides keep to different halves of it."""
    steps = max(2, abs(end - start) * 10)
    numbers = (start + (end - start) * step / steps for step in range(steps + 1))
    corners = (_beside(*point((HOMES[side] + number) % SPACES, places.bottom), side, places) for number in numbers)
    line = path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners), "aa-trail seatline")
    return at(0, 0, line, class_=seat_class(side))


def _beside(x: float, y: float, side: int, places: Layout) -> tuple[float, float]:
    """A little outwards for side 0, and inwards for side 1."""
    out = 1.02 if side == 0 else 0.98
    middle = (TOP + places.bottom) / 2
    return _MIDDLE + (x - _MIDDLE) * out, middle + (y - middle) * out


def pawns(places: Layout, scene: Scene) -> tuple[Element, ...]:
    """Both pawns. On a common space they stand side by side."""
    spaces = [space(side, own.progress) for side, own in enumerate(scene.sides)]
    together = spaces[0] == spaces[1]
    return tuple(_pawn(places, side, on, (-12, 12)[side] if together else 0) for side, on in enumerate(spaces))


def _pawn(places: Layout, side: int, on: int, offset: int) -> Element:
    x, y = point(on, places.bottom)
    body = path("M-13 13Q-13 -4 -5 -7A9 9 0 1 1 5 -7Q13 -4 13 13Z", "aa-pawn seat")
    crest = dot(0, 4, 4, "aa-crest") if side == 0 else box(-4, 0, 8, 8, "aa-crest")
    return at(
        x + offset, y, title(f"pawn of side {'ab'[side]}"), body, crest,
        class_=seat_class(side), data_piece=f"pawn-{side}",
    )  # fmt: skip
