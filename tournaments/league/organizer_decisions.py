"""What the organizer decided about a league so far, as far as waves follow from it."""

from collections.abc import Mapping, Set

import msgspec

from tournaments.league.roster import RosterChange, withdrawn


class OrganizerDecisions(msgspec.Struct, frozen=True):
    """What the organizer decided. A wave follows from the results and from these decisions.

    Attributes:
        changes: all changes of the roster, in order.
        reinstated: by entry, the first deal on which it is exempt from suspension.
        retried: by fixture, how many of its void matches do not count any more, because it was taken up again.
    """

    changes: tuple[RosterChange, ...] = ()
    reinstated: Mapping[str, int] = {}
    retried: Mapping[str, int] = {}

    @property
    def withdrawn(self) -> Mapping[int, Set[str]]:
        """By the number of a wave, from 0: the entries that were withdrawn while it was played."""
        return withdrawn(self.changes)


NOTHING_DECIDED = OrganizerDecisions()
