"""The boards (AG-01, AG-02): cells, lanes, ranges and lines, worked out once.

A cell is a small number, 16 * y + x on both boards, so nobody needs to know the board to read it. A set of cells is a
mask: an int with bit 1 << cell set for each cell. So a test for "in range" is one `&`. Answers for an enemy depend on
its cell and the way it faces.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Literal, TypeAlias

import msgspec

from referee.games.agonia.box.files import read, require

Cell: TypeAlias = int
Mask: TypeAlias = int
BoardName: TypeAlias = Literal["main", "secondary"]

NOWHERE: Cell = -1
ROW = 16
"""The difference between a cell and the cell above it. No board is wider."""
DIE = 6
_MOST_PLAYERS = 5


class Facing(IntEnum):
    """The way an enemy goes, numbered as in agonia.proto."""

    DOWN = 1
    RIGHT = 2


class Direction(IntEnum):
    """The way a line is shot, clockwise, numbered as in agonia.proto."""

    UP = 1
    UP_RIGHT = 2
    RIGHT = 3
    DOWN_RIGHT = 4
    DOWN = 5
    DOWN_LEFT = 6
    LEFT = 7
    UP_LEFT = 8


_ARROWS = {"v": Facing.DOWN, ">": Facing.RIGHT}
_AHEAD = {Facing.DOWN: (0, 1), Facing.RIGHT: (1, 0)}
_SIDES = {Facing.DOWN: ((-1, 0), (1, 0)), Facing.RIGHT: ((0, 1), (0, -1))}  # the first side to try comes first, AG-31
_LINES = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))  # as in Direction
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # of players
_FARTHEST_WALK = 5  # Lía with zapatillas


class Print(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of boards.toml."""

    start: list[tuple[int, int]]
    walkway: tuple[tuple[int, int], tuple[int, int]]
    rows: list[str]


class Board(msgspec.Struct, frozen=True):
    """A board. Tuples are by cell unless they say otherwise.

    Attributes:
        name: as in the options.
        width: cells in a row that are on the board.
        height: rows.
        cells: the character of each cell in boards.toml; # off the board.
        spawn: the spawn cells from the left. The index is the number on the die minus one.
        street: all cells with v, > or a dot.
        spawns: the spawn cells.
        entrance: the entrance cells.
        ground: the cells where enemies may be: street, spawn and entrance.
        players: the cells where players may be.
        start: the cells where players may start.
        arrow: the way that an enemy turns on this cell; None without an arrow.
        rank: the place in the order of enemies (AG-30); 0 moves first, -1 is off the ground.
        ahead: by facing, then by cell: the cell that a step leads to; NOWHERE off the ground. Facings count from 1.
        side_cells: by facing, then by cell: the two cells to the sides, the one to try first before the other (AG-31).
        around: the neighbours, up to 8.
        within: by cell, then by range: the cells within that range. A diagonal step counts as one (AG-03).
        lines: by cell, then by `Direction` minus one: all cells in that line, the nearest first.
        walks: by cell, then by steps: the other cells that a player can walk to, sorted (AG-02).
    """

    name: str
    width: int
    height: int
    cells: str
    spawn: tuple[Cell, ...]
    street: Mask
    spawns: Mask
    entrance: Mask
    ground: Mask
    players: Mask
    start: Mask
    arrow: tuple[Facing | None, ...]
    rank: tuple[int, ...]
    ahead: tuple[tuple[Cell, ...], ...]
    side_cells: tuple[tuple[tuple[Cell, Cell], ...], ...]
    around: tuple[Mask, ...]
    within: tuple[tuple[Mask, ...], ...]
    lines: tuple[tuple[tuple[Cell, ...], ...], ...]
    walks: tuple[tuple[tuple[Cell, ...], ...], ...]

    def at(self, x: int, y: int) -> Cell:
        """The cell at x and y. NOWHERE off the board."""
        return y * ROW + x if 0 <= x < self.width and 0 <= y < self.height else NOWHERE


def xy(cell: Cell) -> tuple[int, int]:
    """Column from the left, row from the top."""
    return cell % ROW, cell // ROW


