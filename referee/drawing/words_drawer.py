"""The drawers of games that no package draws: the words for a position, and the boards in the texts of OpenSpiel.

Where such a text has as many lines after each other as the board of the game has rows, each with as many signs as the
board has columns, these lines are the board.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from operator import eq
from string import ascii_lowercase
from textwrap import wrap
from typing import Any, NamedTuple

from referee.core.game import AnyGame
from referee.drawing.drawer import ForbiddenAction, Layer, Layers, Moment, Size
from referee.drawing.look import UNIT, WIDTH
from referee.drawing.marks import actions
from referee.drawing.svg import Element, at, box, dot, plain, text
from referee.games.openspiel.game import View
from referee.games.openspiel.library import Options, has_perfect_information, load_game, told_as

_EDGE = 2 * UNIT
_LINE = 2.5 * UNIT
_COLUMNS = int((WIDTH - 2 * _EDGE) / 8.5)
"""So many letters of a monospaced font of the size `look.SMALL` fit into a line."""

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_EMPTY = ".-_"
_STONES = {**dict.fromkeys("xXbB@", "gr-dark"), **dict.fromkeys("oOwW", "gr-light")}
_LABEL = r"\s*(?:\D\s+)?(?P<label>\d+)\s*"
_ROWS = (r"(?P<label>)(?P<signs>.*)", _LABEL + r"(?P<signs>.*)", _LABEL + r"(?P<signs>.*?)\s+\S{1,2}\s*")
"""A row: bare, with its number before it, and with a second label after it."""

_FEN = re.compile(r"\S*(?:/\S+){3,}")
"""The ranks of a chess board in Forsyth's notation, after each other."""


class _Plan(NamedTuple):
    """What the pictures of a match have in common. So all are equally high, whatever the position is.

    Attributes:
        lines: how many lines of text there are at most.
        boards: how many boards lie side by side above them: one for each seat, if they may differ.
        rows: of a board.
        columns: likewise.
        cell: the side of a cell, in units.
    """

    lines: int
    boards: int = 0
    rows: int = 0
    columns: int = 0
    cell: float = 0

    @property
    def top(self) -> float:
        """Where the text begins, in units."""
        return _EDGE + (self.rows * self.cell + _LINE if self.boards else 0)


class WordsDrawer:
    """Writes the words for a position as its picture: a `Drawer`. Blanks stay, as they may make columns."""

    style = (
        ".gr-cell{fill:var(--panel);stroke:var(--edge);stroke-width:1}"
        ".board .gr-dark{fill:var(--ink);stroke:var(--ink);stroke-width:2}"
        ".board .gr-light{fill:var(--panel);stroke:var(--ink);stroke-width:2}"
        ".board .gr-new{fill:none;stroke:var(--accent);stroke-width:3}"
        ".board .gr-may{fill:none;stroke:var(--edge);stroke-width:1;stroke-dasharray:2 4}"
        ".board .chosen .gr-may{stroke-width:4;stroke-dasharray:none}"
    )

    def __init__(self, game: AnyGame) -> None:
        """Draw the matches of `game`."""
        self._game: Any = game

    def size(self, options: Any, seats: int) -> Size:
        """As wide as every picture, and as high as its boards and lines."""
        plan = self._plan(options, seats)
        return Size(WIDTH, int(plan.top + _LINE * plan.lines + _EDGE))

    def whole(self, moment: Moment[Any]) -> Layers:
        """The words for the views of all seats; of equal views one."""
        now, before = (
            [self._words(moment, self._game.view(state, seat)) for seat in range(len(moment.names))]
            for state in (moment.position, moment.before or moment.position)
        )
        return self._drawn(moment, dict(zip(now, before, strict=True)))

    def for_seat(self, moment: Moment[Any]) -> Layers:
        """The words for the view of a seat."""
        now, before = (self._words(moment, view) for view in (moment.position, moment.before or moment.position))
        return self._drawn(moment, {now: before})

    def barred(self, moment: Moment[Any]) -> tuple[ForbiddenAction, ...]:  # noqa: ARG002 - nothing is drawn that could be barred
        """Nothing."""
        return ()

    def _plan(self, options: Any, seats: int) -> _Plan:  # noqa: ARG002 - the same for all options
        return _Plan(lines=12 + 4 * seats)

    def _words(self, moment: Moment[Any], view: Any) -> str:  # noqa: ARG002 - the same in all moments
        return str(self._game.describe_view(view))

    def _drawn(self, moment: Moment[Any], texts: Mapping[str, str]) -> Layers:
        """The picture of these texts. Each stands before that of the picture before."""
        plan = self._plan(moment.options, len(moment.names))
        drawn, targets, lines = list[Element](), list[Element](), list[str]()
        for number, (words, before) in enumerate(texts.items()):
            grid = _grid_in(words, plan.rows, plan.columns) if number < plan.boards else None
            if grid is None:
                lines += words.splitlines()
                continue
            board = _Board(grid, 2 * _EDGE + number * (WIDTH - 2 * _EDGE) / plan.boards, plan.cell)
            drawn += board.drawn(_grid_in(before, plan.rows, plan.columns) or grid)
            targets += board.targets(moment) if len(texts) == 1 else ()
            lines += [line for line in grid.rest if line not in lines]
        written = tuple(_written(lines, plan.top, plan.lines))
        return Layer("board", tuple(drawn)), Layer("targets", tuple(targets)), Layer("words", written)


