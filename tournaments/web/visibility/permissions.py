"""What decides how much of a match somebody sees."""

from collections.abc import Mapping, Set

import msgspec

from tournaments.league.admission.registry import ORGANIZER
from tournaments.league.deals import LeagueDeals
from tournaments.league.model import Fixture
from tournaments.web.visibility.viewer import Viewer, owns, sees_all


class Permissions(msgspec.Struct, frozen=True):
    """A viewer before a league.

    Attributes:
        viewer: who looks.
        deals: the deals, open or closed.
        authors: by entry, its author. All others are the organizer's.
        fixed: the names of the tables whose sides are fixed before play.
    """

    viewer: Viewer
    deals: LeagueDeals
    authors: Mapping[str, str] = {}
    fixed: Set[str] = frozenset()

    def author(self, entry: str) -> str:
        """Whose an entry is."""
        return self.authors.get(entry, ORGANIZER)

    def owns(self, entry: str) -> bool:
        """Whether an entry is the viewer's own."""
        return owns(self.viewer, self.author(entry))

    @property
    def sees_all(self) -> bool:
        """Whether every match may be told to the viewer."""
        return sees_all(self.viewer) or self.deals.are_all_closed

    def sees(self, fixture: Fixture) -> bool:
        """Whether all of a match that has ended may be told to the viewer, but what is another's own."""
        return sees_all(self.viewer) or self.deals.is_closed(fixture)
