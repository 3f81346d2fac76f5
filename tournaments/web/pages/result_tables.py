"""Pages of tables: standings, crosstable, cross-play, seats and sides, ratings over matches, rounds."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec

from referee.core.printable import printable_json
from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.rating.cooperation import Cooperation, TeamRecord
from tournaments.results.table_values import CellView, StandingView
from tournaments.web.pages import words
from tournaments.web.pages.cell_colours import shade
from tournaments.web.pages.labels import SAY
from tournaments.web.pages.number_format import percent, span
from tournaments.web.pages.pagination import Part, numbered
from tournaments.web.pages.rating_scale import DrawnRating, Scale, trend
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.league_view import LeagueView
from tournaments.web.visibility.table_views import CrosstableView, RatingsView, SidesView, StandingsView

LINES = 100
"""The number of bots on a page of a table."""

CELLS = 50
"""The number of bots in the lines, and in the columns, of a page of a crosstable."""


class StandingsLine(NamedTuple):
    """A bot in the standings: row, address of its page, drawing, and whether it is separated from the next."""

    row: StandingView
    place: PageAddress
    drawn: DrawnRating
    trend: str | None
    apart: bool


class StandingsGroup(NamedTuple):
    """A group of bots that met: its heading, and its lines."""

    heading: str
    about: str
    lines: list[StandingsLine]


def standings(league: LeagueView, seen: StandingsView, here: PageAddress, left_s: float | None = None) -> Page:
    """The table of a league. `left_s` is the estimate of the remaining seconds, if it is known."""
    scale = Scale((line.rating, line.interval) for line in seen.lines)
    of = words.at_table(league, seen.table)
    groups = groupby(seen.lines, key=lambda line: line.group)
    returns = any(line.mean_return is not None for line in seen.lines)
    return Page(
        here,
        SAY["standings"],
        "standings",
        {
            "progress": progress(league, seen.of.at_ms, left_s),
            "choices": _choices(league, here),
            "scale": scale,
            "groups": [
                StandingsGroup(*words.group(number, seen.groups, of), list(_lines(league, scale, list(lines))))
                for number, lines in groups
            ],
            "returns": returns,
            "notes": [*words.standings_notes(seen.of, seen.groups), *([SAY["mean_return_note"]] if returns else [])],
        },
        seen,
        numbered(here, seen.bots, LINES),
    )


def _choices(league: LeagueView, here: PageAddress) -> list[Part]:
    """The table of all matches, and those of each table of the league, if there are several."""
    if len(league.tables) < 2:
        return []
    every = Part(SAY["all_tables"], here._replace(key="", after=""), not here.key)
    return [
        every,
        *(Part(table.name, here._replace(key=table.name, after=""), here.key == table.name) for table in league.tables),
    ]


def _lines(league: LeagueView, scale: Scale, lines: Sequence[StandingView]) -> Iterator[StandingsLine]:
    """The lines, with a strong line above each bot that the one before is separated from."""
    for above, line in zip((None, *lines), lines, strict=False):
        yield StandingsLine(
            line,
            PageAddress("bot", league.name, line.bot),
            scale.drawn(line.rating, line.interval),
            trend([rating for rating in line.trend if rating is not None]),
            bool(above and above.separated),
        )


class ProgressLine(NamedTuple):
    """The progress of a league, as the page shows it."""

    state: str
    live: bool
    stored: int
    played: int
    planned: int
    share: float
    left: str
    rated: int | None


def progress(league: LeagueView, rated_ms: int | None, left_s: float | None = None) -> ProgressLine:
    """The progress of a league."""
    found = league.progress
    played, planned = (found.played, found.planned) if found else (0, 0)
    settled = planned - found.remaining if found else 0
    return ProgressLine(
        words.phase(league),
        league.phase == "under way",
        league.stored,
        played,
        planned,
        settled / planned if planned else 0.0,
        words.left(span(left_s)) if left_s is not None else "",
        rated_ms,
    )


class NumberedBot(NamedTuple):
    """A bot with its number in a table, and the address of its page."""

    number: int
    bot: str
    place: PageAddress


class HeatCell(NamedTuple):
    """A cell of a heat map: its class, its score, if there is one, and its text."""

    shade: str
    score: float | None
    told: str


class HeatRow(NamedTuple):
    """A line of a heat map."""

    number: int
    bot: str
    place: PageAddress
    cells: list[HeatCell]


class Pair(NamedTuple):
    """Two bots of the crosstable, with all their results against each other."""

    bot: str
    against: str
    cell: CellView


_MOST_IN_PAIRS = 6
"""The most bots whose pairs are listed. More bots have more pairs than anybody reads."""


def crosstable(league: LeagueView, seen: CrosstableView, here: PageAddress) -> Page:
    """The bots of a league against each other."""
    row, column = corner(here.after)
    pairs = list(_pairs(seen))
    return Page(
        here,
        SAY["crosstable"],
        "crosstable",
        {
            "about": words.of_matches(seen.of),
            "columns": _bots(league, seen.columns, column),
            "lines": [
                HeatRow(*bot, [_cell(bot.bot, other, cell) for other, cell in zip(seen.columns, cells, strict=True)])
                for bot, cells in zip(_bots(league, seen.rows, row), seen.cells, strict=True)
            ],
            "pairs": pairs,
            "notes": [words.crosstable_note(), *([words.pairs_note()] if pairs else [])],
        },
        seen,
        blocks(here, seen.bots),
    )


def corner(after: str) -> tuple[int, int]:
    """The first row and column of the part of a crosstable, from the position in its place."""
    row, _, column = after.partition("-")
    return int(row or 0), int(column or 0)


def _bots(league: LeagueView, names: Sequence[str], first: int) -> list[NumberedBot]:
    return [NumberedBot(at, name, PageAddress("bot", league.name, name)) for at, name in enumerate(names, first + 1)]


def _cell(bot: str, other: str, cell: CellView | None) -> HeatCell:
    if bot == other:
        return HeatCell("self", None, SAY["itself"])
    if cell is None:
        return HeatCell("none", None, SAY["never_met"])
    return HeatCell(shade(cell.score), cell.score, words.met(bot, other, percent(cell.score), cell.matches))


def _pairs(seen: CrosstableView) -> Iterator[Pair]:
    """Every two bots once, if they are few."""
    if seen.bots > _MOST_IN_PAIRS:
        return
    for at, (bot, cells) in enumerate(zip(seen.rows, seen.cells, strict=True)):
        for other, cell in list(zip(seen.columns, cells, strict=True))[at + 1 :]:
            if cell is not None and cell.difference is not None:
                yield Pair(bot, other, cell)


def blocks(here: PageAddress, bots: int) -> list[Part]:
    """The parts of a crosstable: blocks of lines and columns."""
    starts = range(0, bots, CELLS)
    shown = corner(here.after)
    return [
        Part(
            words.block(row, min(row + CELLS, bots), column, min(column + CELLS, bots)),
            here._replace(after=f"{row}-{column}" if row or column else ""),
            (row, column) == shown,
        )
        for row in starts
        for column in starts
    ]


class Teams(NamedTuple):
    """The results of similar tables: their heading, the bots of the columns, and the lines."""

    heading: str
    about: str
    columns: list[NumberedBot]
    lines: list[HeatRow]


def crossplay(league: LeagueView, seen: SidesView, here: PageAddress) -> Page:
    """How bots did together, where all seats are one side."""
    row, column = corner(here.after)
    return Page(
        here,
        SAY["crossplay"],
        "crossplay",
        {
            "tables": [_teams(league, each, row, column) for each in seen.cooperation],
        },
        seen,
        blocks(here, max((len(_alone(each)) for each in seen.cooperation), default=1)),
    )


def _alone(together: Cooperation) -> list[TeamRecord]:
    """The bots one by one, the best first."""
    alone = [record for record in together.records if len(record.bots) == 1]
    return sorted(alone, key=lambda record: (-record.share, record.bots))


def _teams(league: LeagueView, together: Cooperation, row: int, column: int) -> Teams:
    records = {record.bots: record for record in together.records}
    alone = [record.bots[0] for record in _alone(together)]
    columns = _bots(league, alone[column : column + CELLS], column)
    return Teams(
        words.tables_named(together.tables),
        words.on_deals(together.deals, together.luck),
        columns,
        [
            HeatRow(
                *bot,
                [
                    _team(records.get((bot.bot,))),
                    *(_team(records.get(tuple(sorted((bot.bot, other.bot))))) for other in columns),
                ],
            )
            for bot in _bots(league, alone[row : row + CELLS], row)
        ],
    )


def _team(record: TeamRecord | None) -> HeatCell:
    if record is None:
        return HeatCell("none", None, SAY["not_played"])
    told = words.together(record.bots, percent(record.share), record.matches, record.mean_score)
    return HeatCell(shade(record.share), record.share, told)


class ScoreShare(NamedTuple):
    """The results of a seat or side."""

    table: str
    name: str
    record: SeatRecord | SideRecord


def of_seats(records: Sequence[SeatRecord]) -> list[ScoreShare]:
    """The results of seats."""
    return [ScoreShare(record.table, str(record.seat), record) for record in records]


def of_sides(records: Sequence[SideRecord]) -> list[ScoreShare]:
    """The results of sides."""
    return [ScoreShare(record.table, record.side, record) for record in records]


def fared(league: LeagueView, seen: SidesView, here: PageAddress) -> Page:
    """The results of seats and sides, or roles, over all bots."""
    return Page(
        here,
        SAY["fared"],
        "fared",
        {
            "seats": of_seats(seen.seats),
            "sides": of_sides(seen.sides),
            "about": words.of_matches(seen.of),
            "hidden": words.has_dealt_sides(league) and seen.of.digest is None,
        },
        seen,
    )


class History(NamedTuple):
    """The ratings of a bot at each moment."""

    bot: str
    place: PageAddress
    ratings: Sequence[float | None]


class _Chart(msgspec.Struct):
    """The data that the script draws."""

    at: tuple[int, ...]
    bots: list[tuple[str, tuple[float | None, ...]]]


def history(league: LeagueView, seen: RatingsView, here: PageAddress) -> Page:
    """Ratings over matches."""
    chart = _Chart(seen.matches, list(seen.bots.items()))
    return Page(
        here,
        SAY["history"],
        "history",
        {
            "moments": seen.matches,
            "lines": [History(bot, PageAddress("bot", league.name, bot), line) for bot, line in seen.bots.items()],
            "data": printable_json(msgspec.json.encode(chart).decode()),
            "fewer": league.bots > len(seen.bots),
        },
        seen,
    )
