"""The tables of a league as a viewer may see them: standings, crosstable, sides and seats, ratings, rounds.

Each shows the moment of the last refresh. Ratings depend only on places and sides, so they use all matches that count.
Times and dealt sides use closed deals only, except for the organizer.
"""

from typing import TypeAlias

import msgspec

from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.rating.cooperation import Cooperation
from tournaments.rating.fit import Fit
from tournaments.results.standings import CellView, StandingView
from tournaments.schedule.formats import Bracket, SwissStanding


class TableStamp(msgspec.Struct, frozen=True):
    """The moment of a table, and its matches.

    Attributes:
        at_ms: when it was computed, in milliseconds since 1970 (UTC).
        matches: how many matches counted.
        interim: whether matches remained to be played, or to be planned.
        digest: the digest of the matches that counted; None while a deal is open to the viewer.
    """

    at_ms: int
    matches: int
    interim: bool
    digest: str | None


class StandingsView(msgspec.Struct, frozen=True):
    """A page of the table.

    Attributes:
        of: the moment.
        table: the name of the table whose matches alone count; None: all of the league.
        bots: how many lines the table has.
        groups: how many groups of bots never met.
        lines: the lines of the page, best first.
        next: the position after the last line, from which the next page begins; None: this is the last.
        fit: whether one number describes the bots; None where this is not tested.
        best_ms: as of when ranks are known and bots may be the best, in milliseconds since 1970 (UTC); None: as of the
            table.
    """

    of: TableStamp
    table: str | None
    bots: int
    groups: int
    lines: tuple[StandingView, ...]
    next: int | None
    fit: Fit | None = None
    best_ms: int | None = None


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

    of: TableStamp
    bots: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[CellView | None, ...], ...]
    next_row: int | None
    next_column: int | None


class SidesView(msgspec.Struct, frozen=True):
    """The results of seats, and of sides or roles.

    Attributes:
        of: the moment.
        seats: over all bots, by table and number.
        sides: over all bots, where sides differ, by table and name. Dealt sides count only closed deals.
        cooperation: the results of bots alone and by pairs, where all seats are one side. This is the cross-play.
    """

    of: TableStamp
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

    of: TableStamp
    matches: tuple[int, ...]
    bots: dict[str, tuple[float | None, ...]]


class SwissView(msgspec.Struct, frozen=True, tag="swiss"):
    """A page of the table of a Swiss.

    Attributes:
        of: the moment.
        rounds: how many rounds are settled.
        bots: how many lines the table has.
        lines: the lines of the page, best first.
        next: the position after the last line, from which the next page begins; None: this is the last.
    """

    of: TableStamp
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

    of: TableStamp
    bracket: Bracket


RoundsSeen: TypeAlias = SwissView | BracketView
