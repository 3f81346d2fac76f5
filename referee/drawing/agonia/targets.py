"""Targets for the asked player's actions: cells, cards, the deck and buttons, each with its actions' indices."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from referee.core.outcome import Seat
from referee.drawing.agonia.layout import CELL, DECK, Layout, middle, top_left
from referee.drawing.agonia.players import hand
from referee.drawing.agonia.street import enemy_cells
from referee.drawing.drawer import Box, Moment
from referee.drawing.svg import Element, box, group, path, text
from referee.games.agonia.box.board import BOARDS, Cell
from referee.games.agonia.box.cards import HeldCard
from referee.games.agonia.box.tokens import BARRIL
from referee.games.agonia.position.actions import (
    Discard,
    EndTurn,
    Equip,
    Exchange,
    Go,
    Keep,
    Place,
    Reply,
    SearchDeck,
    ShootBarrel,
    ShootEnemy,
    ShootLine,
    Throw,
)
from referee.games.agonia.view import View


class _Spot(NamedTuple):
    """A shape that stands for actions.

    Attributes:
        class_: its class.
        shape: its path, or the box around it.
        words: what stands on a button.
        seat: the player whose block has it; None if it is on the board.
    """

    class_: str
    shape: str | Box
    words: str = ""
    seat: Seat | None = None


class _Asking(NamedTuple):
    """A question on the board."""

    places: Layout
    view: View
    seat: Seat


def targets(places: Layout, moment: Moment[View], seat: Seat | None) -> tuple[Element, ...]:
    """The legal actions of the one question that the viewer knows of, in a player's block or (None) on the board."""
    if len(moment.questions) != 1:
        return ()
    question = moment.questions[0]
    asking = _Asking(places, moment.position, question.seat)
    found: dict[_Spot, list[int]] = {}
    for index, action in enumerate(question.legal):
        for spot in _SPOTS[type(action)](asking, action):
            found.setdefault(spot, []).append(index)
    here = (it for it in found.items() if it[0].seat == seat)
    return tuple(_drawn(spot, indices, chosen=question.chosen in indices) for spot, indices in here)


def _drawn(spot: _Spot, indices: list[int], *, chosen: bool) -> Element:
    class_, index_text = f"{spot.class_} chosen" if chosen else spot.class_, " ".join(map(str, indices))
    if isinstance(spot.shape, str):
        return path(spot.shape, class_, data_actions=index_text)
    if not spot.words:
        return box(*spot.shape, class_, rx=6, data_actions=index_text)
    x, y, width, _ = spot.shape
    words = text(x + width / 2, y + 15, spot.words, "mid")
    return group(box(*spot.shape, rx=6), words, class_=class_, data_actions=index_text)


# Where an action is drawn


def _go(_asking: _Asking, action: Go) -> Iterator[_Spot]:
    x, y = middle(action.cell)
    yield _Spot("ag-go", f"M{x} {y}h0")


def _aimed(cell: Cell) -> _Spot:
    return _Spot("ag-aim", _in_cell(cell))


def _shot(cell: Cell) -> _Spot:
    return _Spot("ag-shot", _in_cell(cell))


def _throw(asking: _Asking, action: Throw) -> Iterator[_Spot]:
    yield _aimed(action.cell)
    yield _in_hand(asking, asking.seat, action.card)


def _place(asking: _Asking, action: Place) -> Iterator[_Spot]:
    yield from map(_aimed, action.cells)
    yield _in_hand(asking, asking.seat, action.card)


def _shoot(asking: _Asking, action: ShootEnemy) -> Iterator[_Spot]:
    yield _shot(enemy_cells(asking.view)[action.enemy])


def _shoot_barrel(asking: _Asking, _: ShootBarrel) -> Iterator[_Spot]:
    yield from (_shot(token.cells[0]) for token in asking.view.tokens if token.kind is BARRIL)


def _shoot_line(asking: _Asking, action: ShootLine) -> Iterator[_Spot]:
    """An arrow from the player to the next cell of the line."""
    here = asking.view.players[asking.seat].cell
    x, y = middle(here)
    to = middle(BOARDS[asking.view.board].lines[here][action.direction - 1][0])
    dx, dy = (to[0] - x) / CELL, (to[1] - y) / CELL
    start, tip, wing = 0.5 * CELL, 0.85 * CELL, 7
    point = f"M{x + dx * start:.5g} {y + dy * start:.5g}L{x + dx * tip:.5g} {y + dy * tip:.5g}"
    back = (x + dx * (tip - wing), y + dy * (tip - wing))
    left, right = ((back[0] - turn * dy * wing, back[1] + turn * dx * wing) for turn in (1, -1))
    head = f"M{left[0]:.5g} {left[1]:.5g}L{x + dx * tip:.5g} {y + dy * tip:.5g}L{right[0]:.5g} {right[1]:.5g}"
    yield _Spot("ag-line", point + head)


def _use(asking: _Asking, action: Equip | Discard) -> Iterator[_Spot]:
    yield _in_hand(asking, asking.seat, action.card)


def _exchange(asking: _Asking, action: Exchange) -> Iterator[_Spot]:
    """The partner, and the cards that would change hands."""
    yield _Spot("ag-shot", _in_cell(asking.view.players[action.partner].cell))
    for seat, held in ((asking.seat, action.gives), (action.partner, action.takes)):
        if held is not None:
            yield _in_hand(asking, seat, held)


def _search(_asking: _Asking, _: SearchDeck) -> Iterator[_Spot]:
    yield _Spot("ag-use", DECK)


def _button(number: int, words: str) -> Callable[[_Asking, Any], Iterator[_Spot]]:
    def spots(asking: _Asking, _: Any) -> Iterator[_Spot]:
        yield _Spot("ag-button", asking.places.button(asking.seat, number), words, asking.seat)

    return spots


_ACCEPT, _REFUSE = _button(1, "accept"), _button(0, "refuse")

_SPOTS: dict[type, Callable[[_Asking, Any], Iterator[_Spot]]] = {
    Go: _go,
    Equip: _use,
    SearchDeck: _search,
    Keep: _button(0, "keep all"),
    ShootEnemy: _shoot,
    ShootBarrel: _shoot_barrel,
    ShootLine: _shoot_line,
    Throw: _throw,
    Place: _place,
    Exchange: _exchange,
    Reply: lambda asking, it: _ACCEPT(asking, it) if it.accept else _REFUSE(asking, it),
    Discard: _use,
    EndTurn: _button(0, "end turn"),
}


def _in_cell(cell: Cell) -> str:
    """A square of 34 units; the style sheet draws only its corners."""
    x, y = top_left(cell)
    return f"M{x + 3} {y + 3}h34v34h-34z"


def _in_hand(asking: _Asking, seat: Seat, held_card: HeldCard) -> _Spot:
    """Of equal cards the first stands for all."""
    cards = hand(asking.places, seat, asking.view.players[seat])
    return _Spot("ag-use", next(place for card, place in cards if card == held_card), seat=seat)
