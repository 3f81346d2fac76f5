"""The latest events: the dice as they fell, the open offer, and the hits on the board."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from referee.core.outcome import Seat
from referee.drawing.agonia.layout import END, Layout, middle
from referee.drawing.agonia.players import short_name
from referee.drawing.agonia.shapes import PIPS
from referee.drawing.agonia.street import enemy_cells
from referee.drawing.drawer import Moment
from referee.drawing.look import fitted
from referee.drawing.marks import seat_mark
from referee.drawing.svg import Element, at, box, path, placed, text
from referee.games.agonia.box.board import BOARDS, Cell
from referee.games.agonia.position.agenda import Answer
from referee.games.agonia.position.events import (
    Died,
    Exploded,
    Rolled,
    RolledForFirst,
    RolledToKindle,
    Spawned,
)
from referee.games.agonia.view import View
from referee.games.agonia.words.describe import cell_name

_DIE, _PITCH, _ROW = 28, 38, 50


def fallen(places: Layout, moment: Moment[View]) -> tuple[Element, ...]:
    """The dice of the last rolls, or an exchange that waits for its answer."""
    step = moment.position.asked
    attacks = [event for event in moment.events if isinstance(event, Rolled | RolledToKindle)]
    others = list(_others(moment.events))
    width = END - places.fallen[0]
    if attacks:
        return placed(*places.fallen, *_attack(attacks[-1], width))
    if others:
        return placed(*places.fallen, *_beside_each_other(others, places.dice_in_a_row))
    return placed(*places.fallen, *_offer(step, width)) if isinstance(step, Answer) else ()


class _Roll(NamedTuple):
    """A die without a needed number, and its purpose: the cell of an enemy, or a seat."""

    die: int
    cell: Cell | None
    seat: Seat | None


def _others(events: tuple[Any, ...]) -> Iterator[_Roll]:
    for event in events:
        if isinstance(event, Spawned):
            yield _Roll(event.die, event.cell, None)
        if isinstance(event, RolledForFirst):
            yield from (_Roll(die, None, seat) for seat, die in zip(event.seats, event.dice, strict=True))


def _attack(event: Rolled | RolledToKindle, width: float) -> tuple[Element, ...]:
    target = f"#{event.enemy}" if isinstance(event, Rolled) else cell_name(event.cell)
    again = " again" if isinstance(event, Rolled) and event.again else ""
    result = "hit" if event.die >= event.needed else "miss"
    return (
        _die(_DIE / 2 + 2, _DIE / 2 + 6, event.die),
        text(42, 16, fitted(f"{target}{again}", width - 42), "bold"),
        text(42, 36, f"{event.needed}+ {result}"),
    )


def _beside_each_other(rolls: list[_Roll], in_a_row: int) -> Iterator[Element]:
    for number, roll in enumerate(rolls):
        row, column = divmod(number, in_a_row)
        x, y = _PITCH * column + _DIE / 2 + 2, _ROW * row + _DIE / 2
        yield _die(x, y, roll.die)
        if roll.cell is not None:
            yield text(x, y + _DIE / 2 + 14, cell_name(roll.cell), "mid soft")
        if roll.seat is not None:
            yield seat_mark(roll.seat, x, y + _DIE / 2 + 10, 6)


def _die(x: float, y: float, face: int) -> Element:
    half = _DIE / 2
    pips = "".join(f"M{8 * column} {8 * row}h0" for column, row in PIPS[face])
    return at(x, y, box(-half, -half, _DIE, _DIE, "ag-die", rx=6), path(pips, "ag-pips"))


def _offer(answer: Answer, width: float) -> tuple[Element, ...]:
    """The offering player, and what each of the two gives."""
    gives, takes = (short_name(held) if held is not None else "nothing" for held in (answer.gives, answer.takes))
    return (
        seat_mark(answer.seat, 9, 11),
        path("M26 11h14m-5-5l5 5-5 5", "glyph"),
        text(48, 16, fitted(gives, width - 48)),
        seat_mark(answer.partner, 9, 33),
        path("M26 33h14m-5-5l5 5-5 5", "glyph"),
        text(48, 38, fitted(takes, width - 48)),
    )


def struck(moment: Moment[View]) -> tuple[Element, ...]:
    """On the board: where an attack hit or missed, where enemies died or appeared, an explosion, the entrance lost."""
    cells = enemy_cells(moment.position) | {it.enemy: it.cell for it in moment.events if isinstance(it, Died)}
    entrance = BOARDS[moment.position.board].entrance
    lost = (_mark(cell, _FRAME, "ag-death") for cell in cells.values() if entrance >> cell & 1)
    return (*(mark for event in moment.events for mark in _marks(event, cells)), *lost)


def _marks(event: Any, cells: dict[int, Cell]) -> Iterator[Element]:
    """The marks of an event on the board."""
    match event:
        case Rolled(enemy, die, needed):
            yield _result_mark(cells[enemy], hit=die >= needed)
        case RolledToKindle(cell, die, needed):
            yield _result_mark(cell, hit=die >= needed)
        case Died(cell=cell):
            yield _mark(cell, _CROSS, "ag-death")
        case Spawned(cell=cell):
            yield _mark(cell, _FRAME, "ag-new")
        case Exploded(cell):
            yield _mark(cell, _BLAST, "ag-hit")


def _result_mark(cell: Cell, *, hit: bool) -> Element:
    return _mark(cell, _STAR, "ag-hit") if hit else _mark(cell, _RING, "ag-miss")


def _mark(cell: Cell, shape: str, class_: str) -> Element:
    x, y = middle(cell)
    return path(f"M{x} {y}{shape}", f"ag-mark {class_}")


_STAR = "m-20-20l9 4 7-6 4 7 7-7 3 8 10-4-4 10 7 5-7 5 5 9-9-3-4 8-6-7-7 7-3-8-9 3 4-9-8-5 7-5z"
_RING = "m-18 0a18 18 0 1 0 36 0a18 18 0 1 0-36 0z"
_CROSS = "m-7-7l14 14m0-14l-14 14"
_FRAME = "m-18-18h36v36h-36z"
_BLAST = "m-58-58l30 18 28-24 26 22 32-16-16 32 22 26-24 28 18 30-32-14-26 20-28-20-30 14 14-30-20-28 20-26z"
"""From the middle of a cell. The explosion covers the neighbours."""
