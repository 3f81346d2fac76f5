"""The steps of a match for one viewer, as pictures. Where several events lead to a position, each of them is a step."""

from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate, repeat
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from referee.core.outcome import Seat
from referee.drawing.drawer import AnyDrawer, GroupingDrawer, LandscapeDrawer, Layers, Moment, Size, StepwiseDrawer
from referee.drawing.look import still_style
from referee.drawing.playback import AskedDecision, Playback, ViewerMoment, by_everyone, by_seat
from referee.drawing.svg import Element, element, group, markup

T = TypeVar("T")


class DrawnStep(msgspec.Struct, frozen=True):
    """What a viewer sees in one step.

    Attributes:
        passage: the number of the passage in the whole match, counted from 0. Several steps can belong to one.
        layers: the picture.
        event: what has just happened; None if the viewer heard nothing.
        lines: the position in words; on the way from one position to the next, that of the one before.
        decisions: the decisions in this position.
        group: the heading of the group of decisions; empty if the game has no groups.
    """

    passage: int
    layers: Layers
    event: Any
    lines: tuple[str, ...]
    decisions: tuple[AskedDecision, ...]
    group: str


def drawn_steps(watched: Playback, drawer: AnyDrawer, seat: Seat | None) -> Iterator[DrawnStep]:
    """All steps of a seat, or with None of an onlooker who sees everything."""
    lines: tuple[str, ...] = ()
    layers: Layers = ()
    group = ""
    for seen in by_everyone(watched) if seat is None else by_seat(watched, seat):
        events = seen.moment.events
        for event, drawn in zip(events[:-1], _after_each_event(drawer, seat, seen, layers), strict=False):
            yield DrawnStep(seen.passage, drawn, event, lines, (), group)
        lines, layers = seen.lines, (drawer.whole if seat is None else drawer.for_seat)(seen.moment)
        group = drawer.group(seen.moment.position) if isinstance(drawer, GroupingDrawer) else ""
        yield DrawnStep(seen.passage, layers, events[-1] if events else None, lines, seen.decisions, group)


def last_steps(watched: Playback) -> list[int]:
    """By passage, the number of its last step for an onlooker who sees everything, counted from 0."""
    return [steps - 1 for steps in accumulate(max(1, len(it.events)) for it in watched.passages)]


def _after_each_event(
    drawer: AnyDrawer, seat: Seat | None, viewer_moment: ViewerMoment, before: Layers
) -> Iterator[Layers]:
    """The pictures after all events but the last. Those of a drawer that draws none are the picture before."""
    if not isinstance(drawer, StepwiseDrawer) or viewer_moment.moment.before is None:
        return repeat(before)
    return (drawer.whole_after_each_event if seat is None else drawer.seen_after_each_event)(viewer_moment.moment)


def draw_after_each_event(
    moment: Moment[Any],
    before: T,
    changes: Mapping[type, Callable[[T, Any], T]],
    draw: Callable[[Moment[Any], T], Layers],
) -> Iterator[Layers]:
    """The picture after each event of a moment, except the last.

    Args:
        moment: a moment with a position before.
        before: the scene of this position: all that is drawn of it.
        changes: by type of event, the scene after it. Other events change nothing; the next position has all of it.
        draw: draws a scene.
    """
    scene = before
    for count, event in enumerate(moment.events[:-1], 1):
        change = changes.get(type(event))
        scene = scene if change is None else change(scene, event)
        yield draw(moment.after_events(count), scene)


def still(watched: Playback, drawer: AnyDrawer, step: DrawnStep) -> str:
    """The picture of this step as an SVG document, which needs nothing else and suits light and dark."""
    words = "before the match" if step.event is None else watched.game.describe(step.event)
    size = drawer.size(watched.options, watched.seats)
    drawn = board(size, step.layers, element("title", words), element("style", still_style(drawer.style)))
    return f"{markup(drawn)}\n"


def shapes(drawer: AnyDrawer, options: Any, seats: int, layers: Layers) -> tuple[Element, ...]:
    """A picture in each shape that its drawer gives. The style sheet of a page shows one of them."""
    upright = board(drawer.size(options, seats), layers, aria_labelledby="sentence")
    if not isinstance(drawer, LandscapeDrawer):
        return (upright,)
    size, moves = drawer.landscape(options, seats)
    return upright, board(size, layers, moves=moves, aria_labelledby="sentence", data_shape="landscape")


def board(
    size: Size, layers: Layers, *first: Element, moves: Mapping[str, str] = MappingProxyType({}), **attributes: str
) -> Element:
    """A picture as an element of a page or a document. `moves` says by name where layers lie."""
    drawn = (group(*layer.inside, data_layer=layer.name, transform=moves.get(layer.name)) for layer in layers)
    ground = element("rect", class_="ground", width=size.width, height=size.height)
    return element(
        "svg", *first, ground, *drawn,
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {size.width} {size.height}", width=size.width,
        height=size.height, class_="board", role="img", **attributes,
    )  # fmt: skip
