"""Who looks at a league."""

from typing import TypeAlias

import msgspec

from tournaments.league.admission.registry import ORGANIZER


class Organizer(msgspec.Struct, frozen=True, tag="organizer"):
    """Whoever may read the store. Nothing is hidden from the organizer but the seed of an open league."""


class Author(msgspec.Struct, frozen=True, tag="author"):
    """Somebody who submits bots.

    Attributes:
        name: as the league knows the author.
    """

    name: str


class Visitor(msgspec.Struct, frozen=True, tag="visitor"):
    """Anybody else."""


Viewer: TypeAlias = Organizer | Author | Visitor


def sees_all(viewer: Viewer) -> bool:
    """Whether nothing of a match is hidden from a viewer."""
    return isinstance(viewer, Organizer)


def owns(viewer: Viewer, author: str) -> bool:
    """Whether what belongs to an author, or to the organizer, is the viewer's own. All of it is the organizer's."""
    match viewer:
        case Organizer():
            return True
        case Author(name=name):
            return name == author != ORGANIZER
        case Visitor():
            return False
