"""Parts of lists, and the errors when there is nothing to show."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from referee.core.errors import WrongUse

Item = TypeVar("Item")


class NotThere(WrongUse):
    """The league does not have the requested thing, or the viewer may not see it. Nobody learns which."""


class BadQuery(WrongUse):
    """A query cannot be answered as it is. The text says what to change."""


class NotYet(WrongUse):
    """There are no tables: before the first refresh, or in a league that was never run."""


class ListPage(msgspec.Struct, Generic[Item], frozen=True):
    """A part of a list.

    Attributes:
        items: the part.
        next: the position after its last item, from which the next part begins; None: this is the last.
    """

    items: tuple[Item, ...]
    next: str | None


MOST = 500
"""The most items of a part of a list."""


def within(number: int, most: int = MOST) -> int:
    """The most items of a part, for any requested number."""
    return min(max(number, 1), most)


def page_of(rows: Sequence[Item], most: int, position: Callable[[Item], str]) -> ListPage[Item]:
    """The first items of a list. One item more than `most` shows that there are others."""
    items = tuple(rows[:most])
    return ListPage(items, position(items[-1]) if len(rows) > most else None)


def in_order(items: Sequence[Item], sort: str, columns: Mapping[str, Callable[[Item], Any]]) -> Sequence[Item]:
    """The items by one of these columns, those without a value last. Items with equal values keep their order.

    Args:
        items: the items.
        sort: the name of the column; with a `-` before it, the largest come first. Empty: the order stays.
        columns: by name, the value of an item.

    Raises:
        BadQuery: there is no such column.
    """
    if not sort:
        return items
    value = columns.get(sort.removeprefix("-"))
    if value is None:
        raise BadQuery(f"sort: {sort[:64]!r} is no column; allowed: {', '.join(columns)}, each also with - before it")
    known = sorted((item for item in items if value(item) is not None), key=value, reverse=sort.startswith("-"))
    return [*known, *(item for item in items if value(item) is None)]


def has_text(text: str, *names: str) -> bool:
    """Whether one of these names has the text in it, in small or large letters, as in data or as on pages."""
    part = text.casefold()
    return any(part in name.casefold() or part in name.casefold().replace("@", " v") for name in names)
