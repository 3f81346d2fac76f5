"""Above the board: the round, the piles, the counter's track, and what holds for this round or how the match ended."""

from collections.abc import Iterator

from referee.core.outcome import FAULT, Outcome
from referee.drawing.agonia.layout import END, PILE_PITCH, PILE_X
from referee.drawing.agonia.players import short_name
from referee.drawing.drawer import Moment
from referee.drawing.look import UNIT, fitted
from referee.drawing.marks import title
from referee.drawing.svg import Element, box, group, path, text
from referee.games.agonia.position.state import ROUNDS_ON_LAST, Ending, State
from referee.games.agonia.view import View
from referee.games.agonia.words.describe import ENEMIES

_TRACK_Y, _TRACK_HEIGHT = 44, 18
_LEAST_WIDTH = 22
"""Of the counter: room for two digits."""
_NOTE_Y = 78
_COMING_Y = 96
_NOTE_WIDTH = END - UNIT
_SUPPLIES = frozenset({3, 6, 9})
"""Where every player draws a card (AG-52)."""

_ENDINGS = {
    Ending.VICTORY: "All win: no enemy is left",
    Ending.ENTRANCE: "All lose: an enemy is in the entrance",
    Ending.SIEGE: "All lose: the siege has lasted too long",
    FAULT: "Ended by a player's fault",
}


def frame(view: View) -> tuple[Element, ...]:
    """The fixed parts: the names of the piles, and the track with a cell for each number up to the last.

    A cross means supplies, and a flag the end.
    """
    cells = range(1, view.last + 1)
    return (
        *(text(PILE_X + number * PILE_PITCH, 31, name, "mid soft") for number, name in enumerate(_PILES)),
        box(UNIT, _TRACK_Y, END - UNIT, _TRACK_HEIGHT, "ag-track"),
        path("".join(f"M{_left(view, cell):.5g} {_TRACK_Y}v{_TRACK_HEIGHT}" for cell in cells[1:]), "ag-ticks"),
        path("".join(_sign(view, cell) for cell in cells), "ag-sign"),
    )


_PILES = ("deck", "discards", "pile", "killed")


def counter(moment: Moment[View]) -> tuple[Element, ...]:
    """The round, the piles, where the counter stands, and what holds for the round or how the match ended."""
    view = moment.position
    counts = (view.deck_count, len(view.discards), view.pile_count, view.killed)
    return (
        text(UNIT, 32, f"round {view.round}" if view.round else "set-up", "big"),
        *(text(PILE_X + PILE_PITCH * at, 16, str(count), "mid bold") for at, count in enumerate(counts)),
        *(_here(view) if view.counter else ()),
        *(_note(view) if moment.outcome is None else _result(moment.outcome)),
    )


def _here(view: View) -> tuple[Element, Element]:
    """The counter. On a long track it is wider than its cell, but never leaves the track."""
    wide = max(_cell_width(view), _LEAST_WIDTH)
    middle = _left(view, view.counter) + _cell_width(view) / 2
    middle = min(max(middle, UNIT + wide / 2), END - wide / 2)
    return (
        box(middle - wide / 2, _TRACK_Y - 2, wide, _TRACK_HEIGHT + 4, "ag-now", rx=4),
        text(middle, _TRACK_Y + 14, str(view.counter), "mid ag-nowtext"),
    )


def _cell_width(view: View) -> float:
    return (END - UNIT) / view.last


def _left(view: View, cell: int) -> float:
    return UNIT + (cell - 1) * _cell_width(view)


def _sign(view: View, cell: int) -> str:
    middle, y = _left(view, cell) + _cell_width(view) / 2, _TRACK_Y + _TRACK_HEIGHT / 2
    if cell == view.last:
        return f"M{middle - 4:.1f} {y + 7:.1f}v-14l9 4-9 4"
    return f"M{middle - 4:.1f} {y:.1f}h8m-4-4v8" if cell in _SUPPLIES else ""


def _note(view: View) -> tuple[Element, ...]:
    notes = (
        f"siege {view.rounds_on_last} of {ROUNDS_ON_LAST}" if view.rounds_on_last else "",
        "calm: no more enemies" if view.calm else "",
        f"stampede +{view.stampedes}" if view.stampedes else "",
    )
    note = "; ".join(filter(None, notes))
    return (text(UNIT, _NOTE_Y, fitted(note, _NOTE_WIDTH), "soft"),) if note else ()


def coming(state: State) -> tuple[Element, ...]:
    """For onlookers who see everything: the tops of the deck and of the pile in words, and both in their order."""
    cards, pile = [*map(short_name, state.deck)], [ENEMIES[kind] for kind in state.pile]
    tops = ", ".join((*(f"next card {name}" for name in cards[:1]), *(f"next enemy {name}" for name in pile[:1])))
    words = (text(UNIT, _COMING_Y, fitted(tops, _NOTE_WIDTH), "soft"),) if tops else ()
    return (*words, *_stacked(PILE_X, cards), *_stacked(PILE_X + 2 * PILE_PITCH, pile))


def _stacked(middle: int, names: list[str]) -> Iterator[Element]:
    """A pile as a row of bars, its bottom on the left. A bar names its cards, the next first."""
    for number, end in enumerate(range(len(names), 0, -_IN_A_BAR)):
        order = title(", ".join(names[max(0, end - _IN_A_BAR) : end]))
        yield group(order, box(middle - 32 + 8 * number, 35, 6, 3), class_="ag-stack")


_IN_A_BAR = 8


def _result(outcome: Outcome) -> tuple[Element, ...]:
    won = outcome.places[0] == 1
    check = "M0 6l5 5 9-11" if won else "M1 0l11 11m0-11l-11 11"
    sign = path(check, f"ag-verdict ag-{'won' if won else 'defeat'}")
    words = _ENDINGS.get(outcome.ending, outcome.ending)
    return (group(sign, transform=f"translate({UNIT} {_NOTE_Y - 11})"), text(UNIT + 22, _NOTE_Y, words, "bold"))