class OpenSpielDrawer(WordsDrawer):
    """Draws the games of OpenSpiel whose texts have a board; writes the rest of the text below it.

    Only the first position and the rules decide whether there is a board, so that all pictures have the same size.
    """

    def _plan(self, options: Options, seats: int) -> _Plan:
        return _openspiel_plan(self._game, options, seats)

    def _words(self, moment: Moment[Any], view: View) -> str:
        """The text; without the number of the seat where all see the same, or have boards side by side."""
        is_plain = has_perfect_information(moment.options.game) or self._plan(moment.options, len(moment.names)).boards
        return view.text if view.text and is_plain else super()._words(moment, view)


@lru_cache(256)
def _openspiel_plan(game: Any, options: Options, seats: int) -> _Plan:
    """For the first position in which somebody chooses: many games show nothing before it."""
    state = game.setup(options, seats)
    while state.position.is_chance_node():
        state = state.after(state.position.legal_actions()[0])
    words, boards = game.view(state, 0).text, 1 if has_perfect_information(options.game) else seats
    tensor = told_as(options.game, "observation", "tensor")
    sides: list[int] = getattr(load_game(options.game), f"{tensor}_shape")() if tensor else []
    for rows, columns in [*([sides[1:]] if len(sides) == 3 else []), (8, 8)]:
        if grid := _grid_in(words, rows, columns):
            room = (WIDTH - 2 * _EDGE) / boards - 2 * _EDGE
            cell = max(14, min(48, room / (columns + max(row.left for row in grid.rows))))
            return _Plan(boards * len(grid.rest) + 2, boards, rows, columns, cell)
    return _Plan(max(12 + 4 * seats, boards * (len(words.splitlines()) + 1)))


def _written(lines: Iterable[str], y: float, most: int) -> Iterator[Element]:
    """Lines in monospaced type below each other, from `y` on. Of more than `most`, the last is an ellipsis."""
    plain_lines = (plain(_COLOURS.sub("", line).rstrip()) for line in lines)
    broken = [part for line in plain_lines for part in wrap(line, _COLUMNS, drop_whitespace=False) or [""]]
    if len(broken) > most:  # the list beside the picture has all of them
        broken = [*broken[: most - 1], "…"]
    for number, line in enumerate(broken):
        if line.strip():
            yield text(_EDGE, y + _LINE * (number + 0.75), line, "mono")


class _Row(NamedTuple):
    """A row of a board in a text: its label, which may be empty, a sign for each cell, and its shift in cells."""

    label: str
    signs: str
    left: float


class _Grid(NamedTuple):
    """A board in a text.

    Attributes:
        rows: its rows.
        columns: the labels of the columns, a sign for each; empty if there are none.
        rest: the lines of the text that are not part of the board.
        has_pieces: whether each sign is a piece, as in chess; else some are stones.
    """

    rows: tuple[_Row, ...]
    columns: str
    rest: tuple[str, ...]
    has_pieces: bool


@lru_cache(1024)
def _grid_in(words: str, height: int, width: int) -> _Grid | None:
    """The first board of this size in a text; None if there is none."""
    ranks = _FEN.match(words)
    lines = (_expanded(ranks) if ranks else words).splitlines()
    rows = [_row(line, width) for line in lines]
    for first in range(len(lines) - height + 1):
        found = [row for row in rows[first : first + height] if row is not None]
        if len(found) == height and not _is_header(found[0].signs):
            before, after = lines[:first], lines[first + height :]
            headers = [it for it in before[-1:] + after[:1] if len(_signs(it)) == width and _is_header(_signs(it))]
            rest = (line for line in before + after if line.strip() and line not in headers)
            least = min(row.left for row in found)
            shifted = (row._replace(left=row.left - least) for row in found)
            return _Grid(tuple(shifted), "".join(map(_signs, headers[:1])), tuple(rest), ranks is not None)
    return None


