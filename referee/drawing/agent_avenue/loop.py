"""The loop of houses, and the pawns on it."""

from functools import cache
from math import cos, pi, sin

from referee.drawing.agent_avenue.layout import Layout
from referee.drawing.agent_avenue.scene import Scene
from referee.drawing.marks import seat_class, title
from referee.drawing.svg import Element, at, box, dot, group, path
from referee.games.agent_avenue.pawns import space
from referee.games.agent_avenue.pieces import HOMES, MARKET_SPACES, SPACES

LEFT, RIGHT = 32.0, 448.0
TOP, BOTTOM = 34.0, 286.0  # below the edge of the loop
_RADIUS = 84.0
_ROAD = 40


@cache
def point(number: int) -> tuple[float, float]:
    """The middle of a space. Space 0 is in the middle of the lower edge, and they run clockwise at equal distances."""
    half_width, straight = (RIGHT - LEFT) / 2 - _RADIUS, (BOTTOM - TOP) - 2 * _RADIUS
    corner = pi / 2 * _RADIUS
    middle = (LEFT + RIGHT) / 2
    whole = 4 * half_width + 2 * straight + 4 * corner
    way = number % SPACES / SPACES * whole
    mirrored = way > whole / 2
    way = whole - way if mirrored else way
    x, y = _on_the_left(way, half_width, corner, straight)
    return (2 * middle - x if mirrored else x), y


def _on_the_left(way: float, half_width: float, corner: float, straight: float) -> tuple[float, float]:
    """The point so far from the middle of the lower edge, going left and up."""
    middle = (LEFT + RIGHT) / 2
    if way <= half_width:
        return middle - way, BOTTOM
    way -= half_width
    if way <= corner:
        turned = way / _RADIUS
        return LEFT + _RADIUS - _RADIUS * sin(turned), BOTTOM - _RADIUS + _RADIUS * cos(turned)
    way -= corner
    if way <= straight:
        return LEFT, BOTTOM - _RADIUS - way
    way -= straight
    if way <= corner:
        turned = way / _RADIUS
        return LEFT + _RADIUS - _RADIUS * cos(turned), TOP + _RADIUS - _RADIUS * sin(turned)
    return LEFT + _RADIUS + (way - corner), TOP


def road(places: Layout, *, market: bool) -> tuple[Element, ...]:
    """The loop, the homes of both sides, and the market spaces if there is a market."""
    way = box(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, "aa-road", rx=_RADIUS, stroke_width=_ROAD)
    spaces = (_space(number, market=market) for number in range(SPACES))
    return (at(0, places.loop, way, *spaces),)


def _space(number: int, *, market: bool) -> Element:
    x, y = point(number)
    if number in HOMES:
        home = path("M-10 2L0 -9L10 2M-7 0V9H7V0", "glyph")
        ring = dot(0, 0, 23, "aa-home seatline")
        return at(
            x, y, title(f"home of side {HOMES.index(number)}"), ring, home, class_=seat_class(HOMES.index(number))
        )
    if market and number in MARKET_SPACES:
        bag = path("M-9 -3H9L7 8H-7ZM-4 -3a4 5 0 0 1 8 0", "glyph aa-gold")
        return at(x, y, title("market space"), dot(0, 0, 19, "aa-space aa-market"), bag)
    return dot(x, y, 16, "aa-space")


def pawns(places: Layout, scene: Scene) -> tuple[Element, ...]:
    """Both pawns. On a common space they stand side by side."""
    spaces = [space(side, own.progress) for side, own in enumerate(scene.sides)]
    together = spaces[0] == spaces[1]
    return tuple(_pawn(places, side, on, aside=together) for side, on in enumerate(spaces))


def _pawn(places: Layout, side: int, on: int, *, aside: bool) -> Element:
    x, y = point(on)
    offset = (-12, 12)[side] if aside else 0
    body = path("M-12 12Q-12 -4 -5 -7A8.5 8.5 0 1 1 5 -7Q12 -4 12 12Z", "aa-pawn seat")
    crest = dot(0, 3, 4, "aa-crest") if side == 0 else box(-3.6, -0.6, 7.2, 7.2, "aa-crest")
    return at(
        x + offset,
        places.loop + y,
        title(f"pawn of side {side}"),
        group(body, crest),
        class_=seat_class(side),
        data_piece=f"pawn-{side}",
    )
