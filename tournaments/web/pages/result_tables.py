"""Pages of tables: standings, crosstable, cross-play, seats and sides, ratings over matches, rounds."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from referee.core.text import several
from tournaments.rating import FEWEST_BLOCKS
from tournaments.rating.cooperation import Cooperation, TeamRecord
from tournaments.results.standings import CellView, StandingView
from tournaments.web.pages import words
from tournaments.web.pages.highlights import OpenToAll
from tournaments.web.pages.lists import Part, TableSearch, columns, numbered, rows
from tournaments.web.pages.number_format import percent
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.scales import Scale, shade
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.league_view import LeagueView
from tournaments.web.visibility.table_views import CrosstableView, RatingsView, SidesView, StandingsView

LINES = 100
"""The number of bots on a page of a table."""

TRENDS = 10
"""The number of bots whose ratings over time are drawn."""

CELLS = 50
"""The number of bots in the lines, and in the columns, of a page of a crosstable."""


_COLUMNS = MappingProxyType(
    {
        "rank": "place",
        "bot": "bot",
        "-rating": "rating",
        "-score": "score",
        "-return": "mean return",
        "-faults": "faults",
    }
)


def standings(
    league: LeagueView,
    view: StandingsView,
    here: PageAddress,
    left_s: float | None = None,
    search: TableSearch | None = None,
    to_watch: OpenToAll = OpenToAll(),  # noqa: B008 - a value
) -> Page:
    """The table of a league.

    Args:
        league: the league.
        view: a page of its table.
        here: the address of the page.
        left_s: the estimate of the remaining seconds, if it is known.
        search: the order and the search; None if nobody can sort or search.
        to_watch: the matches beside it.
    """
    met = len({line.group for line in view.lines if line.matches})
    context = {
        "league": league,
        "left_s": left_s,
        "choices": _choices(league, here),
        "to_watch": to_watch,
        "trends": [(line.bot, line.trend) for line in view.lines[:TRENDS]],
        "scale": Scale((line.rating, line.interval) for line in view.lines),
        "about": words.at_table(league, view.table),
        "groups": list(_groups(view, search, met)),
        "returns": any(line.mean_return is not None for line in view.lines),
        "mixed": [line for line in view.lines if line.best_mix],
        "overall": [line for line in view.lines if line.overall],
        "columns": columns(here, search, _COLUMNS, "rank"),
        "asked": search,
        "met": met,
        "fewest_blocks": FEWEST_BLOCKS,
    }
    return Page(here, "Standings", "standings", context, view, numbered(here, view.bots, LINES))


def _groups(view: StandingsView, search: TableSearch | None, met: int) -> Iterator[tuple[str, Sequence[StandingView]]]:
    """The groups of bots that met, so many, with their headings. If a reader sorts or searches, they are one table."""
    if search and (search.sort or search.find):
        yield words.sorted_standings(view.bots, search.find), view.lines
        return
    for number, lines in groupby(view.lines, key=_group_of):
        yield words.group(number, met), list(lines)


def _group_of(line: StandingView) -> int | None:
    """The number of the group of a bot; None if the bot played nothing, and so met nobody."""
    return line.group if line.matches else None


def _choices(league: LeagueView, here: PageAddress) -> list[Part]:
    """The table of all matches, and those of each table of the league, if there are several."""
    if len(league.tables) < 2:
        return []
    every = Part("all tables", here._replace(key="", after=""), not here.key)
    return [
        every,
        *(Part(table.name, here._replace(key=table.name, after=""), here.key == table.name) for table in league.tables),
    ]


class HeatCell(NamedTuple):
    """A cell of a heat map: its class, its score in per cent, if there is one, its text, and the bot of its column.

    The name of the bot is written as in an address.
    """

    shade: str
    score: int | None
    text: str
    other: str = ""


HeatRow: TypeAlias = tuple[int, str, list[HeatCell]]
"""A line of a heat map: the number of its bot in the table, the bot, and the cells."""

_MOST_IN_PAIRS = 6
"""The most bots whose pairs are listed. More bots have more pairs than anybody reads."""


def crosstable(view: CrosstableView, here: PageAddress, *, has_search: bool = False) -> Page:
    """The bots of a league against each other. If readers can search for matches, cells lead to those of the pair."""
    row, column = first_cell(here.after)
    others = [(name, words.bot(name), quote(name, safe="")) for name in view.columns]
    context = {
        "columns": list(enumerate(view.columns, column + 1)),
        "lines": [
            (number, bot, [_cell(bot, *other, cell) for other, cell in zip(others, cells, strict=True)])
            for number, (bot, cells) in enumerate(zip(view.rows, view.cells, strict=True), row + 1)
        ],
        "has_search": has_search,
        "pairs": list(_pairs(view)),
    }
    return Page(here, "Two by two", "crosstable", context, view, blocks(here, view.bots))


def first_cell(after: str) -> tuple[int, int]:
    """The first row and column of the part of a crosstable, from the position in its place."""
    row, _, column = after.partition("-")
    return int(row or 0), int(column or 0)


def _cell(bot: str, other: str, named: str, quoted: str, cell: CellView | None) -> HeatCell:
    if bot == other:
        return HeatCell("self", None, "itself")
    if cell is None:
        return HeatCell("none", None, "never met")
    cell_shade, score, text = _scored(cell.score, cell.matches)
    return HeatCell(cell_shade, score, f"against {named}: {text}", quoted)


@lru_cache(4_096)
def _scored(score: float | None, matches: int) -> tuple[str, int | None, str]:
    """The class of a cell, its score in per cent, and both in words. Most of thousands of cells have been seen."""
    return shade(score), _per_cent(score), f"{percent(score)} in {several(matches, 'match', 'matches')}"


def _per_cent(score: float | None) -> int | None:
    return None if score is None else round(100 * score)


def _pairs(view: CrosstableView) -> Iterator[tuple[str, str, CellView]]:
    """Every two bots once, if they are few."""
    if view.bots > _MOST_IN_PAIRS:
        return
    for at, (bot, cells) in enumerate(zip(view.rows, view.cells, strict=True)):
        for other, cell in list(zip(view.columns, cells, strict=True))[at + 1 :]:
            if cell is not None and cell.difference is not None:
                yield bot, other, cell


def blocks(here: PageAddress, bots: int) -> list[Part]:
    """The parts of a crosstable: blocks of lines and columns."""
    starts = range(0, bots, CELLS)
    current = first_cell(here.after)
    return [
        Part(
            f"{rows(row, CELLS, bots)} against {rows(column, CELLS, bots)}",
            here._replace(after=f"{row}-{column}" if row or column else ""),
            (row, column) == current,
        )
        for row in starts
        for column in starts
    ]


def crossplay(view: SidesView, here: PageAddress) -> Page:
    """How bots did together, where all seats are one side."""
    row, column = first_cell(here.after)
    context = {"tables": [(each, *_teams(each, row, column)) for each in view.cooperation]}
    bots = max((len(_alone(each)) for each in view.cooperation), default=1)
    return Page(here, "Together", "crossplay", context, view, blocks(here, bots))


def _alone(together: Cooperation) -> list[TeamRecord]:
    """The bots one by one, the best first."""
    alone = [record for record in together.records if len(record.bots) == 1]
    return sorted(alone, key=lambda record: (-record.share, record.bots))


def _teams(together: Cooperation, row: int, column: int) -> tuple[list[tuple[int, str]], list[HeatRow]]:
    """The bots of the columns with their numbers, and the lines."""
    records = {record.bots: record for record in together.records}
    alone = [record.bots[0] for record in _alone(together)]
    columns = list(enumerate(alone[column : column + CELLS], column + 1))

    def cells(bot: str) -> list[HeatCell]:
        teams = ((bot,), *(tuple(sorted((bot, other))) for _, other in columns))
        return [_team(records.get(team)) for team in teams]

    return columns, [(at, bot, cells(bot)) for at, bot in enumerate(alone[row : row + CELLS], row + 1)]


def _team(record: TeamRecord | None) -> HeatCell:
    if record is None:
        return HeatCell("none", None, "not played")
    text = words.together(record.bots, percent(record.share), record.matches, record.mean_score)
    return HeatCell(shade(record.share), _per_cent(record.share), text)


def seat_results(league: LeagueView, view: SidesView, here: PageAddress) -> Page:
    """The results of seats and sides, or roles, over all bots."""
    hidden = any(table.deals_sides for table in league.tables) and view.of.digest is None
    return Page(here, "Seats and sides", "fared", {"hidden": hidden}, view)


def history(league: LeagueView, view: RatingsView, here: PageAddress) -> Page:
    """Ratings over matches."""
    return Page(here, "Ratings over matches", "history", {"fewer": league.bots > len(view.bots)}, view)
