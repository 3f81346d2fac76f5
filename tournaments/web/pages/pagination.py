"""Splits long pages into parts, with links from each to the others."""

from typing import NamedTuple

from tournaments.web.pages import words
from tournaments.web.pages.labels import SAY
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


def numbered(first: PageAddress, total: int, each: int) -> list[Part]:
    """The parts of a page of `total` lines, with `each` lines on a part; `first` is the current place."""
    shown = int(first.after or 0)
    return [
        Part(words.rows(at, min(at + each, total)), first._replace(after=str(at) if at else ""), at == shown)
        for at in range(0, total, each)
    ]


def onward(here: PageAddress, following: str | None) -> list[Part]:
    """Links to the first part and to the next, for a list of unknown length."""
    found = [Part(SAY["first"], here._replace(after=""), not here.after)]
    if following is not None:
        found.append(Part(SAY["next"], here._replace(after=following), here=False))
    return found
