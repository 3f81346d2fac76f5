"""The tables of a league as a viewer may see them: standings, crosstable, sides and seats, ratings, rounds.

Each is of a moment, the last refresh. Ratings hang on places and sides alone, so they are of all matches that count.
Times, and sides that are dealt, are of closed deals only, unless the organizer looks.
"""

from typing import TypeAlias

import msgspec

from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.rating.cooperation import Cooperation
from tournaments.rating.interval_type import Interval
from tournaments.schedule.formats import Bracket, SwissStanding


class TableMoment(msgspec.Struct, frozen=True):
    """What a table is of.

    Attributes:
        at_ms: when it was computed, in milliseconds since 1970 (UTC).
        matches: how many matches counted.
        interim: whether matches remained to be played.
        digest: that of the matches that counted; None while a deal is open to the viewer.
    """

    at_ms: int
    matches: int
    interim: bool
    digest: str | None


class StandingView(msgspec.Struct, frozen=True):
    """One bot's line in the table. `tournaments.results.standings.Standing` says more of the numbers.

    It is kept in this form, too, as anybody may see it, but without the author.

    Attributes:
        rank: from 1, by rating, in its group.
        bot: its entry name.
        author: whose it is; `organizer` for those of the league file. Empty as long as it is kept: a bot can be given
            to somebody else.
        rating: the mean of its skill; the mean over all bots of its group is 25.
        sigma: the deviation of its skill, as the rating's model sees it.
        interval: the 95 % interval of the rating; None with too few deals.
        separated: whether it is separated from the next line; None for the last.
        separated_from_first: whether it is separated from the first of its group.
        matches: how many of its matches count.
        wins: first places, unless the match was a draw.
        draws: matches in which all places were equal.
        losses: all other matches.
        score: the mean share of the sides held by others that its side came before; None before its first match.
        faults: matches that the bot's own fault cut short.
        mean_decision_ms: its mean thinking time for a decision; None where none is known to the viewer.
        group: the number of its group, from 1; bots of different groups never met.
        ranks: the 95 % interval of its rank; None without one.
        first: the probability that it is the first; None without an interval.
        beats_next: the probability that it beats the next of its group; None where that has no meaning.
        suspended: whether it is suspended.
        trend: its rating after each part of the matches, as in `RatingsView`; None before its first match.
    """

    rank: int
    bot: str
    author: str
    rating: float
    sigma: float
    interval: Interval | None
    separated: bool | None
    separated_from_first: bool
    matches: int
    wins: int
    draws: int
    losses: int
    score: float | None
    faults: int
    mean_decision_ms: float | None
    group: int
    ranks: tuple[int, int] | None
    first: float | None
    beats_next: float | None
    suspended: bool
    trend: tuple[float | None, ...]


class StandingsView(msgspec.Struct, frozen=True):
    """A page of the table.

    Attributes:
        of: the moment.
        table: the name of the table whose matches alone count; None: all of the league.
        bots: how many lines the table has.
        groups: how many groups of bots never met.
        lines: those of the page, best first.
        next: the position after the last line, to ask for the next page; None: it is the last.
    """

    of: TableMoment
    table: str | None
    bots: int
    groups: int
    lines: tuple[StandingView, ...]
    next: int | None


class CellView(msgspec.Struct, frozen=True, gc=False):
    """How a bot did against another.

    Attributes:
        matches: how often they met.
        score: its mean score in these matches.
        expected: the mean score that the ratings expect of them.
        difference: its rating minus that of the other; None if they never met, not even by way of others.
        interval: the 95 % interval of the difference; None if there is none.
        beats: the probability that it beats the other; None where there is no difference.
    """

    matches: int
    score: float | None
    expected: float | None
    difference: float | None
    interval: Interval | None
    beats: float | None


class CrosstableView(msgspec.Struct, frozen=True):
    """A page of the crosstable.

    Attributes:
        of: the moment.
        bots: how many bots the whole table has.
        rows: the bots of its rows, best first.
        columns: the bots of its columns, best first.
        cells: by row and column; None where a bot meets itself.
        next_row: the position of the first row of the page below; None: there is none.
        next_column: the position of the first column of the page to the right; None: there is none.
    """

    of: TableMoment
    bots: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[CellView | None, ...], ...]
    next_row: int | None
    next_column: int | None


class SidesView(msgspec.Struct, frozen=True):
    """How seats, and sides or roles, fared.

    Attributes:
        of: the moment.
        seats: over all bots, by table and number.
        sides: over all bots, where sides differ, by table and name. Sides that are dealt: of closed deals only.
        cooperation: how bots fared alone and by pairs, where all seats are one side. This is the cross-play.
    """

    of: TableMoment
    seats: tuple[SeatRecord, ...]
    sides: tuple[SideRecord, ...]
    cooperation: tuple[Cooperation, ...]


class RatingsView(msgspec.Struct, frozen=True):
    """Ratings over matches, in plan order.

    Attributes:
        of: the moment.
        matches: how many matches counted at each point.
        bots: by name, the rating at each point; None before its first match.
    """

    of: TableMoment
    matches: tuple[int, ...]
    bots: dict[str, tuple[float | None, ...]]


class SwissView(msgspec.Struct, frozen=True, tag="swiss"):
    """A page of the table of a Swiss.

    Attributes:
        of: the moment.
        rounds: how many rounds are settled.
        bots: how many lines the table has.
        lines: those of the page, best first.
        next: the position after the last line, to ask for the next page; None: it is the last.
    """

    of: TableMoment
    rounds: int
    bots: int
    lines: tuple[SwissStanding, ...]
    next: int | None


class BracketView(msgspec.Struct, frozen=True, tag="bracket"):
    """The bracket of a knock-out.

    Attributes:
        of: the moment.
        bracket: its rounds so far.
    """

    of: TableMoment
    bracket: Bracket


RoundsSeen: TypeAlias = SwissView | BracketView
