"""A bot as a viewer may see it."""

from typing import Literal, TypeAlias

import msgspec

from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.results.table_values import StandingView
from tournaments.web.visibility.table_views import TableMoment

Membership: TypeAlias = Literal["plays", "suspended", "withdrawn"]
"""Whether a bot plays in a league."""


class OpponentView(msgspec.Struct, frozen=True):
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


class ResultsView(msgspec.Struct, frozen=True):
    """How a bot fared.

    Attributes:
        of: the moment.
        standing: its line in the table.
        seats: how it fared in each seat.
        sides: how it fared on each side, where sides differ. Sides that are dealt: of closed deals only.
        faults: how many matches its fault cut short, by kind.
        best: the bots against which it did best, beyond what was expected, the best first.
        worst: the same, the worst first.
    """

    of: TableMoment
    standing: StandingView
    seats: tuple[SeatRecord, ...]
    sides: tuple[SideRecord, ...]
    faults: dict[str, int]
    best: tuple[OpponentView, ...]
    worst: tuple[OpponentView, ...]


class BotView(msgspec.Struct, frozen=True):
    """A bot.

    Attributes:
        bot: its entry name.
        author: whose it is; `organizer` for those of the league file.
        membership: whether it plays.
        remote: whether it runs elsewhere.
        versions: all entries of the same name, this one among them, the oldest first.
        source: the digest of its files; None for others than author and organizer, and for remote bots.
        results: how it fared; None before the first refresh, and if it is in no table.
    """

    bot: str
    author: str
    membership: Membership
    remote: bool
    versions: tuple[str, ...]
    source: str | None
    results: ResultsView | None
