"""`referee league matches` and `match`: the played matches of a league, from its store or from a service."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from referee.cli.console import AsJson, fail, print_json_line, say
from referee.core.errors import Exit
from referee.files.transcripts import write_transcript
from referee.files.write_file import check_writable
from referee.match.narrator import tell_remarks
from tournaments.cli.arguments import Url, Where, opened
from tournaments.cli.service_options import Ca, PlainHttp, TokenFile, line
from tournaments.league.model import StoredMatch
from tournaments.rating.sides import result as result_of
from tournaments.results.stored_league import StoredLeague
from tournaments.store import MatchResult
from tournaments.web.client.address import is_address
from tournaments.web.client.http_client import LeagueClient, transcript
from tournaments.web.queries.list_page import ListPage
from tournaments.web.visibility.match_view import MatchView

_RESULTS = {"won": "win", "lost": "loss", "drawn": "draw"}


def matches(
    league: Where,
    store: Url = None,
    bot: Annotated[str | None, typer.Option(help="Only matches of this bot (name@version).")] = None,
    result: Annotated[MatchResult | None, typer.Option(help="Only those that ended so for --bot.")] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Only matches that a fault cut short.")] = False,
    ending: Annotated[str | None, typer.Option(help="Only matches that ended so.")] = None,
    table: Annotated[str | None, typer.Option(help="Only matches at this table.")] = None,
    token_file: TokenFile = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    json: AsJson = False,
) -> None:
    """List the played matches, with the reason if a bot failed: in plan order, or as a service has them."""
    if result is not None and bot is None:
        fail(Exit.WRONG_USE, "--result is about one bot; give --bot NAME@VERSION, too")
    if is_address(league):
        if store is not None:
            fail(Exit.WRONG_USE, "--store is for a league file")
        client = line(league, token_file, ca, in_the_clear=plain_http)
        for view in _served(client, bot=bot, result=result, ending=ending, table=table):
            if not faults or any(seat.fault for seat in view.seats):
                _print_view(view, json=json)
        return
    with opened(Path(league), store) as results:
        if bot is not None:
            results.require_known(bot)
        for match in results.matches():
            of_bot = bot is None or bot in match.entries
            ended = ending in (None, match.outcome.ending) and table in (None, match.fixture.split("/")[1])
            if of_bot and ended and (match.faults or not faults) and _has_result(match, bot, result):
                _print_match(results, match, json=json)


def match(
    league: Where,
    match_id: Annotated[str, typer.Argument(metavar="MATCH", help="The id of a match, as `league matches` lists it.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    store: Url = None,
    token_file: TokenFile = None,
    ca: Ca = None,
) -> None:
    """Write the transcript of one match into a file, for `referee replay`, `rerun` and `explain`."""
    check_writable(file, "transcript")
    if is_address(league):
        found = transcript(league, match_id, ca, token_file)
    else:
        with opened(Path(league), store) as results:
            stored = results.store.transcript(match_id)
        if stored is None:
            fail(Exit.WRONG_USE, f"{match_id}: is no match that was played; `referee league matches` lists them")
        found = stored
    write_transcript(file, found)
    say(f"{match_id} is in {file}")


def _has_result(match: StoredMatch, bot: str | None, result: MatchResult | None) -> bool:
    if bot is None or result is None:
        return True
    return _RESULTS[result] in {
        result_of(match.outcome, seat) for seat, name in enumerate(match.entries) if name == bot
    }


def _served(client: LeagueClient, **search: object) -> Iterator[MatchView]:
    """The matches that a service has, page by page, the latest deal first."""
    after: str | None = None
    while True:
        page = client.get(ListPage[MatchView], "matches", after=after, **search)
        yield from page.items
        if page.next is None:
            return
        after = page.next


def _print_view(view: MatchView, *, json: bool) -> None:
    if json:
        print_json_line(view)
        return
    places = " ".join(f"{seat.bot}:{'?' if seat.place is None else seat.place}" for seat in view.seats)
    faults = "".join(f"; {seat.bot}: {seat.fault}" for seat in view.seats if seat.fault)
    say(f"{view.match}  {view.ending or '?'}  {places}{faults}")
    for sentence in view.sentences:
        say(f"    {view.seats[sentence.seat].bot} (seat {sentence.seat}): {sentence.text}")


def _print_match(results: StoredLeague, match: StoredMatch, *, json: bool) -> None:
    transcript = results.store.transcript(match.fixture) if match.faults else None
    if json:
        row: dict[str, Any] = msgspec.to_builtins(match)
        row["remarks"] = msgspec.to_builtins(transcript.metadata.remarks) if transcript else []
        print_json_line(row)
        return
    places = " ".join(f"{entry}:{place}" for entry, place in zip(match.entries, match.outcome.places, strict=True))
    faults = "".join(f"; {match.entries[fault.seat]}: {fault.kind}" for fault in match.faults)
    say(f"{match.fixture}  {match.outcome.ending}  {places}{faults}")
    if transcript and transcript.metadata.remarks:  # a pruned one has none
        say(f"    {tell_remarks(transcript)}".replace("\n", "\n    "))
