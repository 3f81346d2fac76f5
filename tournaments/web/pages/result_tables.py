"""Pages of tables: standings, crosstable, cross-play, seats and sides, ratings over matches, rounds."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from referee.core.text import printable_json
from tournaments.rating import FEWEST_BLOCKS
from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.rating.cooperation import Cooperation, TeamRecord
from tournaments.results.standings import CellView, StandingView
from tournaments.web.pages import words
from tournaments.web.pages.highlights import Highlight
from tournaments.web.pages.lists import Part, TableSearch, columns, numbered
from tournaments.web.pages.number_format import percent
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.scales import DrawnRating, Scale, shade, trend
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


_COLUMNS = MappingProxyType(
    {
        "rank": "#",
        "bot": "bot",
        "author": "author",
        "-rating": "rating",
        "-matches": "matches",
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
    worth: Sequence[Highlight] = (),
) -> Page:
    """The table of a league.

    Args:
        league: the league.
        view: a page of its table.
        here: the address of the page.
        left_s: the estimate of the remaining seconds, if it is known.
        search: the order and the search; None if nobody can sort or search.
        worth: the matches that are worth a look.
    """
    scale = Scale((line.rating, line.interval) for line in view.lines)
    returns = any(line.mean_return is not None for line in view.lines)
    met = len({line.group for line in view.lines if line.matches})
    return Page(
        here,
        "Standings",
        "standings",
        {
            "league": league,
            "left_s": left_s,
            "choices": _choices(league, here),
            "worth": worth,
            "scale": scale,
            "groups": list(_groups(league, view, scale, search, met)),
            "returns": returns,
            "columns": columns(here, search, _COLUMNS, "rank"),
            "asked": search,
            "met": met,
            "fewest_blocks": FEWEST_BLOCKS,
        },
        view,
        numbered(here, view.bots, LINES),
    )


def _groups(
    league: LeagueView, view: StandingsView, scale: Scale, search: TableSearch | None, met: int
) -> Iterator[StandingsGroup]:
    """The groups of bots that met, so many, each with a table. If a reader sorts or searches, they are one table."""
    about = words.at_table(league, view.table)
    if search and (search.sort or search.find):
        yield StandingsGroup(
            words.sorted_standings(view.bots, search.find), about, list(_lines(league, scale, view.lines))
        )
        return
    for number, group in groupby(view.lines, key=_group_of):
        lines = list(group)
        yield StandingsGroup(words.group(number, met), about, list(_lines(league, scale, lines)))


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


def _lines(league: LeagueView, scale: Scale, lines: Sequence[StandingView]) -> Iterator[StandingsLine]:
    """The lines, with a strong line above each bot that the one before is separated from."""
    for above, line in zip((None, *lines), lines, strict=False):
        yield StandingsLine(
            line,
            PageAddress("bot", league.name, line.bot),
            scale.drawn(line.rating, line.interval),
            trend([rating for rating in line.trend if rating is not None]),
            bool(above and above.separated and above.rank + 1 == line.rank),
        )


class NumberedBot(NamedTuple):
    """A bot with its number in a table, and the address of its page."""

    number: int
    bot: str
    place: PageAddress


class HeatCell(NamedTuple):
    """A cell of a heat map: its class, its score in per cent, if there is one, its text, and the bot of its column.

    The name of the bot is written as in an address.
    """

    shade: str
    score: int | None
    text: str
    other: str = ""


class HeatRow(NamedTuple):
    """A line of a heat map. `matches` is the address of the bot's matches, if cells lead to those of the pairs."""

    number: int
    bot: str
    place: PageAddress
    cells: list[HeatCell]
    matches: PageAddress | None = None


class Pair(NamedTuple):
    """Two bots of the crosstable, with all their results against each other."""

    bot: str
    against: str
    cell: CellView


_MOST_IN_PAIRS = 6
"""The most bots whose pairs are listed. More bots have more pairs than anybody reads."""


