"""Builds views of stored tables for a viewer. Pure: it builds each value from the data that the viewer may know."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import astuple, replace

from tournaments.league.format_settings import KnockoutSettings, OpenSettings, Settings, SwissSettings
from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.results.league_tables import CrosstableCell, StandingsPart, BotPart, Ratings, Rounds, Sides, Summary
from tournaments.results.standings import CellView, StandingView
from tournaments.web.queries.list_page import has_text, in_order
from tournaments.web.visibility.bot_view import OpponentView, ResultsView
from tournaments.web.visibility.league_view import ProgressView
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
from tournaments.web.visibility.viewer import Permissions


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


def progress(found: Summary, settings: Settings) -> ProgressView:
    """The progress of a league at the last refresh. Only the organizer learns how often a match was void."""
    then = found.progress
    return ProgressView(
        at_ms=found.at_ms,
        waves=then.waves,
        planned=then.planned,
        played=then.played,
        remaining=then.remaining,
        skipped=then.skipped,
        abandoned=then.abandoned,
        at_end=then.planned if found.is_over else _at_end(settings, then.planned),
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


def moment(found: Summary, permissions: Permissions) -> TableStamp:
    """The moment of the tables of the league."""
    return _moment_of(found, permissions, found.matches, found.digest)


def _moment_of(found: Summary, permissions: Permissions, matches: int, digest: str) -> TableStamp:
    told = digest if permissions.sees_all else None
    return TableStamp(found.at_ms, matches, not found.is_over, told)


def standings(
    found: Summary, lines: StandingsPart, permissions: Permissions, asked: StandingsQuery, after: int, most: int
) -> StandingsView:
    """A page of standings. Lines are sorted by nothing but what the viewer sees."""
    seen: Sequence[StandingView] = lines.lines
    if asked.sort or asked.find:
        seen = [_line(line, lines, permissions) for line in lines.lines]
        seen = [line for line in seen if has_text(asked.find, line.bot, line.author)]
        seen = in_order(seen, asked.sort, STANDINGS_COLUMNS)
    return StandingsView(
        of=_moment_of(found, permissions, lines.matches, lines.digest),
        table=asked.table,
        bots=len(seen),
        groups=lines.groups,
        lines=tuple(_line(line, lines, permissions) for line in seen[after : after + most]),
        next=_next(after, most, len(seen)),
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
    return replace(line, author=author, mean_decision_ms=lines.all_ms[line.bot], notes=lines.all_notes.get(line.bot))


def crosstable(
    found: Summary,
    known: Mapping[str, Sequence[CrosstableCell | None]],
    permissions: Permissions,
    row: int,
    column: int,
    most: int,
) -> CrosstableView:
    """A page of the crosstable, from a row and a column on.

    Args:
        found: the summary.
        known: by bot, the cells of its row on this page.
        permissions: the viewer.
        row: the position of the first row.
        column: the position of the first column.
        most: how many rows and columns a page has.
    """
    rows = tuple(name for name in found.order[row : row + most] if name in known)
    return CrosstableView(
        of=moment(found, permissions),
        bots=len(found.order),
        rows=rows,
        columns=found.order[column : column + most],
        cells=tuple(tuple(map(_cell, known[name])) for name in rows),
        next_row=_next(row, most, len(found.order)),
        next_column=_next(column, most, len(found.order)),
    )


def _cell(cell: CrosstableCell | None) -> CellView | None:
    return None if cell is None else CellView(*astuple(cell))


def sides(found: Summary, kept: Sides, permissions: Permissions) -> SidesView:
    """The results of seats and sides."""
    seats, records = _known(kept, permissions)
    return SidesView(moment(found, permissions), seats, records, kept.cooperation)


def _known(kept: Sides | BotPart, permissions: Permissions) -> tuple[tuple[SeatRecord, ...], tuple[SideRecord, ...]]:
    """The results of seats and of sides, as far as the viewer may know them."""
    return (kept.seats, kept.sides) if permissions.sees_all else (kept.known_seats, kept.known_sides)


def ratings(found: Summary, kept: Ratings, permissions: Permissions, bots: tuple[str, ...]) -> RatingsView:
    """The ratings of some bots."""
    return RatingsView(moment(found, permissions), kept.matches, {name: kept.bots[name] for name in bots})


def rounds(found: Summary, kept: Rounds, permissions: Permissions, after: int, most: int) -> RoundsSeen | None:
    """The bracket, or a page of the table of a Swiss; None in other formats."""
    if kept.bracket is not None:
        return BracketView(moment(found, permissions), kept.bracket)
    if kept.swiss is None:
        return None
    settled = max((len(line.rounds) for line in kept.swiss), default=0)
    lines = kept.swiss[after : after + most]
    return SwissView(moment(found, permissions), settled, len(kept.swiss), lines, _next(after, most, len(kept.swiss)))


def results(kept: BotPart, line: StandingView, found: Summary, permissions: Permissions) -> ResultsView:
    """The results of a bot."""
    best, worst = _opponents(kept, found)
    seats, records = _known(kept, permissions)
    return ResultsView(moment(found, permissions), line, seats, records, kept.faults, best, worst)


def _opponents(kept: BotPart, found: Summary) -> tuple[tuple[OpponentView, ...], tuple[OpponentView, ...]]:
    """The opponents against which a bot most exceeded its expected score, the best first; and the worst."""
    met = [
        OpponentView(name, cell.matches, cell.score, cell.expected)
        for name, cell in zip(found.order, kept.row, strict=False)
        if cell is not None and cell.score is not None and cell.expected is not None
    ]
    met.sort(key=lambda each: (each.expected - each.score, each.bot))
    best = [each for each in met if each.score > each.expected]
    worst = [each for each in reversed(met) if each.score < each.expected]
    return tuple(best[:_OPPONENTS]), tuple(worst[:_OPPONENTS])


def _next(after: int, most: int, count: int) -> int | None:
    return after + most if after + most < count else None
