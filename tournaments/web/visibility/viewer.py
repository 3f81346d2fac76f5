"""The viewers of a league."""

from typing import TypeAlias

import msgspec

from tournaments.league.submissions import ORGANIZER


class Organizer(msgspec.Struct, frozen=True, tag="organizer"):
    """The person who may read the store. The organizer sees everything except for the seed of an open league."""


class Author(msgspec.Struct, frozen=True, tag="author"):
    """A person who submits bots.

    Attributes:
        name: the author's name in the league.
    """

    name: str


class Visitor(msgspec.Struct, frozen=True, tag="visitor"):
    """Anybody else."""


Viewer: TypeAlias = Organizer | Author | Visitor


def sees_all(viewer: Viewer) -> bool:
    """Whether a viewer sees all of every match."""
    return isinstance(viewer, Organizer)


def owns(viewer: Viewer, author: str) -> bool:
    """Whether the viewer owns the data of an author or of the organizer. The organizer owns all data."""
    match viewer:
        case Organizer():
            return True
        case Author(name=name):
            return name == author != ORGANIZER
        case Visitor():
            return False
