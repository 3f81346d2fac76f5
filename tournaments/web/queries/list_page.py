"""Parts of lists, and the errors when there is nothing to show."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

from referee.core.errors import WrongUse

Item = TypeVar("Item")


class NotThere(WrongUse):
    """The league does not have the requested thing, or the viewer may not see it. Nobody learns which."""


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


def within(asked: int, most: int = MOST) -> int:
    """The most items of a part, for any requested number."""
    return min(max(asked, 1), most)


def page_of(found: Sequence[Item], most: int, position: Callable[[Item], str]) -> ListPage[Item]:
    """The first items of a list. One item more than `most` shows that there are others."""
    items = tuple(found[:most])
    return ListPage(items, position(items[-1]) if len(found) > most else None)
