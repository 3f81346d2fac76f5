"""The closed deals of a league: no match will ever be played on them again, so they may be public."""

import msgspec

from referee.core.errors import WrongUse


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
