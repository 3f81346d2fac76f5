"""The drawers of games that no package draws: the words for a position, and the boards in the texts of OpenSpiel."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain
from typing import Any, NamedTuple

from referee.core.game import AnyGame
from referee.drawing.drawer import ForbiddenAction, Layer, Layers, Moment, Size
from referee.drawing.grid import STYLE, BoardFrame, TextGrid, cell_of, cells_named, drawn_grid, drawn_target, grid_in
from referee.drawing.look import UNIT, WIDTH
from referee.drawing.marks import actions
from referee.drawing.svg import Element, plain, text
from referee.games.openspiel.game import View
from referee.games.openspiel.library import Options, has_perfect_information, load_game

_EDGE = 2 * UNIT
_LINE = 2.5 * UNIT
_LETTER = 8.5
"""At most so wide is a letter of a monospaced font of the size `look.SMALL`, in units."""

_COLUMNS = int((WIDTH - 2 * _EDGE) / _LETTER)
_LINES, _LINES_OF_A_SEAT = 12, 4
"""The number of lines in a picture. All pictures of a match are equally high, whatever the position is."""

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class WordsDrawer:
    """Writes the words for a position as its picture: a `Drawer`. Blanks stay, as they may make columns."""

    style = STYLE

    def __init__(self, game: AnyGame) -> None:
        """Draw the matches of `game`."""
        self._game: Any = game

    def size(self, options: Any, seats: int) -> Size:
        """As wide as every picture; higher with more seats."""
        return Size(WIDTH, int(2 * _EDGE + _LINE * self.most_lines(options, seats)))

    def whole(self, moment: Moment[Any]) -> Layers:
        """The words for the views of all seats; of equal views one."""
        views = (self._game.view(moment.position, seat) for seat in range(len(moment.names)))
        return self._written(moment, *(self.words(moment, view) for view in views))

    def for_seat(self, moment: Moment[Any]) -> Layers:
        """The words for the view of a seat."""
        return self._written(moment, self.words(moment, moment.position))

    def barred(self, moment: Moment[Any]) -> tuple[ForbiddenAction, ...]:  # noqa: ARG002 - nothing is drawn that could be barred
        """Nothing."""
        return ()

    def most_lines(self, options: Any, seats: int) -> int:  # noqa: ARG002 - the same for all options
        """How many lines a picture has at most."""
        return _LINES + _LINES_OF_A_SEAT * seats

    def words(self, moment: Moment[Any], view: Any) -> str:  # noqa: ARG002 - the same in all moments
        """The words for a view."""
        return str(self._game.describe_view(view))

    def _written(self, moment: Moment[Any], *texts: str) -> Layers:
        lines = chain.from_iterable(map(str.splitlines, dict.fromkeys(texts)))
        most = self.most_lines(moment.options, len(moment.names))
        return (Layer("words", tuple(lines_of_text(lines, _EDGE, most))),)


def lines_of_text(lines: Iterable[str], y: float, most: int) -> Iterator[Element]:
    """Lines in monospaced type below each other, from `y` on. Of more than `most`, the last is an ellipsis."""
    broken = [part for line in lines for part in _broken(line)]
    if len(broken) > most:  # the list beside the picture has all of them
        broken = [*broken[: most - 1], "…"]
    for number, line in enumerate(broken):
        if line.strip():
            yield text(_EDGE, y + _LINE * (number + 0.75), line, "mono")


def _broken(line: str) -> list[str]:
    """The line in pieces that fit into the picture."""
    words = plain(_COLOURS.sub("", line).rstrip())
    return [words[begin : begin + _COLUMNS] for begin in range(0, max(1, len(words)), _COLUMNS)]


class _Plan(NamedTuple):
    """What the pictures of a game have in common.

    Attributes:
        rows: of its board; 0 if it has none.
        columns: likewise.
        boards: how many boards lie side by side: one for each seat, if they may differ.
        frames: where these lie.
        height: of the boards with their labels, in units.
        lines: how many lines of text are below them.
    """

    rows: int
    columns: int
    boards: int
    frames: tuple[BoardFrame, ...]
    height: float
    lines: int


class OpenSpielDrawer(WordsDrawer):
    """Draws the games of OpenSpiel whose texts have a board; writes the rest of the text below it.

    Only the first position and the rules decide whether there is a board, so that all pictures have the same size.
    """

    def size(self, options: Options, seats: int) -> Size:
        """As high as the boards, and the text of the first position with some room."""
        plan = self._plan(options, seats)
        if not plan.rows:
            return super().size(options, seats)
        return Size(WIDTH, int(2 * _EDGE + plan.height + _LINE * plan.lines))

    def whole(self, moment: Moment[Any]) -> Layers:
        """The boards of all seats side by side; of equal ones one."""
        plan, seats = self._plan(moment.options, len(moment.names)), range(len(moment.names))
        if not plan.rows:
            return super().whole(moment)
        views = [
            [self._game.view(state, seat) for seat in seats] for state in (moment.position, moment.before) if state
        ]
        texts = list(dict.fromkeys(view.text for view in views[0]))[: plan.boards]
        first = {view.text: view.seat for view in reversed(views[0])}
        before = [views[1][first[words]].text if len(views) > 1 else "" for words in texts]
        return self._drawn(moment, plan, texts, before)

    def for_seat(self, moment: Moment[View]) -> Layers:
        """The board of a seat."""
        plan = self._plan(moment.options, len(moment.names))
        if not plan.rows:
            return super().for_seat(moment)
        before = "" if moment.before is None else moment.before.text
        return self._drawn(moment, plan, [moment.position.text], [before])

    def most_lines(self, options: Options, seats: int) -> int:
        """Enough for the text of the first position, once for each seat if the texts may differ."""
        return max(super().most_lines(options, seats), self._plan(options, seats).lines)

    def words(self, moment: Moment[Any], view: View) -> str:
        """The text; without the number of the seat where all see the same."""
        return view.text if view.text and has_perfect_information(moment.options.game) else super().words(moment, view)

    def _plan(self, options: Options, seats: int) -> _Plan:
        return _plan(self._game, options, seats)

    def _drawn(self, moment: Moment[Any], plan: _Plan, texts: list[str], before: list[str]) -> Layers:
        drawn, targets, rest = list[Element](), list[Element](), list[str]()
        for frame, words, earlier in zip(plan.frames, texts, before, strict=False):
            grid = grid_in(words, plan.rows, plan.columns)
            if grid is None:
                rest += words.splitlines()
                continue
            drawn += drawn_grid(frame, grid, grid_in(earlier, plan.rows, plan.columns))
            rest += grid.rest
            targets += _targets(moment, frame, grid) if len(texts) == 1 else []
        below = lines_of_text(dict.fromkeys(rest), _EDGE + plan.height, plan.lines)
        return Layer("board", tuple(drawn)), Layer("targets", tuple(targets)), Layer("words", tuple(below))


def _targets(moment: Moment[Any], frame: BoardFrame, grid: TextGrid) -> Iterator[Element]:
    """The cells that stand for the actions of the one question."""
    if len(moment.questions) == 1:
        legal = moment.questions[0].legal
        for number, cells in cells_named(grid, [action.text for action in legal]).items():
            yield drawn_target(frame, grid, cells, **actions(moment, partial(_is, legal[number])))


def _is(one: Any, other: Any) -> bool:
    return bool(one == other)


@lru_cache(256)
def _plan(game: Any, options: Options, seats: int) -> _Plan:
    first = game.view(_after_luck(game, options, seats), 0)
    boards = 1 if has_perfect_information(options.game) else seats
    for height, width in _shapes(options, first.text):
        grid = grid_in(first.text, height, width)
        if grid is not None:
            room = (WIDTH - 2 * _EDGE) / boards
            cell = cell_of(room, grid)
            frames = tuple(BoardFrame(_EDGE + board * room, _EDGE, cell) for board in range(boards))
            return _Plan(height, width, boards, frames, height * cell + _LINE, boards * len(grid.rest) + 2)
    return _Plan(0, 0, boards, (), 0, boards * (len(first.text.splitlines()) + 1))


def _after_luck(game: Any, options: Options, seats: int) -> Any:
    """The first position in which somebody chooses; many games show nothing before it."""
    state = game.setup(options, seats)
    while state.position.is_chance_node():
        state = state.after(state.position.legal_actions()[0])
    return state


def _shapes(options: Options, words: str) -> Iterator[tuple[int, int]]:
    """The rows and columns that a board may have: the last two sides of the tensor, or those of a chess board."""
    kind = load_game(options.game)
    for form in ("observation", "information_state"):
        if getattr(kind.get_type(), f"provides_{form}_tensor"):
            sides = getattr(kind, f"{form}_tensor_shape")()
            if len(sides) == 3:
                yield sides[1], sides[2]
    if words.count("/") > 3:
        yield 8, 8
