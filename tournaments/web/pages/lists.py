"""Long lists on pages: in parts, with links from each to the others, and sorted by columns.

On a server, links sort a table; if the whole table is on the page, the script does, too.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import urlencode

from tournaments.web.pages.urls import PageAddress


class Part(NamedTuple):
    """A part of a page.

    Attributes:
        label: the text of the link to it.
        place: its address.
        here: whether the page shows this part.
    """

    label: str
    place: PageAddress
    here: bool


def numbered(first: PageAddress, total: int, per_part: int) -> list[Part]:
    """The parts of a page of `total` lines, with `per_part` lines on a part; `first` is the current place."""
    current = int(first.after or 0)
    return [
        Part(rows(at, per_part, total), first._replace(after=str(at) if at else ""), at == current)
        for at in range(0, total, per_part)
    ]


def rows(before: int, per_part: int, total: int) -> str:
    """The lines that a part of a table shows."""
    return f"{before + 1} to {min(before + per_part, total)}"


def onward(here: PageAddress, following: str | None) -> list[Part]:
    """Links to the first part and to the next, for a list of unknown length."""
    found = [Part("first", here._replace(after=""), not here.after)]
    if following is not None:
        found.append(Part("next", here._replace(after=following), here=False))
    return found


SortedHow: TypeAlias = Literal["", "ascending", "descending"]
"""How a column is sorted; empty: the table is not sorted by it."""


class TableSearch(NamedTuple):
    """What a reader asked of a table.

    Attributes:
        sort: the column, with a `-` before it for the largest first; empty: the order of the table itself.
        find: a part of a name; empty: all lines.
    """

    sort: str = ""
    find: str = ""

    @property
    def query(self) -> str:
        """The search, as in an address."""
        return urlencode([(name, value) for name, value in self._asdict().items() if value])


class Column(NamedTuple):
    """A column that can be sorted.

    Attributes:
        key: its name in an address.
        label: its heading.
        sorted_how: whether the table is sorted by it.
        place: the address of the table, sorted by it, or sorted the other way round; None: there is no server.
    """

    key: str
    label: str
    sorted_how: SortedHow
    place: PageAddress | None


def columns(
    here: PageAddress, search: TableSearch | None, headings: Mapping[str, str], first: str
) -> dict[str, Column]:
    """The columns by name.

    Args:
        here: the address of the table.
        search: what the reader asked; None: there is no server that sorts.
        headings: by the name of a column, its heading. Before a name that is first sorted with the largest
            values on top, there is a `-`.
        first: the column, as in `headings`, by which the table is sorted if nobody asks.
    """
    sort = (search.sort if search else "") or first
    found = {}
    for way, word in headings.items():
        key = way.removeprefix("-")
        place = None if search is None else _sorted(here, search, way, sort, first)
        found[key] = Column(key, word, _sorted_how(way, sort), place)
    return found


def _sorted_how(way: str, sort: str) -> SortedHow:
    if sort.removeprefix("-") != way.removeprefix("-"):
        return ""
    return "descending" if sort.startswith("-") else "ascending"


def _sorted(here: PageAddress, search: TableSearch, way: str, sort: str, first: str) -> PageAddress:
    """The address of the table, sorted so, or the other way round if it is sorted so."""
    turned = way.removeprefix("-") if way.startswith("-") else f"-{way}"
    wanted = turned if sort == way else way
    return here._replace(after="", query=search._replace(sort="" if wanted == first else wanted).query)
