"""The two boards of agonia.proto as tables by cell. A cell is 16 * y + x; cell 0 is off both boards."""

from functools import cache

from referee_bot.v1 import agonia_pb2 as ag

MAPS = {
    "main": "#SSSSSS# PvvvvvvP PvvvvvvP PvvvvvvP PvvvvvvP PvvvvvvP PvvvvvvP PvvvvvvP PEEEEEEP PPPPPPPP",
    "secondary": (
        "#SSSSSS#### P.....>..vP P....>..v.P P...>..v..P P..>..v...P P.>..v....P P>..v.....P P###EEEEEEP PPPPPPPPPPP"
    ),
}
ROW = 16
CELLS = 10 * ROW
NOWHERE = 0
ARROWS: dict[str, int] = {"v": ag.FACING_DOWN, ">": ag.FACING_RIGHT}
STEPS: dict[int, int] = {ag.FACING_DOWN: ROW, ag.FACING_RIGHT: 1}
SIDES: dict[int, tuple[int, int]] = {ag.FACING_DOWN: (-1, 1), ag.FACING_RIGHT: (ROW, -ROW)}
LINES: dict[int, tuple[int, int]] = {
    ag.DIRECTION_UP: (0, -1),
    ag.DIRECTION_UP_RIGHT: (1, -1),
    ag.DIRECTION_RIGHT: (1, 0),
    ag.DIRECTION_DOWN_RIGHT: (1, 1),
    ag.DIRECTION_DOWN: (0, 1),
    ag.DIRECTION_DOWN_LEFT: (-1, 1),
    ag.DIRECTION_LEFT: (-1, 0),
    ag.DIRECTION_UP_LEFT: (-1, -1),
}


class Board:
    """A board.

    Attributes:
        width: how many cells are in a row.
        spawn: the spawn cells from the left.
        entrance: the cells where an enemy has won.
        ahead: by the way an enemy faces and by cell, the cell that a step leads to, or NOWHERE.
        aside: the same for the two cells to the sides, the one to try first before the other.
        facing: by cell, the way an arrow turns an enemy; 0 without an arrow.
        rank: by cell, its place in the order of the enemies; the first is next to move.
    """

    def __init__(self, name: str) -> None:
        marks = {ROW * y + x: mark for y, row in enumerate(MAPS[name].split()) for x, mark in enumerate(row)}
        self.width = MAPS[name].index(" ")
        ground = {cell for cell, mark in marks.items() if mark in "SEv>."}
        self.spawn = [cell for cell, mark in marks.items() if mark == "S"]
        self.entrance = frozenset(cell for cell, mark in marks.items() if mark == "E")
        self.facing = [ARROWS.get(marks.get(cell, "#"), 0) for cell in range(CELLS)]
        self.ahead = {
            way: [cell + step if {cell, cell + step} <= ground else NOWHERE for cell in range(CELLS)]
            for way, step in STEPS.items()
        }
        inside = ground - self.entrance
        self.aside = {
            way: [tuple(cell + side if cell + side in inside else NOWHERE for side in sides) for cell in range(CELLS)]
            for way, sides in SIDES.items()
        }
        left = {cell: len(lane) - at for lane in map(self.lane, self.spawn) for at, cell in enumerate(lane)}
        order = sorted(left, key=lambda cell: (left[cell], cell % ROW, cell))
        self.rank = [order.index(cell) if cell in left else CELLS for cell in range(CELLS)]

    def lane(self, cell: int) -> list[int]:
        """The cells from a spawn cell to the entrance, if nothing is in the way."""
        lane, way = [cell], int(ag.FACING_DOWN)
        while lane[-1] not in self.entrance:
            way = self.facing[lane[-1]] or way
            lane.append(self.ahead[way][lane[-1]])
        return lane


@cache
def board_of(name: str) -> Board:
    """The board of this name."""
    return Board(name)


def distance(one: int, other: int) -> int:
    """How far apart two cells are. A diagonal step counts as one."""
    return max(abs(one % ROW - other % ROW), abs(one // ROW - other // ROW))


@cache
def within(cell: int, nearest: int, farthest: int) -> frozenset[int]:
    """The cells at these distances from a cell, on the board or not."""
    return frozenset(other for other in range(CELLS) if nearest <= distance(cell, other) <= farthest)


@cache
def line(cell: int, direction: int, reach: int) -> frozenset[int]:
    """The cells in a direction, on the board or not."""
    x, y = LINES[direction]
    found = [(cell % ROW + x * step, cell // ROW + y * step) for step in range(1, reach + 1)]
    return frozenset(ROW * row + column for column, row in found if 0 <= column < ROW and 0 <= row < CELLS // ROW)
