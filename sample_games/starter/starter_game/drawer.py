"""A picture of a position, in twenty lines. Without this file the pictures are the words of `describe_view`."""

from collections.abc import Mapping
from typing import Any

from referee.drawing.drawer import Layer, Layers, Moment, Size
from referee.drawing.look import WIDTH, fitted
from referee.drawing.marks import actions, card_back, seat_mark
from referee.drawing.svg import Element, box, group, placed, text
from starter_game.rules import Options, Out, State, Stay, View

_CHOICES: Mapping[bool | None, str] = {True: ", stays", False: ", is out", None: ""}


class StarterGameDrawer:
    """Draws a row for each player: the name, the chips, the card, and whether the player stays."""

    style = ""

    def size(self, options: Options, seats: int) -> Size:  # noqa: ARG002 - the same for all options
        """A row for each player, and one for the choices."""
        return Size(WIDTH, 60 * seats + 50)

    def whole(self, moment: Moment[State]) -> Layers:
        """All cards are open."""
        state = moment.position
        return _drawn(moment, dict(enumerate(state.cards)), dict(zip(state.order, state.stays, strict=False)))

    def for_seat(self, moment: Moment[View]) -> Layers:
        """The own card is open."""
        view = moment.position
        return _drawn(moment, {view.seat: view.card} if view.card else {}, dict(enumerate(view.stays)))

    def barred(self, moment: Moment[View]) -> tuple[()]:  # noqa: ARG002 - everybody may always do both
        """Nothing is forbidden."""
        return ()


def _drawn(moment: Moment[Any], cards: Mapping[int, int], stays: Mapping[int, bool | None]) -> Layers:
    rows: list[Element] = []
    for seat, name in enumerate(moment.names):
        card = text(36, 28, str(cards[seat])) if seat in cards else card_back(26, 4, 30, 40)
        words = f"{moment.position.chips[seat]:+} chips{_CHOICES[stays.get(seat)]}"
        row = (seat_mark(seat, 10, 24), card, text(70, 22, fitted(name, 200)), text(70, 42, words))
        rows += placed(10, 60 * seat + 10, *row)
    for number, action in enumerate((Stay(), Out())):  # what a person can click
        x, y, marks = 20 + 120 * number, 60 * len(moment.names) + 10, actions(moment, action.__eq__)
        label = text(x + 12, y + 20, "be out" if number else "stay")
        rows.append(group(box(x, y, 100, 30, "back"), label, **marks))
    return (Layer("table", tuple(rows)),)


drawer = StarterGameDrawer()
"""The entry point in pyproject.toml names this."""
