"""A table of who could suspect whom, over the parts of a match: what each seat could know, and what it said."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from referee.core.outcome import Seat
from referee.drawing.drawer import SuspectingDrawer
from referee.drawing.marks import seat_mark
from referee.drawing.playback import Playback
from referee.drawing.seat_names import SeatNames
from referee.drawing.svg import Element, element


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
    said = part.named[seat]
    return element("td", *found, *([element("small", f"names {' and '.join(map(names.of, said))}")] if said else ()))


def _share(seat: Seat, share: float, names: SeatNames) -> Element:
    shape = seat_mark(seat, 0, 0)
    mark = element("svg", shape, class_="seat", viewBox="-9 -9 18 18", role="img", aria_label=names.of(seat))
    return element("span", mark, f"{round(100 * share)}")
