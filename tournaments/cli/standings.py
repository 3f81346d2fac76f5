"""`referee standings`: one table over the leagues of a course, or that of a league that is served elsewhere."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import AsJson, fail, print_json
from referee.core.errors import Exit
from referee.core.text import several
from tournaments.cli.arguments import Ca, PlainHttp, Wide, line_to
from tournaments.cli.entries import when
from tournaments.cli.results_text import (
    best_note,
    extra_columns,
    fit_note,
    mean,
    overall_columns,
    overall_note,
    rating_interval,
)
from tournaments.cli.table_layout import FittedTable, TableColumn, fitted, room, show
from tournaments.results.computed_tables import table_inputs
from tournaments.results.course_standings import CourseLeague, CourseStanding, counting_bots, course_standings
from tournaments.results.league_location import NeverRun, past_leagues
from tournaments.results.standings import StandingView
from tournaments.results.stored_league import open_results
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.visibility.table_views import StandingsView


def standings(
    course: Annotated[
        Path | None, typer.Argument(metavar="[COURSE.toml]", help="A course file: one table over its leagues.")
    ] = None,
    url: Annotated[
        str | None, typer.Option("--from", metavar="URL", help="Where a league is served: its last table.")
    ] = None,
    table: Annotated[str | None, typer.Option(metavar="NAME", help="Count only the matches at this table.")] = None,
    everything: Wide = False,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    json: AsJson = False,
) -> None:
    """Print one table over the leagues of a course, or the last table of a league that is served elsewhere."""
    if (course is None) == (url is None):
        fail(Exit.WRONG_USE, "give a course file, or --from URL; for a league file use `referee league standings`")
    if course is not None:
        _show_course(course, everything=everything, json=json)
        return
    assert url is not None  # noqa: S101 - one of the two is given
    found = _whole(line_to(url, ca, in_the_clear=plain_http), table)
    if json:
        print_json(found)
        return
    width = room(everything=everything)
    show([], [_fitted(found, width)], list(_notes(found)), width)


def _show_course(file: Path, *, everything: bool, json: bool) -> None:
    leagues = []
    for _, (league, url) in past_leagues(file, None):
        with suppress(NeverRun), open_results(league, url) as results:
            matches = results.state.counted()
            if matches:
                bots = counting_bots(results.rated, results.store.submissions.registry(league).submissions)
                leagues.append(CourseLeague(table_inputs(results, matches), bots))
    if not leagues:
        fail(Exit.WRONG_USE, f"{file}: no league of it was played so far")
    lines = course_standings(leagues)
    if json:
        print_json(lines)
        return
    width = room(everything=everything)
    title = several(len(leagues), "league", "leagues")
    show([], [fitted(title, list(_course_columns(lines)), width)], [_OVERALL, _ELO], width)


_OVERALL = "overall: share of points to expect against all others, the mean over all tables of all leagues"
_ELO = "elo: 1500 is the mean, 400 more are ten wins for one loss; not comparable with other courses"


def _course_columns(lines: Sequence[CourseStanding]) -> Iterator[TableColumn]:
    yield TableColumn("owner", [line.owner for line in lines], names=True)
    yield from overall_columns([line.overall for line in lines])
    yield TableColumn("elo", ["-" if line.elo is None else f"{line.elo:.0f}" for line in lines], spare=1)


def _whole(line: LeagueClient, table: str | None) -> StandingsView:
    """All pages of the table as one. If the league is refreshed meanwhile, they are asked for again."""
    pages = [line.get(StandingsView, "standings", table=table)]
    while pages[-1].next is not None:
        page = line.get(StandingsView, "standings", table=table, after=pages[-1].next)
        pages = [*pages, page] if page.of == pages[0].of else [line.get(StandingsView, "standings", table=table)]
    first = pages[0]
    lines = tuple(each for page in pages for each in page.lines)
    return StandingsView(first.of, first.table, first.bots, first.groups, lines, None, first.fit, first.best_ms)


def _fitted(view: StandingsView, width: int) -> FittedTable:
    where = "" if view.table is None else f", table {view.table}"
    return fitted(f"{several(view.of.matches, 'match', 'matches')}{where}", list(_columns(view.lines)), width)


def _columns(lines: Sequence[StandingView]) -> Iterator[TableColumn]:
    if len({line.group for line in lines}) > 1:
        yield TableColumn("group", [str(line.group) for line in lines])
    yield TableColumn("#", [str(line.rank) for line in lines])
    yield TableColumn("bot", [line.bot for line in lines], names=True)
    yield TableColumn("author", [line.author for line in lines], spare=1, names=True)
    yield TableColumn("rating", [f"{line.rating:.2f}" for line in lines])
    yield TableColumn("95 %", [rating_interval(line.interval) for line in lines])
    yield TableColumn("matches", [str(line.matches) for line in lines])
    yield TableColumn("score", ["-" if line.score is None else f"{line.score:.1%}" for line in lines])
    if any(line.mean_return is not None for line in lines):
        yield TableColumn("mean return", [mean(line.mean_return) for line in lines], spare=2)
    yield from extra_columns(lines)
    yield TableColumn("faults", [str(line.faults) for line in lines])
    if any(line.costs.tokens is not None for line in lines):
        yield TableColumn("tries", [mean(line.costs.tries) for line in lines], spare=3)
        yield TableColumn("tokens", [mean(line.costs.tokens, ".0f") for line in lines], spare=3)


def _notes(view: StandingsView) -> Iterator[str]:
    yield from best_note(view.lines)
    if view.best_ms is not None:
        yield f"who may be the best: as of {when(view.best_ms)}"
    yield from fit_note(view.fit)
    yield from overall_note(view.lines)
    over = "; matches remain" if view.of.interim else ""
    if view.of.digest is not None:
        yield f"digest: {view.of.digest}"
    yield f"computed {when(view.of.at_ms)}{over}"
