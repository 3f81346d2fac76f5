"""Builds views of stored tables for a viewer. Pure: it builds each value from the data that the viewer may know."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import astuple, replace

from tournaments.league.format_settings import KnockoutSettings, OpenSettings, Settings, SwissSettings
from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.results.league_tables import BotPart, CrosstableCell, Ratings, Rounds, Sides, StandingsPart, Summary
from tournaments.results.standings import CellView, StandingView
from tournaments.web.queries.list_page import has_text, in_order
from tournaments.web.visibility.bot_view import OpponentView, ResultsView
from tournaments.web.visibility.league_view import ProgressView
from tournaments.web.visibility.permissions import Permissions
from tournaments.web.visibility.table_views import (
    BracketView,
    CrosstableView,
    RatingsView,
    RoundsSeen,
    SidesView,
    StandingsView,
    SwissView,
    TableStamp,
)


class StandingsQuery(NamedTuple):
    """Which lines of the standings are asked for, and in which order.

    Attributes:
        table: only the matches of this table, of several; None: all of the league.
        sort: the column, as `in_order` takes it; empty: best first, group after group.
        find: a part of the name of a bot or an author; empty: all bots.
    """

    table: str | None = None
    sort: str = ""
    find: str = ""


_OPPONENTS = 5
"""How many of the best and of the worst opponents of a bot are shown."""


def progress(summary: Summary, settings: Settings) -> ProgressView:
    """The progress of a league at the last refresh. Only the organizer learns how often a match was void."""
    then = summary.progress
    return ProgressView(
        at_ms=summary.at_ms,
        waves=then.waves,
        matches=then.matches,
        at_end=then.matches.planned if summary.is_over else _at_end(settings, then.matches.planned),
    )


def _at_end(settings: Settings, planned: int) -> int | None:
    """How many matches a league has at most when it ends; None if results decide that."""
    match settings:
        case OpenSettings(matches=most):
            return most
        case SwissSettings() | KnockoutSettings():
            return None
        case _:
            return planned


def moment(summary: Summary, permissions: Permissions) -> TableStamp:
    """The moment of the tables of the league."""
    return _moment_of(summary, permissions, summary.matches, summary.digest)


def _moment_of(summary: Summary, permissions: Permissions, matches: int, digest: str) -> TableStamp:
    visible_digest = digest if permissions.sees_all else None
    return TableStamp(summary.at_ms, matches, not summary.is_over, visible_digest)


def standings(
    summary: Summary, lines: StandingsPart, permissions: Permissions, query: StandingsQuery, after: int, most: int
) -> StandingsView:
    """A page of standings. Lines are sorted by nothing but what the viewer sees."""
    seen: Sequence[StandingView] = lines.lines
    if query.sort or query.find:
        seen = [_line(line, lines, permissions) for line in lines.lines]
        seen = [line for line in seen if has_text(query.find, line.bot, line.author)]
        seen = in_order(seen, query.sort, STANDINGS_COLUMNS)
    return StandingsView(
        of=_moment_of(summary, permissions, lines.matches, lines.digest),
        table=query.table,
        bots=len(seen),
        groups=lines.groups,
        lines=tuple(_line(line, lines, permissions) for line in seen[after : after + most]),
        next=_next(after, most, len(seen)),
        fit=lines.fit,
        best_ms=lines.best_ms,
    )


STANDINGS_COLUMNS: Mapping[str, Callable[[StandingView], object]] = MappingProxyType(
    {
        "rank": lambda line: line.rank,
        "bot": lambda line: line.bot.casefold(),
        "author": lambda line: line.author.casefold(),
        "rating": lambda line: line.rating,
        "matches": lambda line: line.matches,
        "score": lambda line: line.score,
        "return": lambda line: line.mean_return,
        "faults": lambda line: line.faults,
    }
)
"""The columns by which standings are sorted."""


def line_of(bot: str, lines: StandingsPart, permissions: Permissions) -> StandingView | None:
    """A bot's line; None if it has none."""
    own = (line for line in lines.lines if line.bot == bot)
    return next((_line(line, lines, permissions) for line in own), None)


