"""The steps of a match for one viewer. Where several events lead to a position, each of them is a step."""

from collections.abc import Callable, Iterator, Mapping
from itertools import repeat
from typing import Any, TypeVar

import msgspec

from referee.core.outcome import Seat
from referee.drawing.drawer import AnyDrawer, GroupingDrawer, Layers, StepwiseDrawer
from referee.drawing.playback import AskedDecision, Playback, ViewerMoment, by_everyone, by_seat

T = TypeVar("T")


class DrawnStep(msgspec.Struct, frozen=True):
    """What a viewer sees in one step.

    Attributes:
        passage: the number of the passage in the whole match, counted from 0. Several steps can belong to one.
        layers: the picture.
        event: what has just happened; None if the viewer heard nothing.
        lines: the position in words; on the way from one position to the next, that of the one before.
        asked: the decisions in this position.
        group: the heading of the group of decisions; empty if the game has no groups.
    """

    passage: int
    layers: Layers
    event: Any
    lines: tuple[str, ...]
    asked: tuple[AskedDecision, ...]
    group: str


def drawn_steps(watched: Playback, drawer: AnyDrawer, seat: Seat | None) -> Iterator[DrawnStep]:
    """All steps of a seat, or with None of an onlooker who sees everything."""
    lines: tuple[str, ...] = ()
    layers: Layers = ()
    group = ""
    for seen in by_everyone(watched) if seat is None else by_seat(watched, seat):
        events = seen.moment.events
        for event, drawn in zip(events[:-1], _on_the_way(drawer, seat, seen, layers), strict=False):
            yield DrawnStep(seen.passage, drawn, event, lines, (), group)
        lines, layers = seen.lines, (drawer.whole if seat is None else drawer.seen)(seen.moment)
        group = drawer.group(seen.moment.position) if isinstance(drawer, GroupingDrawer) else ""
        yield DrawnStep(seen.passage, layers, events[-1] if events else None, lines, seen.asked, group)


def _on_the_way(drawer: AnyDrawer, seat: Seat | None, seen: ViewerMoment, before: Layers) -> Iterator[Layers]:
    """The pictures after all events but the last. Those of a drawer that draws none are the picture before."""
    if not isinstance(drawer, StepwiseDrawer) or seen.moment.before is None:
        return repeat(before)
    return (drawer.whole_on_the_way if seat is None else drawer.seen_on_the_way)(seen.moment)


def after_each(before: T, events: tuple[Any, ...], changes: Mapping[type, Callable[[T, Any], T]]) -> Iterator[T]:
    """A scene after each of the events. `changes` says by type of event what it changes; others change nothing."""
    scene = before
    for event in events:
        change = changes.get(type(event))
        scene = scene if change is None else change(scene, event)
        yield scene
