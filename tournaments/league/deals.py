"""Decides which matches are closed, so that all of them may be public."""

from collections.abc import Set

import msgspec

from tournaments.league.closed_deals import ClosedDeals
from tournaments.league.league_seed import has_own_deal
from tournaments.league.model import Fixture


class LeagueDeals(msgspec.Struct, frozen=True):
    """The deals of a league, open or closed.

    Attributes:
        closing: how far they are closed in the store.
        rehearsal: whether the league is a rehearsal. Its seed can be guessed, so all its deals count as closed.
        remote: the entries that run elsewhere. Their matches have deals of their own, closed as soon as they end.
    """

    closing: ClosedDeals
    rehearsal: bool = False
    remote: Set[str] = frozenset()

    @property
    def are_all_closed(self) -> bool:
        """Whether every deal is closed, and the seed may be public."""
        return self.rehearsal or self.closing.is_whole

    def is_closed(self, fixture: Fixture) -> bool:
        """Whether the deal of a match that has ended is closed."""
        return self.are_all_closed or self.closing.has(fixture.deal) or has_own_deal(fixture, self.remote)
