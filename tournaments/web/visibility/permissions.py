"""The viewers of a league, and the permissions that decide how much of a match a viewer sees."""

from collections.abc import Mapping, Set
from typing import TypeAlias

import msgspec

from tournaments.league.deals import LeagueDeals
from tournaments.league.model import Fixture
from tournaments.league.submissions import ORGANIZER


class Organizer(msgspec.Struct, frozen=True, tag="organizer"):
    """The person who may read the store. The organizer sees everything except for the seed of an open league."""


class Author(msgspec.Struct, frozen=True, tag="author"):
    """A person who submits bots.

    Attributes:
        name: the person's name.
        team: the person's team, whose bots are the person's own, too; None: there is none.
    """

    name: str
    team: str | None = None


class Assistant(msgspec.Struct, frozen=True, tag="assistant"):
    """A person who helps authors: sees all submissions with their logs, and of matches what a visitor sees."""


class Visitor(msgspec.Struct, frozen=True, tag="visitor"):
    """Anybody else."""


Viewer: TypeAlias = Organizer | Author | Assistant | Visitor


def sees_all(viewer: Viewer) -> bool:
    """Whether a viewer sees all of every match."""
    return isinstance(viewer, Organizer)


def owns(viewer: Viewer, author: str) -> bool:
    """Whether the viewer owns the data of an author or of the organizer. The organizer owns all data."""
    match viewer:
        case Organizer():
            return True
        case Author():
            return author in {viewer.name, viewer.team} - {ORGANIZER}
        case Assistant() | Visitor():
            return False


def reads_submissions(viewer: Viewer, author: str) -> bool:
    """Whether a viewer may read the submissions of an author, with their logs."""
    return isinstance(viewer, Assistant) or owns(viewer, author)


class Permissions(msgspec.Struct, frozen=True):
    """The permissions of a viewer in a league.

    Attributes:
        viewer: the viewer.
        deals: the deals, open or closed.
        authors: by entry, the name of its author. All other entries belong to the organizer.
        fixed: the names of the tables whose sides are fixed before play.
        dealt: the names of the tables whose sides are dealt, or may be.
        rated_authors: `League.authors`: matches among the entries of one of them do not count.
        display_names: by the name of a person, the one that others see.
    """

    viewer: Viewer
    deals: LeagueDeals
    authors: Mapping[str, str] = {}
    fixed: Set[str] = frozenset()
    dealt: Set[str] = frozenset()
    rated_authors: Mapping[str, str] = {}
    display_names: Mapping[str, str] = {}

    def author(self, entry: str) -> str:
        """The display name of the author of an entry."""
        name = self.authors.get(entry, ORGANIZER)
        return self.display_names.get(name, name)

    def owns(self, entry: str) -> bool:
        """Whether an entry is the viewer's own."""
        return owns(self.viewer, self.authors.get(entry, ORGANIZER))

    @property
    def sees_all(self) -> bool:
        """Whether the viewer may see every match."""
        return sees_all(self.viewer) or self.deals.are_all_closed

    def sees(self, fixture: Fixture) -> bool:
        """Whether the viewer may see all of a finished match, except for the private data of others."""
        return sees_all(self.viewer) or self.deals.is_closed(fixture)

    def sees_result(self, fixture: Fixture) -> bool:
        """Whether the viewer may see how a match ended. Where sides are dealt, that can tell who has which."""
        return fixture.table not in self.dealt or self.sees(fixture)
