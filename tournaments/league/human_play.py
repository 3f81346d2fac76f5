"""The terms on which visitors play against a league's bots: the keys of `[parlour]`."""

import msgspec

from referee.match.terms import Clock


class HumanPlayTerms(msgspec.Struct, frozen=True):
    """The terms on which visitors play.

    Attributes:
        opponents: the entries that visitors may play with; if there are none, visitors cannot play.
        tables: how many tables there may be at once.
        move_ms: how long a person may take for a decision, in milliseconds.
        idle_minutes: a table is closed after so many minutes without an open page.
        kept: how many matches are kept; the oldest are deleted first.
        kept_mib: the most that they take on the disk.
    """

    opponents: tuple[str, ...] = ()
    tables: int = 4
    move_ms: int = 600_000
    idle_minutes: int = 15
    kept: int = 1_000
    kept_mib: int = 256

    @property
    def clock(self) -> Clock:
        """The clock of a person."""
        return Clock(move_ms=self.move_ms)
