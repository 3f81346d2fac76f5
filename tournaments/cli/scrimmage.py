"""`referee scrimmage`: unrated matches of your bot against others, on a service."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.bot_output import keep_file
from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.core.errors import Exit
from referee.core.text import several
from tournaments.cli.arguments import Ca, PlainHttp, line_to
from tournaments.cli.early_exit import exit_on_stop
from tournaments.cli.log import LogPrinter
from tournaments.play.bot_logs import LogRecord
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.visibility.match_view import ScrimmageMatch, ScrimmageView

_LOOK_S = 1.0


def scrimmage(
    bot: Annotated[str, typer.Argument(metavar="NAME@VERSION", help="Your bot, named as in the league.")],
    url: Annotated[str, typer.Argument(metavar="LEAGUE", help="The address where the league is served.")],
    against: Annotated[list[str], typer.Option(metavar="NAME@VERSION", help="A bot to play against.")],
    table: Annotated[str | None, typer.Option(metavar="NAME", help="The table. Default: the first.")] = None,
    deals: Annotated[int | None, typer.Option(min=1, help="How many deals, each in all line-ups.")] = None,
    match: Annotated[
        str | None, typer.Option(metavar="ID", help="Play on the deal of this match, which everybody may see.")
    ] = None,
    pages: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write a page of each match, as your bot saw it, into FOLDER.")
    ] = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    json: AsJson = False,
) -> None:
    """Play unrated matches of your bot against others of a served league."""
    line = line_to(url, ca, in_the_clear=plain_http)
    request = line.ask(ScrimmageView, "scrimmages", bot=bot, against=against, table=table, deals=deals, match=match)
    with exit_on_stop(f"scrimmage {request.number} is played all the same"):
        seen = _awaited(line, request)
    if seen.stage == "failed":
        fail(Exit.DOES_NOT_HOLD, f"scrimmage {seen.number} was not played: {seen.reason}")
    if json:
        print_json(seen)
    else:
        for sentence in _scrimmage_lines(seen):
            say(sentence)
        telling = LogPrinter()
        for record in line.get(list[LogRecord], "scrimmages", str(seen.number), "output"):
            telling.tell(record)
        telling.end_line()
        for failed in [each for each in seen.matches if any(seat.fault for seat in each.seats if seat.bot == bot)][:1]:
            page = line.file("scrimmages", str(seen.number), "pages", failed.match)
            if (file := keep_file(f"{bot}.scrimmage.html", page)) is not None:
                say(f"the match, as {bot} saw it: {file}")
    if pages is not None:
        _write(line, seen, pages)


def _awaited(line: LeagueClient, view: ScrimmageView) -> ScrimmageView:
    while view.stage == "waiting":
        time.sleep(_LOOK_S)
        view = line.get(ScrimmageView, "scrimmages", str(view.number))
    return view


def _scrimmage_lines(view: ScrimmageView) -> Iterator[str]:
    for match in view.matches:
        yield f"{match.match}: {_ended(match)}"
        yield from (f"  {sentence.text}" for sentence in match.sentences)


def _ended(match: ScrimmageMatch) -> str:
    seats = sorted(match.seats, key=lambda each: each.place)
    placed = ", ".join(f"{each.place}. {each.bot}{f' ({each.fault})' if each.fault else ''}" for each in seats)
    return f"{match.ending}; {placed}"


def _write(line: LeagueClient, view: ScrimmageView, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, match in enumerate(view.matches):
            page = line.file("scrimmages", str(view.number), "pages", match.match)
            (folder / f"{view.number}-{number}.html").write_bytes(page)
    except OSError as error:
        fail(Exit.WRONG_USE, f"{folder}: cannot be written: {error.strerror}")
    remark(f"{several(len(view.matches), 'page was', 'pages were')} written into {folder}")
