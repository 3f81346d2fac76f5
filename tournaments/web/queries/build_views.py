"""Kept tables as a viewer may see them. Pure: values are built up from what the viewer may know."""

from collections.abc import Mapping

from msgspec.structs import astuple, replace

from tournaments.results.league_tables import Cell, Lines, OfBot, Ratings, Rounds, Sides, Summary
from tournaments.web.visibility.bot_view import OpponentSeen, ResultsSeen
from tournaments.web.visibility.league_view import ProgressSeen
from tournaments.web.visibility.permissions import Sight
from tournaments.web.visibility.table_views import (
    BracketSeen,
    CellSeen,
    CrosstableSeen,
    Moment,
    RatingsSeen,
    RoundsSeen,
    SidesSeen,
    StandingSeen,
    StandingsSeen,
    SwissSeen,
)

_OPPONENTS = 5
"""So many of the best and of the worst opponents of a bot are shown."""


def progress(found: Summary) -> ProgressSeen:
    """How far a league was at the last refresh. How often a match was void is the organizer's business."""
    then = found.progress
    return ProgressSeen(
        at_ms=found.at_ms,
        waves=then.waves,
        planned=then.planned,
        played=then.played,
        remaining=then.remaining,
        skipped=then.skipped,
        abandoned=then.abandoned,
    )


def _moment(found: Summary, sight: Sight) -> Moment:
    """What the tables of the league are of."""
    return _moment_of(found, sight, found.progress.played, found.digest)


def _moment_of(found: Summary, sight: Sight, matches: int, digest: str) -> Moment:
    told = digest if sight.sees_all else None
    return Moment(found.at_ms, matches, found.progress.remaining > 0, told)


def standings(found: Summary, lines: Lines, sight: Sight, table: str | None, after: int, most: int) -> StandingsSeen:
    """A page of standings."""
    part = lines.lines[after : after + most]
    return StandingsSeen(
        of=_moment_of(found, sight, lines.matches, lines.digest),
        table=table,
        bots=len(lines.lines),
        groups=lines.groups,
        lines=tuple(_line(line, lines, sight) for line in part),
        next=_next(after, most, len(lines.lines)),
    )


def line_of(bot: str, lines: Lines, sight: Sight) -> StandingSeen | None:
    """A bot's line; None if it has none."""
    own = (line for line in lines.lines if line.bot == bot)
    return next((_line(line, lines, sight) for line in own), None)


def _line(line: StandingSeen, lines: Lines, sight: Sight) -> StandingSeen:
    """A line as everybody may see it, with its author, and with all times if they may be told."""
    all_ms = {"mean_decision_ms": lines.all_ms[line.bot]} if sight.sees_all else {}
    return replace(line, author=sight.author(line.bot), **all_ms)


def crosstable(
    found: Summary, bots: Mapping[str, OfBot], sight: Sight, row: int, column: int, most: int
) -> CrosstableSeen:
    """A page of the crosstable, from a row and a column on.

    Args:
        found: the summary.
        bots: those of the rows, by name.
        sight: the viewer.
        row: the position of the first row.
        column: the position of the first column.
        most: how many rows and columns a page has.
    """
    rows = tuple(name for name in found.order[row : row + most] if name in bots)
    end = column + most
    return CrosstableSeen(
        of=_moment(found, sight),
        bots=len(found.order),
        rows=rows,
        columns=found.order[column:end],
        cells=tuple(tuple(map(_cell, bots[name].row[column:end])) for name in rows),
        next_row=_next(row, most, len(found.order)),
        next_column=_next(column, most, len(found.order)),
    )


def _cell(cell: Cell | None) -> CellSeen | None:
    return None if cell is None else CellSeen(*astuple(cell))


def sides(found: Summary, kept: Sides, sight: Sight) -> SidesSeen:
    """How seats and sides fared."""
    told = kept.sides if sight.sees_all else kept.known_sides
    return SidesSeen(_moment(found, sight), kept.seats, told, kept.cooperation)


def ratings(found: Summary, kept: Ratings, sight: Sight, bots: tuple[str, ...]) -> RatingsSeen:
    """The ratings of some bots."""
    return RatingsSeen(_moment(found, sight), kept.matches, {name: kept.bots[name] for name in bots})


def rounds(found: Summary, kept: Rounds, sight: Sight, after: int, most: int) -> RoundsSeen | None:
    """The bracket, or a page of the table of a Swiss; None in other formats."""
    if kept.bracket is not None:
        return BracketSeen(_moment(found, sight), kept.bracket)
    if kept.swiss is None:
        return None
    settled = max((len(line.rounds) for line in kept.swiss), default=0)
    lines = kept.swiss[after : after + most]
    return SwissSeen(_moment(found, sight), settled, len(kept.swiss), lines, _next(after, most, len(kept.swiss)))


def results(kept: OfBot, line: StandingSeen, found: Summary, sight: Sight) -> ResultsSeen:
    """How a bot fared."""
    best, worst = _opponents(kept, found)
    told = kept.sides if sight.sees_all else kept.known_sides
    return ResultsSeen(_moment(found, sight), line, kept.seats, told, kept.faults, best, worst)


def _opponents(kept: OfBot, found: Summary) -> tuple[tuple[OpponentSeen, ...], tuple[OpponentSeen, ...]]:
    """The opponents of a bot against which it did best beyond what was expected, the best first; and worst."""
    met = [
        OpponentSeen(name, cell.matches, cell.score, cell.expected)
        for name, cell in zip(found.order, kept.row, strict=False)
        if cell is not None and cell.score is not None and cell.expected is not None
    ]
    met.sort(key=lambda each: (each.expected - each.score, each.bot))
    best = [each for each in met if each.score > each.expected]
    worst = [each for each in reversed(met) if each.score < each.expected]
    return tuple(best[:_OPPONENTS]), tuple(worst[:_OPPONENTS])


def _next(after: int, most: int, count: int) -> int | None:
    return after + most if after + most < count else None
