"""The deals of a league: which belong to one match alone, and which are closed.

No match will ever be played on a closed deal again, so its matches may be public.
"""

from collections.abc import Iterable, Set

import msgspec

from referee.core.errors import WrongUse
from tournaments.league.model import Fixture, League


class LeagueClosed(WrongUse):
    """The league is closed: its deals may be public, so nothing more is played on them."""


class ClosedDeals(msgspec.Struct, frozen=True):
    """How far the deals of a league are closed.

    Attributes:
        below: all deals with a lower number are closed: those of the waves that have ended.
        closed_ms: when the whole league was closed, in milliseconds since 1970 (UTC); None: it is open. From then on
            every deal is closed, no bot can enter, and the seed may be public.
    """

    below: int = 0
    closed_ms: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the whole league is closed."""
        return self.closed_ms is not None

    def has(self, deal: int) -> bool:
        """Whether a deal is closed."""
        return self.is_whole or deal < self.below

    def require_open(self, league: str) -> None:
        """Check that the league of this name is open.

        Raises:
            LeagueClosed: it is closed.
        """
        if self.is_whole:
            raise LeagueClosed(
                f"{league} is closed, so nobody enters it and nothing more is played; begin a new league"
            )


OPEN = ClosedDeals()
"""Nothing is closed."""


class OwnDeals(msgspec.Struct, frozen=True):
    """The matches of a league that have deals of their own.

    A remote bot has one memory for all its matches, so it would recognize a deal that it has met before. Other bots may
    find ways to remember, too: a table with `luck = "own"` gives them nothing to remember.

    Attributes:
        tables: the names of the tables with `luck = "own"`.
        remote: the entries that run elsewhere.
    """

    tables: Set[str] = frozenset()
    remote: Set[str] = frozenset()

    def has(self, table: str, entries: Iterable[str]) -> bool:
        """Whether each match of these entries at this table has a deal that no other match has."""
        return table in self.tables or not self.remote.isdisjoint(entries)


def own_deals(league: League) -> OwnDeals:
    """The matches of a league that have deals of their own."""
    return OwnDeals(
        frozenset(table.name for table in league.tables if table.luck == "own"),
        frozenset(entry.name for entry in league.entries if entry.remote),
    )


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