def mask(cells: Iterable[Cell]) -> Mask:
    """The set of these cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def cells_in(cells: Mask) -> Iterator[Cell]:
    """The cells of a set, sorted."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


class _Grid:
    """A board while it is worked out."""

    def __init__(self, name: str, entry: Print) -> None:
        self.name = name
        self.rows = entry.rows
        self.width, self.height = len(entry.rows[0]), len(entry.rows)
        self.cells = "".join(row.ljust(ROW, "#") for row in entry.rows)
        self.all = range(len(self.cells))
        self.start = [self.at(*cell) for cell in entry.start]
        self.walkway = [self.at(*end) for end in entry.walkway]
        self.ground = {cell for cell in self.all if self.cells[cell] in "SE.v>"}

    def at(self, x: int, y: int) -> Cell:
        return y * ROW + x if 0 <= x < self.width and 0 <= y < self.height else NOWHERE

    def marked(self, marks: str) -> list[Cell]:
        return [cell for cell in self.all if self.cells[cell] in marks]

    def beyond(self, cell: Cell, by: tuple[int, int]) -> Cell:
        return self.at(cell % ROW + by[0], cell // ROW + by[1])

    def onto_ground(self, cell: Cell, by: tuple[int, int]) -> Cell:
        to = self.beyond(cell, by)
        return to if to in self.ground else NOWHERE

    def onto_side(self, cell: Cell, by: tuple[int, int]) -> Cell:
        """An enemy never steps sideways into the entrance (AG-31)."""
        to = self.onto_ground(cell, by)
        return NOWHERE if to == NOWHERE or self.cells[to] == "E" else to


def worked_out(name: str, entry: Print) -> Board:
    """Work out a board from its printed values.

    Raises:
        ValueError: nobody can play on this board.
    """
    _check_print(name, entry)
    grid = _Grid(name, entry)
    _check_grid(grid)
    return Board(
        name=name,
        width=grid.width,
        height=grid.height,
        cells=grid.cells,
        spawn=tuple(grid.marked("S")),
        street=mask(grid.marked(".v>")),
        spawns=mask(grid.marked("S")),
        entrance=mask(grid.marked("E")),
        ground=mask(grid.ground),
        players=mask(grid.marked("P")),
        start=mask(grid.start),
        arrow=tuple(_ARROWS.get(mark) for mark in grid.cells),
        rank=_ranks(grid),
        ahead=((), *(tuple(grid.onto_ground(cell, _AHEAD[facing]) for cell in grid.all) for facing in Facing)),
        side_cells=((), *(tuple(_sides(grid, cell, facing) for cell in grid.all) for facing in Facing)),
        around=tuple(_near(grid, cell, 1) & ~(1 << cell) for cell in grid.all),
        within=tuple(
            tuple(_near(grid, cell, reach) for reach in range(max(grid.width, grid.height))) for cell in grid.all
        ),
        lines=tuple(tuple(tuple(_line(grid, cell, by)) for by in _LINES) for cell in grid.all),
        walks=tuple(_walks(grid, cell) for cell in grid.all),
    )


def _sides(grid: _Grid, cell: Cell, facing: Facing) -> tuple[Cell, Cell]:
    first, second = _SIDES[facing]
    return grid.onto_side(cell, first), grid.onto_side(cell, second)


def _near(grid: _Grid, cell: Cell, reach: int) -> Mask:
    """The square around a cell, as far as it lies on the board: the same columns of so many rows."""
    x, y = xy(cell)
    left, right = (min(max(0, at), grid.width) for at in (x - reach, x + reach + 1))
    row = (1 << right) - (1 << left)
    return sum(row << at * ROW for at in range(max(0, y - reach), min(grid.height, y + reach + 1)))


def _line(grid: _Grid, cell: Cell, by: tuple[int, int]) -> Iterator[Cell]:
    while (cell := grid.beyond(cell, by)) != NOWHERE:
        yield cell


def _walks(grid: _Grid, start: Cell) -> tuple[tuple[Cell, ...], ...]:
    """Cells by number of steps. Empty if no player can stand here. Players may pass through each other (AG-02)."""
    if grid.cells[start] != "P":
        return ()
    away = _distances(grid, start)
    return tuple(tuple(cell for cell in sorted(away) if 0 < away[cell] <= steps) for steps in range(_FARTHEST_WALK + 1))


def _distances(grid: _Grid, start: Cell) -> dict[Cell, int]:
    away, waiting = {start: 0}, deque([start])
    while waiting:
        cell = waiting.popleft()
        for to in _next_to(grid, cell):
            if to not in away:
                away[to] = away[cell] + 1
                waiting.append(to)
    return away


def _next_to(grid: _Grid, cell: Cell) -> Iterator[Cell]:
    if cell in grid.walkway:
        yield grid.walkway[1 - grid.walkway.index(cell)]
    for by in _STEPS:
        to = grid.beyond(cell, by)
        if to != NOWHERE and grid.cells[to] == "P":
            yield to


def _ranks(grid: _Grid) -> tuple[int, ...]:
    """The cells with the fewest steps to the entrance come first. Then x decides, then y (AG-30)."""
    steps = _steps(grid)
    order = sorted(steps, key=lambda cell: (steps[cell], *xy(cell)))
    return tuple(order.index(cell) if cell in steps else -1 for cell in grid.all)


def _steps(grid: _Grid) -> dict[Cell, int]:
    """For each cell of the ground, the number of steps to the entrance along its lane."""
    steps = dict.fromkeys(grid.marked("E"), 0)
    for spawn in grid.marked("S"):
        lane = _lane(grid, spawn)
        for left, cell in enumerate(reversed(lane)):
            _require(steps.setdefault(cell, left) == left, grid.name, f"lanes disagree at {xy(cell)}")
    _require(steps.keys() == grid.ground, grid.name, "every street cell must be on a lane")
    return steps


def _lane(grid: _Grid, spawn: Cell) -> list[Cell]:
    """The lane from a spawn cell to the entrance, along the arrows. An enemy starts facing down (AG-01)."""
    lane, facing = [spawn], Facing.DOWN
    while grid.cells[lane[-1]] != "E":
        facing = _ARROWS.get(grid.cells[lane[-1]], facing)
        to = grid.onto_ground(lane[-1], _AHEAD[facing])
        _require(to != NOWHERE, grid.name, f"the lane from {xy(spawn)} does not end in the entrance")
        lane.append(to)
    return lane


def _check_print(name: str, entry: Print) -> None:
    _require(len({len(row) for row in entry.rows}) == 1, name, "there must be rows, all of one length")
    _require(len(entry.rows[0]) <= ROW, name, f"a row may have up to {ROW} cells")
    _require(set("".join(entry.rows)) <= set("SEP#.v>"), name, "a cell must be one of S E P # . v >")


def _check_grid(grid: _Grid) -> None:
    _require(len(grid.marked("S")) == DIE, grid.name, f"there must be {DIE} spawn cells, one for each side of the die")
    _require(len({cell // ROW for cell in grid.marked("S")}) == 1, grid.name, "spawn cells must share a row")
    players = grid.marked("P")
    _require(all(end in players for end in grid.walkway), grid.name, "a walkway must join two cells of players")
    _require(set(grid.start) <= set(players), grid.name, "players must start on their cells")
    _require(len(set(grid.start)) >= _MOST_PLAYERS, grid.name, f"there must be {_MOST_PLAYERS} start cells or more")
    _require(0 not in players, grid.name, "no player may stand on [0, 0]; on the wire this cell means none")
    _require(_distances(grid, players[0]).keys() == set(players), grid.name, "players' cells must be connected")


def _require(holds: bool, name: str, message: str) -> None:
    require(holds, f"boards.toml, {name}", message)


BOARDS = {name: worked_out(name, entry) for name, entry in read("boards.toml", Print).items()}
"""The boards by name."""

require(set(BOARDS) == {"main", "secondary"}, "boards.toml", "there must be the boards main and secondary")
