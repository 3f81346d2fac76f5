"""The two boards as agonia.proto draws them: their cells, and the ways across them."""

from collections.abc import Iterator
from functools import cache

from referee_bot.v1 import agonia_pb2 as ag

MAPS = {
    "main": (
        "#SSSSSS#",
        "PvvvvvvP",
        "PvvvvvvP",
        "PvvvvvvP",
        "PvvvvvvP",
        "PvvvvvvP",
        "PvvvvvvP",
        "PvvvvvvP",
        "PEEEEEEP",
        "PPPPPPPP",
    ),
    "secondary": (
        "#SSSSSS####",
        "P.....>..vP",
        "P....>..v.P",
        "P...>..v..P",
        "P..>..v...P",
        "P.>..v....P",
        "P>..v.....P",
        "P###EEEEEEP",
        "PPPPPPPPPPP",
    ),
}
ROW = 16
ARROWS: dict[str, int] = {"v": ag.FACING_DOWN, ">": ag.FACING_RIGHT}
AHEAD: dict[int, int] = {ag.FACING_DOWN: ROW, ag.FACING_RIGHT: 1}
ASIDE: dict[int, tuple[int, int]] = {
    ag.FACING_DOWN: (-1, 1),
    ag.FACING_RIGHT: (ROW, -ROW),
}  # by the way an enemy faces, the steps aside in the order in which it tries them
LINES: dict[int, int] = {
    ag.DIRECTION_UP: -ROW,
    ag.DIRECTION_UP_RIGHT: 1 - ROW,
    ag.DIRECTION_RIGHT: 1,
    ag.DIRECTION_DOWN_RIGHT: 1 + ROW,
    ag.DIRECTION_DOWN: ROW,
    ag.DIRECTION_DOWN_LEFT: ROW - 1,
    ag.DIRECTION_LEFT: -1,
    ag.DIRECTION_UP_LEFT: -1 - ROW,
}


class Board:
    """A board.

    Attributes:
        marks: by cell, the character of the map. Cells off the board have none.
        lanes: from each spawn cell to the entrance.
    """

    def __init__(self, name: str) -> None:
        self.marks = {ROW * y + x: mark for y, row in enumerate(MAPS[name]) for x, mark in enumerate(row)}
        self.lanes = [self.way(cell, ag.FACING_DOWN) for cell, mark in self.marks.items() if mark == "S"]

    def is_ground(self, cell: int) -> bool:
        """Whether enemies may be there."""
        return self.marks.get(cell, "#") in "SEv>."

    def is_entrance(self, cell: int) -> bool:
        """Whether an enemy there has won."""
        return self.marks[cell] == "E"

    def turned(self, cell: int, facing: int) -> int:
        """The way an enemy faces once it is there."""
        return ARROWS.get(self.marks[cell], facing)

    def way(self, cell: int, facing: int) -> list[int]:
        """The cells from here to the entrance, if nothing is in the way."""
        found = [cell]
        while not self.is_entrance(found[-1]):
            facing = self.turned(found[-1], facing)
            if not self.is_ground(found[-1] + AHEAD[facing]):
                break
            found.append(found[-1] + AHEAD[facing])
        return found


@cache
def board_of(name: str) -> Board:
    """The board of this name."""
    return Board(name)


def distance(a: int, b: int) -> int:
    """How far apart two cells are. A diagonal step counts as one."""
    return max(abs(a % ROW - b % ROW), abs(a // ROW - b // ROW))


@cache
def around(cell: int) -> frozenset[int]:
    """The cell and its 8 neighbours, on the board or not."""
    return frozenset(cell + dx + ROW * dy for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def line(cell: int, direction: int, reach: int) -> Iterator[int]:
    """The cells in that direction, the nearest first."""
    for _ in range(reach):
        cell += LINES[direction]
        yield cell
