"""The course of a match: the outlook of every seat as a curve, and the moves that changed it most.

It tells the result, and it comes from the true positions. So a page hides it with the result, and the page of one seat
never has it.
"""

from collections.abc import Iterator, Sequence

from referee.core.outcome import Seat
from referee.drawing.drawer import AnyDrawer, SuspectingDrawer
from referee.drawing.marks import seat_class, seat_mark
from referee.drawing.page.suspicions import suspicions_table
from referee.drawing.playback import Playback
from referee.drawing.seat_names import SeatNames
from referee.drawing.svg import Element, element, markup, path
from referee.match.transcript import Draw
from referee.match.turning_points import Swing, swings, turning_points

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
    told = (" · ".join(f"{_named(seats, names)}: {outlook[seats[0]]:.2f}" for seats in lines) for outlook in stood)
    return markup(parts), tuple(told)


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
