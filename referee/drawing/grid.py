"""Boards in texts: lines of signs that stand for the cells of a grid, found and drawn.

A game that nobody draws may tell its positions as text. Where such a text has as many lines after each other as the
board has rows, each with as many signs as the board has columns, these are the board.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.drawing.look import UNIT
from referee.drawing.svg import Element, at, box, dot, text

EMPTY = ".-_"
DISCS = {**dict.fromkeys("xXbB@", "gr-dark"), **dict.fromkeys("oOwW", "gr-light")}
"""The signs that are drawn as stones."""

STYLE = (
    ".gr-cell{fill:var(--panel);stroke:var(--edge);stroke-width:1}"
    ".board .gr-dark{fill:var(--ink);stroke:var(--ink);stroke-width:2}"
    ".board .gr-light{fill:var(--panel);stroke:var(--ink);stroke-width:2}"
    ".board .gr-new{fill:none;stroke:var(--accent);stroke-width:3}"
    ".board .gr-may{fill:none;stroke:var(--edge);stroke-width:1;stroke-dasharray:2 4}"
    ".board .chosen .gr-may{stroke-width:4;stroke-dasharray:none}"
)

_ROWS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<label>)(?P<signs>.*)",
        r"\s*(?:\D\s+)?(?P<label>\d+)\s*(?P<signs>.*)",
        r"\s*(?:\D\s+)?(?P<label>\d+)\s*(?P<signs>.*?)(?:\s+\S{1,2})\s*",
    )
)
"""A row: bare, with its number before it, and with a second label after it."""

_FEN = re.compile(r"\S*(?:/\S+){3,}")
"""The ranks of a chess board in Forsyth's notation, after each other."""

_LEAST_CELL, _MOST_CELL = 14, 48


class TextGrid(NamedTuple):
    """A board in a text.

    Attributes:
        signs: by row, a sign for each cell.
        shifts: by row, how far it lies to the right, in cells.
        rows: the labels of the rows; empty texts if there are none.
        columns: the labels of the columns, a sign for each; empty if there are none.
        rest: the lines of the text that are not part of the board.
        has_pieces: whether each sign is a piece, as in chess; else some are stones.
    """

    signs: tuple[str, ...]
    shifts: tuple[float, ...]
    rows: tuple[str, ...]
    columns: str
    rest: tuple[str, ...]
    has_pieces: bool


@lru_cache(1024)
def grid_in(words: str, height: int, width: int) -> TextGrid | None:
    """The first board of this size in a text; None if there is none."""
    lines = _without_ranks(words).splitlines()
    rows = [_row(line, width) for line in lines]
    for first in range(len(lines) - height + 1):
        found = [row for row in rows[first : first + height] if row is not None]
        if len(found) == height and not _is_header(found[0][1]):
            around = [
                line for line in (*lines[:first][-1:], *lines[first + height :][:1]) if _is_header_of(line, width)
            ]
            rest = (line for line in (*lines[:first], *lines[first + height :]) if line.strip() and line not in around)
            columns = around[0].replace(" ", "") if around else ""
            starts = [places[0] for _, _, places in found]
            step = min(places[1] - places[0] for _, _, places in found) if width > 1 else 1
            shifts = (0.0,) * height
            if not any(label for label, _, _ in found):
                shifts = tuple((start - min(starts)) / step for start in starts)
            labels, signs = tuple(row[0] for row in found), tuple(row[1] for row in found)
            return TextGrid(signs, shifts, labels, columns, tuple(rest), bool(_FEN.match(words)))
    return None


def _without_ranks(words: str) -> str:
    """The text, with ranks in Forsyth's notation as lines of a board: its digits count empty cells."""
    ranks = _FEN.match(words)
    if ranks is None:
        return words
    board, *held = re.split(r"(?=\[)", ranks[0], maxsplit=1)
    rows = re.sub(r"\d+", lambda empty: "." * int(empty[0]), re.sub(r"\+(.)", r"\1", board)).replace("/", "\n")
    return "\n".join((rows, *held, words[ranks.end() :].strip()))


def _row(line: str, width: int) -> tuple[str, str, list[int]] | None:
    """The label, the signs and their places in the line; None if the line has another number of signs."""
    for pattern in _ROWS:
        match = pattern.fullmatch(line)
        if match:
            places = [place for place in range(*match.span("signs")) if not line[place].isspace()]
            if len(places) == width:
                return match["label"], "".join(line[place] for place in places), places
    return None


def _is_header(signs: str) -> bool:
    """Whether the signs are the letters of columns."""
    return len(signs) > 1 and signs.isalpha() and list(signs) == sorted(set(signs)) and signs[0] in "aA"


