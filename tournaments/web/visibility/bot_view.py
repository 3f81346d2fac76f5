"""A bot as a viewer may see it."""

from typing import Literal, TypeAlias

import msgspec

from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.results.standings import StandingView
from tournaments.web.visibility.table_views import TableMoment

Membership: TypeAlias = Literal["plays", "suspended", "withdrawn"]
"""Whether a bot plays in a league."""


class OpponentView(msgspec.Struct, frozen=True):
    """The results of a bot against another.

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
    """The results of a bot.

    Attributes:
        of: the moment.
        standing: its line in the table.
        seats: its results in each seat.
        sides: its results on each side, where sides differ. Dealt sides count only closed deals.
        faults: how many matches its fault cut short, by kind.
        best: the bots against which it most exceeded its expected score, the best first.
        worst: the bots against which it fell furthest below its expected score, the worst first.
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
        author: the name of its author; `organizer` for bots of the league file.
        membership: whether it plays.
        remote: whether it runs elsewhere.
        versions: all entries of the same name, this one among them, the oldest first.
        source: the digest of its files; None for remote bots, and for viewers other than its author and the organizer.
        results: its results; None before the first refresh, and if it is in no table.
    """

    bot: str
    author: str
    membership: Membership
    remote: bool
    versions: tuple[str, ...]
    source: str | None
    results: ResultsView | None
