"""Parts of lists, and what is said where nothing is to be shown."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

from referee.core.errors import WrongUse

Item = TypeVar("Item")


class NotThere(WrongUse):
    """What was asked for is not in the league, or not for the viewer's eyes. Nobody learns which."""


class NotYet(WrongUse):
    """There are no tables before the first refresh, and none of a league that was never run."""


class ListPage(msgspec.Struct, Generic[Item], frozen=True):
    """A part of a list.

    Attributes:
        items: the part.
        next: the position after its last item, to ask for the next part; None: it is the last.
    """

    items: tuple[Item, ...]
    next: str | None


MOST = 500
"""No part of a list has more items."""


def within(asked: int, most: int = MOST) -> int:
    """How many items a part has at most, whatever was asked for."""
    return min(max(asked, 1), most)


def page_of(found: Sequence[Item], most: int, position: Callable[[Item], str]) -> ListPage[Item]:
    """The first items of a list; one more than `most` says that there are others."""
    items = tuple(found[:most])
    return ListPage(items, position(items[-1]) if len(found) > most else None)
