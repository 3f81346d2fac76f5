"""Tables that fit their space. It leaves out or shortens columns that are too wide, and the notes say so."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from rich import box
from rich.table import Table

from referee.cli.console import out, say, wide

COLUMNS = 100
"""The width of what is not shown on a terminal, so that a file does not depend on a window."""

LONGEST_NAME = 16
"""Longer names are shortened where there is too little room."""
_SHORTEST_NAME = 8


class TableColumn(NamedTuple):
    """A column of a table.

    Attributes:
        title: above its cells.
        cells: line by line.
        spare: the columns with the largest number are left out first; those with 0 never.
        names: whether its cells are names, which may be shortened.
    """

    title: str
    cells: Sequence[str]
    spare: int = 0
    names: bool = False


class FittedTable(NamedTuple):
    """A table that fits.

    Attributes:
        title: to be printed above it.
        table: to be printed.
        left_out: the titles of the columns for which there was no room.
        shortened: the names for which there was no room.
    """

    title: str
    table: Table
    left_out: tuple[str, ...]
    shortened: tuple[str, ...]


def room(*, everything: bool) -> int:
    """How many characters a line may have: as on the terminal, or as many as it takes to show everything."""
    if everything:
        return wide.width
    return out.width if out.is_terminal else COLUMNS


def fitted(title: str, columns: Sequence[TableColumn], width: int) -> FittedTable:
    """A table of these columns in lines of `width` characters.

    The first to go are the second blanks between columns. Then spare columns are left out, until names of 16 characters
    fit. Then names are shortened to what room there is, but never below 8 characters.
    """
    selection = list(columns)
    while _width(selection, LONGEST_NAME) > width and any(column.spare for column in selection):
        most = max(column.spare for column in selection)
        selection = [column for column in selection if column.spare < most]
    limit = _limit(selection, width)
    roomy = _width(selection, limit) + len(selection) - 1 <= width
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0) if roomy else 0)
    cells = []
    for column in selection:
        table.add_column(column.title, justify="left" if column.names else "right", no_wrap=True)
        cells.append([shortened(cell, limit) for cell in column.cells] if column.names else column.cells)
    for row in zip(*cells, strict=True):
        table.add_row(*row)
    names = (cell for column in selection if column.names for cell in column.cells if len(cell) > limit)
    left_out = tuple(column.title for column in columns if column not in selection)
    return FittedTable(title, table, left_out, tuple(dict.fromkeys(names)))


def _width(columns: Iterable[TableColumn], longest_name: int) -> int:
    """The width of a table. A column has one character between it and the next."""
    return sum(_needed(column, longest_name) + 1 for column in columns) - 1


def _needed(column: TableColumn, longest_name: int) -> int:
    cells = max(map(len, column.cells), default=0)
    return max(len(column.title), min(cells, longest_name) if column.names else cells)


def _limit(columns: Sequence[TableColumn], width: int) -> int:
    """How long names may be."""
    longest = max((len(cell) for column in columns if column.names for cell in column.cells), default=0)
    limits = range(longest, _SHORTEST_NAME, -1)
    return next((limit for limit in limits if _width(columns, limit) <= width), _SHORTEST_NAME)


def shortened(name: str, limit: int) -> str:
    """A name in at most `limit` characters. The middle is cut out, since versions of a bot differ at the end."""
    if len(name) <= limit:
        return name
    end = limit // 3
    return f"{name[: limit - end - 1]}…{name[-end:]}"


def pages(title: str, head: Sequence[TableColumn], columns: Sequence[TableColumn], width: int) -> Iterator[FittedTable]:
    """As `fitted`, but it cuts a table that is too wide into several. Each has the columns of `head`."""
    beside = width - _width(head, LONGEST_NAME)
    each = max(1, beside // (1 + max((_needed(column, 0) for column in columns), default=0)))
    for at in range(0, len(columns), each):
        yield fitted(title, [*head, *columns[at : at + each]], width)


def show(before: Iterable[str], tables: Sequence[FittedTable], after: Iterable[str], width: int) -> None:
    """Print notes, tables with their titles, and the notes below. The last but one says for what there was no room."""
    for note in before:
        say(_folded(note, width))
    for each in tables:
        say(_folded(each.title, width))
        wide.print(each.table)
        say("")
    *notes, last = after
    for note in (*notes, *_fitting_notes(tables), last):
        say(_folded(note, width))


def _fitting_notes(tables: Sequence[FittedTable]) -> Iterator[str]:
    left_out = dict.fromkeys(title for each in tables for title in each.left_out)
    names = dict.fromkeys(name for each in tables for name in each.shortened)
    if left_out:
        yield f"no room for: {', '.join(left_out)}; --wide shows everything"
    if names:
        yield f"names in full: {', '.join(names)}"


def _folded(note: str, width: int) -> str:
    """A note on as many lines as it needs. Words are never cut."""
    return "\n".join(wrap(note, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))