def _expanded(ranks: re.Match[str]) -> str:
    """A text that begins with ranks in Forsyth's notation, with these as lines: digits count empty cells."""
    board, *pocket = re.split(r"(?=\[)", ranks[0], maxsplit=1)
    rows = re.sub(r"\d+", lambda empty: "." * int(empty[0]), re.sub(r"\+(.)", r"\1", board))
    return "\n".join((rows.replace("/", "\n"), *pocket, ranks.string[ranks.end() :].strip()))


def _row(line: str, width: int) -> _Row | None:
    """The line as a row of a board; None if it has another number of signs."""
    for pattern in _ROWS:
        match = re.fullmatch(pattern, line)
        places = [place for place in range(*match.span("signs")) if not line[place].isspace()] if match else []
        if match and len(places) == width:
            step = places[1] - places[0] if width > 1 else 1
            return _Row(match["label"], _signs(match["signs"]), 0 if match["label"] else places[0] / step)
    return None


def _signs(line: str) -> str:
    return "".join(line.split())


def _is_header(signs: str) -> bool:
    """Whether the signs are the letters of columns."""
    return len(signs) > 1 and signs.isalpha() and list(signs) == sorted(set(signs)) and signs[0] in "aA"


class _Board(NamedTuple):
    """A grid in a picture, with the left edge and the side of its cells in units."""

    grid: _Grid
    left: float
    cell: float

    def cell_corner(self, row: int, column: int) -> tuple[float, float]:
        """The left upper corner of a cell."""
        return self.left + (column + self.grid.rows[row].left) * self.cell, _EDGE + row * self.cell

    def drawn(self, before: _Grid) -> Iterator[Element]:
        """Cells, stones and letters, the labels at the edges, and a frame round each cell that has changed."""
        for at_row, row in enumerate(self.grid.rows):
            if row.label:
                yield text(self.left - 3, _EDGE + (at_row + 0.5) * self.cell + 5, row.label, "end soft")
            for column, sign in enumerate(row.signs):
                yield from self._cell(at_row, column, sign, is_new=before.rows[at_row].signs[column] != sign)
        for column, label in enumerate(self.grid.columns):
            x, y = self.cell_corner(-1, column)
            yield text(x + self.cell / 2, y + (len(self.grid.rows) + 1) * self.cell + 15, label, "mid soft")

    def _cell(self, row: int, column: int, sign: str, *, is_new: bool) -> Iterator[Element]:
        (x, y), half = self.cell_corner(row, column), self.cell / 2
        yield box(x, y, self.cell, self.cell, "gr-cell")
        if sign in _STONES and not self.grid.has_pieces:
            yield dot(x + half, y + half, self.cell * 0.38, _STONES[sign])
        elif sign not in _EMPTY:
            yield text(x + half, y + half + 5, sign, "mid bold")
        if is_new:
            yield box(x + 1.5, y + 1.5, self.cell - 3, self.cell - 3, "gr-new")

    def targets(self, moment: Moment[Any]) -> Iterator[Element]:
        """The cells that the actions of the one question name; none if two name the same."""
        if len(moment.questions) == 1:
            legal = moment.questions[0].legal
            found = {action: cells for action in legal if (cells := self._named(action.text))}
            for action, cells in found.items() if len(set(found.values())) == len(found) else ():
                x, y = self.cell_corner(*cells[0])
                frame = box(3, 3, self.cell - 6, self.cell * len(cells) - 6, "gr-may", rx=4)
                yield at(x, y, frame, **actions(moment, partial(eq, action)))

    def _named(self, words: str) -> tuple[tuple[int, int], ...]:
        """The cells that the text of an action names, by row and column, letter and number, or the column alone."""
        rows, width = self.grid.rows, len(self.grid.rows[0].signs)
        labels = [row.label or str(number) for number, row in enumerate(rows, 1)]
        letters = self.grid.columns.lower() or ascii_lowercase[:width]
        pairs = re.findall(r"\((\d+), ?(\d+)\)", words)
        if len(pairs) == 1:
            row, column = map(int, pairs[0])
            return ((row, column),) if row < len(rows) and column < width else ()
        lettered = re.fullmatch(r"(?:\S ?)??([a-zA-Z])(\d+)", words)
        numbered = not self.grid.columns and re.fullmatch(r"(?:[xo]|\W)?(\d+)", words)
        if numbered and (column := int(numbered[1])) < width:
            return tuple((row, column) for row in range(len(rows)))
        if lettered and lettered[1].lower() in letters and lettered[2] in labels:
            return ((labels.index(lettered[2]), letters.index(lettered[1].lower())),)
        return ()