def crosstable(league: LeagueView, view: CrosstableView, here: PageAddress, *, has_search: bool = False) -> Page:
    """The bots of a league against each other. If readers can search for matches, cells lead to those of the pair."""
    row, column = first_cell(here.after)
    pairs = list(_pairs(view))
    quoted = [quote(name, safe="") for name in view.columns]
    return Page(
        here,
        "Crosstable",
        "crosstable",
        {
            "about": words.of_matches(view.of),
            "columns": _bots(league, view.columns, column),
            "lines": [
                HeatRow(
                    *bot,
                    [_cell(bot.bot, *each) for each in zip(view.columns, quoted, cells, strict=True)],
                    PageAddress("matches", league.name, bot.bot) if has_search else None,
                )
                for bot, cells in zip(_bots(league, view.rows, row), view.cells, strict=True)
            ],
            "pairs": pairs,
        },
        view,
        blocks(here, view.bots),
    )


def first_cell(after: str) -> tuple[int, int]:
    """The first row and column of the part of a crosstable, from the position in its place."""
    row, _, column = after.partition("-")
    return int(row or 0), int(column or 0)


def _bots(league: LeagueView, names: Sequence[str], first: int) -> list[NumberedBot]:
    return [NumberedBot(at, name, PageAddress("bot", league.name, name)) for at, name in enumerate(names, first + 1)]


def _cell(bot: str, other: str, quoted: str, cell: CellView | None) -> HeatCell:
    if bot == other:
        return HeatCell("self", None, "itself")
    if cell is None:
        return HeatCell("none", None, "never met")
    cell_shade, score, text = _scored(cell.score, cell.matches)
    return HeatCell(cell_shade, score, words.met(bot, other, text), quoted)


@lru_cache(4_096)
def _scored(score: float | None, matches: int) -> tuple[str, int | None, str]:
    """The class of a cell, its score in per cent, and both in words. Most of thousands of cells have been seen."""
    return shade(score), _per_cent(score), words.score_in(percent(score), matches)


def _per_cent(score: float | None) -> int | None:
    return None if score is None else round(100 * score)


def _pairs(view: CrosstableView) -> Iterator[Pair]:
    """Every two bots once, if they are few."""
    if view.bots > _MOST_IN_PAIRS:
        return
    for at, (bot, cells) in enumerate(zip(view.rows, view.cells, strict=True)):
        for other, cell in list(zip(view.columns, cells, strict=True))[at + 1 :]:
            if cell is not None and cell.difference is not None:
                yield Pair(bot, other, cell)


def blocks(here: PageAddress, bots: int) -> list[Part]:
    """The parts of a crosstable: blocks of lines and columns."""
    starts = range(0, bots, CELLS)
    current = first_cell(here.after)
    return [
        Part(
            words.block(row, min(row + CELLS, bots), column, min(column + CELLS, bots)),
            here._replace(after=f"{row}-{column}" if row or column else ""),
            (row, column) == current,
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


def crossplay(league: LeagueView, view: SidesView, here: PageAddress) -> Page:
    """How bots did together, where all seats are one side."""
    row, column = first_cell(here.after)
    return Page(
        here,
        "Cross-play",
        "crossplay",
        {
            "tables": [_teams(league, each, row, column) for each in view.cooperation],
        },
        view,
        blocks(here, max((len(_alone(each)) for each in view.cooperation), default=1)),
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
        return HeatCell("none", None, "not played")
    text = words.together(record.bots, percent(record.share), record.matches, record.mean_score)
    return HeatCell(shade(record.share), _per_cent(record.share), text)


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


def seat_results(league: LeagueView, view: SidesView, here: PageAddress) -> Page:
    """The results of seats and sides, or roles, over all bots."""
    return Page(
        here,
        "Seats and sides",
        "fared",
        {
            "seats": of_seats(view.seats),
            "sides": of_sides(view.sides),
            "about": words.of_matches(view.of),
            "hidden": words.has_dealt_sides(league) and view.of.digest is None,
        },
        view,
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


def history(league: LeagueView, view: RatingsView, here: PageAddress) -> Page:
    """Ratings over matches."""
    chart = _Chart(view.matches, list(view.bots.items()))
    return Page(
        here,
        "Ratings over matches",
        "history",
        {
            "moments": view.matches,
            "lines": [History(bot, PageAddress("bot", league.name, bot), line) for bot, line in view.bots.items()],
            "data": printable_json(msgspec.json.encode(chart).decode()),
            "fewer": league.bots > len(view.bots),
        },
        view,
    )