def _is_header_of(line: str, width: int) -> bool:
    signs = "".join(line.split())
    return len(signs) == width and _is_header(signs)


class BoardFrame(NamedTuple):
    """Where a board lies in a picture, in units.

    Attributes:
        x: its left edge, labels included.
        y: its upper edge.
        cell: the side of a cell.
    """

    x: float
    y: float
    cell: float

    def cell_corner(self, grid: TextGrid, row: int, column: int) -> tuple[float, float]:
        """The left upper corner of a cell."""
        return self.x + 2 * UNIT + (column + grid.shifts[row]) * self.cell, self.y + row * self.cell


def cell_of(width: float, grid: TextGrid) -> float:
    """The side of a cell of a board that is so wide, in units."""
    columns = len(grid.signs[0]) + max(grid.shifts)
    return max(_LEAST_CELL, min(_MOST_CELL, (width - 4 * UNIT) / columns))


def drawn_grid(frame: BoardFrame, grid: TextGrid, before: TextGrid | None) -> tuple[Element, ...]:
    """The board: its cells, stones and letters, the labels at its edges, and a frame round each changed cell."""
    cells, things, changes = [], [], []
    for row, signs in enumerate(grid.signs):
        for column, sign in enumerate(signs):
            left_top = frame.cell_corner(grid, row, column)
            cells.append(box(*left_top, frame.cell, frame.cell, "gr-cell"))
            things += _thing(left_top, frame.cell, sign, is_stone=sign in DISCS and not grid.has_pieces)
            if before is not None and before.signs[row][column] != sign:
                changes.append(box(left_top[0] + 1.5, left_top[1] + 1.5, frame.cell - 3, frame.cell - 3, "gr-new"))
    return (*cells, *things, *changes, *_labels(frame, grid))


def _thing(left_top: tuple[float, float], cell: float, sign: str, *, is_stone: bool) -> list[Element]:
    x, y = left_top[0] + cell / 2, left_top[1] + cell / 2
    if sign in EMPTY:
        return []
    return [dot(x, y, cell * 0.38, DISCS[sign])] if is_stone else [text(x, y + 5, sign, "mid bold")]


def _labels(frame: BoardFrame, grid: TextGrid) -> list[Element]:
    rows = [
        text(frame.x + 2 * UNIT - 3, frame.y + (row + 0.5) * frame.cell + 5, label, "end soft")
        for row, label in enumerate(grid.rows)
        if label
    ]
    below = frame.y + len(grid.signs) * frame.cell + 15
    columns = [
        text(frame.cell_corner(grid, -1, column)[0] + frame.cell / 2, below, label, "mid soft")
        for column, label in enumerate(grid.columns)
    ]
    return rows + columns


def cells_named(grid: TextGrid, actions: Sequence[str]) -> Mapping[int, tuple[tuple[int, int], ...]]:
    """By action, the cells that its text names; none if two name the same cells.

    A text may have row and column, letter and number, or the column alone. An action that names no cell, such as
    passing, has none.
    """
    found = {number: cells for number, words in enumerate(actions) if (cells := _cells_of(grid, words))}
    return found if len(set(found.values())) == len(found) else {}


def _cells_of(grid: TextGrid, words: str) -> tuple[tuple[int, int], ...]:
    height, width = len(grid.signs), len(grid.signs[0])
    pairs = re.findall(r"\((\d+), ?(\d+)\)", words)
    named = re.fullmatch(r"(?:\S ?)??([a-zA-Z])(\d+)", words)
    column = re.fullmatch(r"\D?(\d+)", words)
    letters = grid.columns.lower() or "abcdefghijklmnopqrstuvwxyz"[:width]
    labels = grid.rows if any(grid.rows) else tuple(str(row + 1) for row in range(height))
    if len(pairs) == 1:
        row, at_column = map(int, pairs[0])
        return ((row, at_column),) if row < height and at_column < width else ()
    if column and int(column[1]) < width and (not named or words[0] in "xo") and not grid.columns:
        return tuple((row, int(column[1])) for row in range(height))
    if named and named[1].lower() in letters and named[2] in labels:
        return ((labels.index(named[2]), letters.index(named[1].lower())),)
    return ()


def drawn_target(
    frame: BoardFrame, grid: TextGrid, cells: tuple[tuple[int, int], ...], **attributes: str | None
) -> Element:
    """A frame round cells that stand for an action."""
    x, y = frame.cell_corner(grid, *cells[0])
    height = frame.cell * len(cells)
    return at(x, y, box(3, 3, frame.cell - 6, height - 6, "gr-may", rx=4), **attributes)
