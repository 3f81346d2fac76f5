"""The permissions that decide how much of a match a viewer sees."""

from collections.abc import Mapping, Set

import msgspec

from tournaments.league.deals import LeagueDeals
from tournaments.league.model import Fixture
from tournaments.league.submissions import ORGANIZER
from tournaments.web.visibility.viewer import Viewer, owns, sees_all


class Permissions(msgspec.Struct, frozen=True):
    """The permissions of a viewer in a league.

    Attributes:
        viewer: the viewer.
        deals: the deals, open or closed.
        authors: by entry, its author. All other entries belong to the organizer.
        fixed: the names of the tables whose sides are fixed before play.
        dealt: the names of the tables whose sides are dealt, or may be.
    """

    viewer: Viewer
    deals: LeagueDeals
    authors: Mapping[str, str] = {}
    fixed: Set[str] = frozenset()
    dealt: Set[str] = frozenset()

    def author(self, entry: str) -> str:
        """The author of an entry."""
        return self.authors.get(entry, ORGANIZER)

    def owns(self, entry: str) -> bool:
        """Whether an entry is the viewer's own."""
        return owns(self.viewer, self.author(entry))

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