def _line(line: StandingView, lines: StandingsPart, permissions: Permissions) -> StandingView:
    """A line as everybody may see it, with its author, and with all times if the viewer may see them."""
    author = permissions.author(line.bot)
    if not permissions.sees_all:
        return replace(line, author=author)
    return replace(line, author=author, mean_decision_ms=lines.all_ms[line.bot], costs=lines.all_costs[line.bot])


def crosstable(
    summary: Summary,
    cells: Mapping[str, Sequence[CrosstableCell | None]],
    permissions: Permissions,
    row: int,
    column: int,
    most: int,
) -> CrosstableView:
    """A page of the crosstable, from a row and a column on.

    Args:
        summary: the summary.
        cells: by bot, the cells of its row on this page.
        permissions: the viewer.
        row: the position of the first row.
        column: the position of the first column.
        most: how many rows and columns a page has.
    """
    rows = tuple(name for name in summary.order[row : row + most] if name in cells)
    return CrosstableView(
        of=moment(summary, permissions),
        bots=len(summary.order),
        rows=rows,
        columns=summary.order[column : column + most],
        cells=tuple(tuple(map(_cell, cells[name])) for name in rows),
        next_row=_next(row, most, len(summary.order)),
        next_column=_next(column, most, len(summary.order)),
    )


def _cell(cell: CrosstableCell | None) -> CellView | None:
    return None if cell is None else CellView(*astuple(cell))


def sides(summary: Summary, part: Sides, permissions: Permissions) -> SidesView:
    """The results of seats and sides."""
    seats, records = _visible_records(part, permissions)
    return SidesView(moment(summary, permissions), seats, records, part.cooperation)


def _visible_records(
    part: Sides | BotPart, permissions: Permissions
) -> tuple[tuple[SeatRecord, ...], tuple[SideRecord, ...]]:
    """The results of seats and of sides, as far as the viewer may know them."""
    return (part.seats, part.sides) if permissions.sees_all else (part.known_seats, part.known_sides)


def ratings(summary: Summary, part: Ratings, permissions: Permissions, bots: tuple[str, ...]) -> RatingsView:
    """The ratings of some bots."""
    return RatingsView(moment(summary, permissions), part.matches, {name: part.bots[name] for name in bots})


def rounds(summary: Summary, part: Rounds, permissions: Permissions, after: int, most: int) -> RoundsSeen | None:
    """The bracket, or a page of the table of a Swiss; None in other formats."""
    if part.bracket is not None:
        return BracketView(moment(summary, permissions), part.bracket)
    if part.swiss is None:
        return None
    settled = max((len(line.rounds) for line in part.swiss), default=0)
    lines = part.swiss[after : after + most]
    return SwissView(moment(summary, permissions), settled, len(part.swiss), lines, _next(after, most, len(part.swiss)))


def results(part: BotPart, line: StandingView, summary: Summary, permissions: Permissions) -> ResultsView:
    """The results of a bot."""
    best, worst = _opponents(part, summary)
    seats, records = _visible_records(part, permissions)
    return ResultsView(moment(summary, permissions), line, seats, records, part.faults, best, worst)


def _opponents(part: BotPart, summary: Summary) -> tuple[tuple[OpponentView, ...], tuple[OpponentView, ...]]:
    """The opponents against which a bot most exceeded its expected score, the best first; and the worst."""
    met = [
        OpponentView(name, cell.matches, cell.score, cell.expected)
        for name, cell in zip(summary.order, part.row, strict=False)
        if cell is not None and cell.score is not None and cell.expected is not None
    ]
    met.sort(key=lambda each: (each.expected - each.score, each.bot))
    best = [each for each in met if each.score > each.expected]
    worst = [each for each in reversed(met) if each.score < each.expected]
    return tuple(best[:_OPPONENTS]), tuple(worst[:_OPPONENTS])


def _next(after: int, most: int, count: int) -> int | None:
    return after + most if after + most < count else None
