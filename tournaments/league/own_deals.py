"""Decides which matches have a deal of their own, and so luck that no other match has."""

from collections.abc import Iterable, Set

import msgspec

from tournaments.league.model import League


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
