"""A bot as a viewer may see it."""

from typing import Literal, TypeAlias

import msgspec

from tournaments.disclosure.tables import Moment, StandingSeen
from tournaments.records import SeatRecord, SideRecord

Membership: TypeAlias = Literal["plays", "suspended", "withdrawn"]
"""Whether a bot plays in a league."""


class OpponentSeen(msgspec.Struct, frozen=True):
    """How a bot did against another.

    Attributes:
        bot: the other bot.
        matches: how often they met.
        score: the mean score against it.
        expected: the mean score that the ratings expect.
    """

    bot: str
    matches: int
    score: float
    expected: float


class BotSeen(msgspec.Struct, frozen=True):
    """A bot.

    Attributes:
        bot: its entry name.
        author: whose it is; `organizer` for those of the league file.
        membership: whether it plays.
        remote: whether it runs elsewhere.
        versions: all entries of the same name, this one among them, the oldest first.
        of: the moment of all that follows; None before the first refresh.
        standing: its line in the table; None if it has none.
        seats: how it fared in each seat.
        sides: how it fared on each side, where sides differ. Sides that are dealt: of closed deals only.
        faults: how many matches its fault cut short, by kind.
        best: the bots against which it did best, beyond what was expected, the best first.
        worst: the same, the worst first.
        source: the digest of its files; None for others than author and organizer, and for remote bots.
    """

    bot: str
    author: str
    membership: Membership
    remote: bool
    versions: tuple[str, ...]
    of: Moment | None
    standing: StandingSeen | None
    seats: tuple[SeatRecord, ...]
    sides: tuple[SideRecord, ...]
    faults: dict[str, int]
    best: tuple[OpponentSeen, ...]
    worst: tuple[OpponentSeen, ...]
    source: str | None
