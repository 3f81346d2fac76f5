"""The course of a match: the outlook of every seat, the moves that changed it most, and who could suspect whom when.

It tells the result, and it comes from the true positions. So a page hides it with the result, and the page of one seat
never has it.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

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


def suspicions_table(watched: Playback, drawer: SuspectingDrawer, names: SeatNames) -> Element:
    """The table, with a row for each seat."""
    parts = list(suspicions(watched, drawer))
    heads = (element("button", it.heading, type="button", data_passage=str(it.passage)) for it in parts)
    rows = (
        element("tr", element("th", names.of(seat), scope="row"), *(_cell(it, seat, names) for it in parts))
        for seat in range(watched.seats)
    )
    head = element("tr", element("th", "Player", scope="col"), *(element("th", it, scope="col") for it in heads))
    table = element("table", element("thead", head), element("tbody", *rows))
    return element(
        "div",
        element("h3", f"Who could be {drawer.suspected}"),
        element(
            "p",
            "By the view of each player alone, in percent of all deals that fit it. Below it the players that it "
            "named, to all or in the vote.",
            class_="soft",
        ),
        element("div", table, class_="wide", role="group", tabindex="0", aria_label="Who suspected whom"),
        class_="suspicions",
    )


def _cell(part: Suspicions, seat: Seat, names: SeatNames) -> Element:
    shares = part.shares[seat]
    others = sorted((it for it in range(len(shares)) if shares[it]), key=lambda it: -shares[it])
    if len(others) > 1 and len({round(shares[it], 6) for it in others}) == 1:
        found: tuple[Element | str, ...] = (f"{len(others)} alike",)
    else:
        found = tuple(_share(it, shares[it], names) for it in others)
    suspects = part.named[seat]
    return element(
        "td", *found, *([element("small", f"names {' and '.join(map(names.of, suspects))}")] if suspects else ())
    )


def _share(seat: Seat, share: float, names: SeatNames) -> Element:
    shape = seat_mark(seat, 0, 0)
    mark = element("svg", shape, class_="seat", viewBox="-9 -9 18 18", role="img", aria_label=names.of(seat))
    return element("span", mark, f"{round(100 * share)}")


_MOST = 8
"""How many turning points a page lists."""

_LEAST = 0.05
"""A smaller change of the outlook is no turning point."""

_HEIGHT = 100
"""The height of the curve, in units of its own. Its width is the number of moves; the page stretches both."""

_ABOUT = (
    "How likely each seat was to be first, by the true position, hidden cards included. "
    "A large change says that a move mattered, not that it was wrong. Luck is nobody's fault."
)


def course(watched: Playback, drawer: AnyDrawer, names: SeatNames) -> tuple[str, tuple[str, ...]]:
    """The markup of the course, and for each passage how all seats stood, in words. Empty if the game has no outlook.

    What leads to a passage has its number as `data-passage`.
    """
    moved = swings(watched.game, watched.transcript)
    if not moved:
        return "", ()
    stood = [moved[0].before, *(swing.after for swing in moved)]
    lines = _lines(stood)
    points = [it for it in turning_points(moved, _MOST) if abs(it.change(it.seat)) >= _LEAST]
    parts = [_curve(stood, lines, points, names), _list(watched, points, names)]
    if isinstance(drawer, SuspectingDrawer):
        parts.append(suspicions_table(watched, drawer, names))
    texts = (" · ".join(f"{_named(seats, names)}: {outlook[seats[0]]:.2f}" for seats in lines) for outlook in stood)
    return markup(parts), tuple(texts)


def _lines(stood: Sequence[tuple[float, ...]]) -> list[list[Seat]]:
    """The seats, those together that always stand equally."""
    together: dict[tuple[float, ...], list[Seat]] = {}
    for seat, values in enumerate(zip(*stood, strict=True)):
        together.setdefault(values, []).append(seat)
    return list(together.values())


def _named(seats: Sequence[Seat], names: SeatNames) -> str:
    return ", ".join(map(names.of, seats))


def shape_of(seat: Seat) -> Element:
    """The shape of a seat, in a line of text."""
    return element("svg", seat_mark(seat, 0, 0), class_="seat", viewBox="-9 -9 18 18", aria_hidden="true")


def _curve(
    stood: Sequence[tuple[float, ...]], lines: Sequence[Sequence[Seat]], points: Sequence[Swing], names: SeatNames
) -> Element:
    last = len(stood) - 1
    drawn = (
        *(path(f"M0 {_HEIGHT * (1 - level)}H{last}", "level") for level in (0, 0.5, 1)),
        *(path(_path([it[seats[0]] for it in stood]), f"outlook {seat_class(seats[0])}") for seats in lines),
        *(path(f"M{it.number} {_y(it.after[it.seat])}h0", _mark(it)) for it in points),
    )
    chart = element("svg", *drawn, viewBox=f"0 0 {last} {_HEIGHT}", preserveAspectRatio="none", aria_hidden="true")
    steps = element("input", type="range", min="0", max=str(last), value="0", aria_label="Outlook by move")
    return element(
        "div",
        element("p", _ABOUT, class_="soft"),
        element("ul", *(_legend(seats, names) for seats in lines), class_="legend"),
        element("div", *(element("span", it, aria_hidden="true") for it in ("1", "0")), chart, steps, class_="curve"),
        element("p", "At this step", id="stand"),
    )


def _path(values: Sequence[float]) -> str:
    return "M" + "L".join(f"{move} {_y(value)}" for move, value in enumerate(values))


def _y(outlook: float) -> int:
    return round(_HEIGHT * (1 - outlook))


def _mark(swing: Swing) -> str:
    return "turn luck" if swing.decision is None else f"turn {seat_class(swing.seat)}"


def _legend(seats: Sequence[Seat], names: SeatNames) -> Element:
    line = path("M0 4H32", f"outlook {seat_class(seats[0])}")
    sample = element("svg", line, class_="sample", viewBox="0 0 32 8", aria_hidden="true")
    return element("li", sample, *map(shape_of, seats), _named(seats, names))


def _list(watched: Playback, points: Sequence[Swing], names: SeatNames) -> Element:
    return element(
        "div",
        element("h3", "The largest changes"),
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
    )


def _chose(watched: Playback, swing: Swing, names: SeatNames) -> Iterator[str]:
    cause = swing.move.cause
    if isinstance(cause, dict):
        if swing.seat not in cause:
            yield f"for {names.of(swing.seat)}"
        for seat, action in cause.items():
            yield f"{names.of(seat)}: {names.put_into(watched.game.describe_action(action))}"
