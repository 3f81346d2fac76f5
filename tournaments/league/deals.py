"""Decides which matches are closed, so that all of them may be public."""

import msgspec

from tournaments.league.closed_deals import ClosedDeals
from tournaments.league.model import Fixture
from tournaments.league.own_deals import OwnDeals


class LeagueDeals(msgspec.Struct, frozen=True):
    """The deals of a league, open or closed.

    Attributes:
        closing: how far they are closed in the store.
        rehearsal: whether the league is a rehearsal. Its seed can be guessed, so all its deals count as closed.
        own: which matches have deals of their own. Such a deal is closed as soon as its match ends.
    """

    closing: ClosedDeals
    rehearsal: bool = False
    own: OwnDeals = OwnDeals()

    @property
    def are_all_closed(self) -> bool:
        """Whether every deal is closed, and the seed may be public."""
        return self.rehearsal or self.closing.is_whole

    def is_closed(self, fixture: Fixture) -> bool:
        """Whether the deal of a match that has ended is closed."""
        closed = self.are_all_closed or self.closing.has(fixture.deal)
        return closed or self.own.has(fixture.table, fixture.entries)
