"""The course of a match: the outlook of every seat, the moves that changed it most, and who could suspect whom when.

It tells the result, and it comes from the true positions. So a page hides it with the result, and the page of one seat
never has it.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec

from referee.core.outcome import Seat
from referee.drawing.drawer import AnyDrawer, SuspectingDrawer
from referee.drawing.marks import seat_class, seat_mark
from referee.drawing.playback import Playback
from referee.drawing.seat_names import SeatNames
from referee.drawing.svg import Element, element, markup, path
from referee.match.transcript import Draw
from referee.match.turning_points import Swing, swings, turning_points


class Suspicions(NamedTuple):
    """A part of a match, such as a trick.

    Attributes:
        heading: what it is called.
        passage: the number of the last passage in it.
        shares: by seat, how likely each seat has the hidden role at the end of it, as far as the seat can know.
        named: by seat, the seats that it named last in it.
    """

    heading: str
    passage: int
    shares: Sequence[Sequence[float]]
    named: Sequence[Sequence[Seat]]


def suspicions(watched: Playback, drawer: SuspectingDrawer) -> Iterator[Suspicions]:
    """The parts of a match in which somebody could suspect anybody."""
    numbered = enumerate(watched.passages)
    for heading, group in groupby(numbered, lambda it: drawer.group(it[1].state)):
        parts = list(group)
        known = [(number, found) for number, it in parts if (found := drawer.suspicions(it.state))]
        if known:
            events = [event for _, it in parts for event in it.events]
            named = dict(it for event in events if (it := drawer.suspects(event)))
            yield Suspicions(heading, *known[-1], [named.get(seat, ()) for seat in range(watched.seats)])


def knew(watched: Playback, drawer: SuspectingDrawer, names: SeatNames) -> Element:
    """A block for each part of the match, with bars for each player. The page shows the block of its step."""
    about = "By the view of each player alone, in percent of all deals that fit it. Below: whom it named."
    blocks = (
        element("div", *(_knows(it, seat, names) for seat in range(watched.seats)), data_passage=str(it.passage))
        for it in suspicions(watched, drawer)
    )
    heading = element("h2", f"Who could be {drawer.suspected}")
    return element("div", heading, element("p", about, class_="soft"), *blocks, class_="suspicions")


def _knows(part: Suspicions, seat: Seat, names: SeatNames) -> Element:
    shares = part.shares[seat]
    bars = (_share(it, share, names) for it, share in enumerate(shares) if share)
    named = part.named[seat]
    words = [element("small", "named ", *map(shape_of, named), ", ".join(map(names.of, named)))] if named else []
    return element("div", element("p", shape_of(seat), names.of(seat), class_="bold"), *bars, *words)


def _share(seat: Seat, share: float, names: SeatNames) -> Element:
    bar = element("rect", class_="seat", width=f"{100 * share:.0f}", height="8")
    drawn = element("svg", bar, class_=f"share {seat_class(seat)}", viewBox="0 0 100 8", preserveAspectRatio="none")
    name = element("span", shape_of(seat), names.of(seat), title=names.of(seat))
    return element("p", name, drawn, element("span", f"{100 * share:.0f}%"), class_="share")


_MOST = 8
"""How many turning points a page lists."""

_LEAST = 0.05
"""A smaller change of the outlook is no turning point."""

_ABOUT = (
    "How likely each seat was to be first, by the true position, hidden cards included. "
    "A large change says that a move mattered, not that it was wrong. Luck is nobody's fault."
)


class Course(msgspec.Struct, frozen=True):
    """How a match went. A page draws the curves on the axis of its own steps.

    Attributes:
        lines: seats that always stood equally, and by passage how likely they were to be first.
        turning_points: the markup of their list. Each has the number of its passage, its seat or -1 for luck, and the
            change for it as data.
        knew: the markup of what each player could know about hidden roles; empty if the game has none.
    """

    lines: tuple[tuple[tuple[Seat, ...], tuple[float, ...]], ...] = ()
    turning_points: str = ""
    knew: str = ""


def course(watched: Playback, drawer: AnyDrawer, names: SeatNames) -> Course:
    """The course of a match. Empty if the game has no outlook."""
    moved = swings(watched.game, watched.transcript)
    if not moved:
        return Course()
    stood = [moved[0].before, *(swing.after for swing in moved)]
    lines = _lines(stood)
    points = [it for it in turning_points(moved, _MOST) if abs(it.change(it.seat)) >= _LEAST]
    about = element("p", _ABOUT, class_="soft")
    legend = element("ul", *(_legend(seats, names) for seats in lines), class_="legend")
    return Course(
        tuple((tuple(seats), tuple(round(it[seats[0]], 3) for it in stood)) for seats in lines),
        markup((about, legend, element("p", "At this step", id="stand"), _list(watched, points, names))),
        markup(knew(watched, drawer, names)) if isinstance(drawer, SuspectingDrawer) else "",
    )


def _lines(stood: Sequence[tuple[float, ...]]) -> list[list[Seat]]:
    """The seats, those together that always stand equally."""
    together: dict[tuple[float, ...], list[Seat]] = {}
    for seat, values in enumerate(zip(*stood, strict=True)):
        together.setdefault(values, []).append(seat)
    return list(together.values())


def shape_of(seat: Seat) -> Element:
    """The shape of a seat, in a line of text."""
    return element("svg", seat_mark(seat, 0, 0), class_="seat", viewBox="-9 -9 18 18", aria_hidden="true")


def _mark(swing: Swing) -> str:
    return "turn luck" if swing.decision is None else f"turn {seat_class(swing.seat)}"


def _legend(seats: Sequence[Seat], names: SeatNames) -> Element:
    line = path("M0 4H32", f"outlook {seat_class(seats[0])}")
    sample = element("svg", line, class_="sample", viewBox="0 0 32 8", aria_hidden="true")
    return element("li", sample, *map(shape_of, seats), ", ".join(map(names.of, seats)))


def _list(watched: Playback, points: Sequence[Swing], names: SeatNames) -> Element:
    return element(
        "div",
        element("h2", "The largest changes"),
        element("ol", *(element("li", _button(watched, it, names)) for it in points)),
        class_="turns",
    )


def _button(watched: Playback, swing: Swing, names: SeatNames) -> Element:
    """A turning point. It leads to the step of the decision, or to the one after the luck."""
    luck, cause = swing.decision is None, swing.move.cause
    what = f"luck ({cause.label})" if isinstance(cause, Draw) else f"decision {swing.decision}"
    before, after = swing.before[swing.seat], swing.after[swing.seat]
    more = [f"for {names.of(swing.seat)}"] if luck else _chose(watched, swing, names)
    return element(
        "button",
        element("svg", path("M0 0h0", _mark(swing)), viewBox="-9 -9 18 18", aria_hidden="true"),
        element("b", f"{what}: {before:.2f} to {after:.2f}"),
        *(element("small", line) for line in more),
        type="button",
        data_passage=str(swing.number if luck else swing.number - 1),
        data_seat=str(-1 if luck else swing.seat),
        data_change=f"{after - before:.2f}",
    )


def _chose(watched: Playback, swing: Swing, names: SeatNames) -> Iterator[str]:
    cause = swing.move.cause
    if isinstance(cause, dict):
        if swing.seat not in cause:
            yield f"for {names.of(swing.seat)}"
        for seat, action in cause.items():
            yield f"{names.of(seat)}: {names.put_into(watched.game.describe_action(action))}"
