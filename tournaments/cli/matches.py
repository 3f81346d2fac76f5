"""`referee league matches`, `match` and `rerun`: the played matches of a league, from its store or from a service."""

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
import typer
from msgspec.structs import replace

from referee.cli.bot_arguments import BOT_HELP, SandboxChoice, named_bots
from referee.cli.console import AsJson, fail, print_json, print_json_line, remark, say
from referee.cli.rerun import Others, on_plain_terms, play_again
from referee.core.errors import Exit, WrongUse
from referee.files.transcripts import write_transcript
from referee.files.write_file import check_writable
from referee.match.transcript import Transcript, from_file
from tournaments.cli.arguments import Ca, PlainHttp, Url, Where, line_to, opened
from tournaments.rating.sides import result as result_of
from tournaments.results.stored_league import StoredLeague
from tournaments.store import MatchResult
from tournaments.web.client.address import is_address
from tournaments.web.client.http_client import LeagueClient, ServiceUnreachable
from tournaments.web.queries.list_page import MOST, ListPage
from tournaments.web.queries.match_queries import MatchQueries
from tournaments.web.queries.request_state import RequestState, StoredMatches, everything
from tournaments.web.visibility.match_view import MatchView
from tournaments.web.visibility.permissions import Organizer

_RESULTS = {"win": "won", "loss": "lost", "draw": "drawn"}

_Source: TypeAlias = StoredLeague | LeagueClient


def matches(
    league: Where,
    store: Url = None,
    bot: Annotated[str | None, typer.Option(help="Only matches of this bot (name@version).")] = None,
    result: Annotated[MatchResult | None, typer.Option(help="Only those that ended so for --bot.")] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Only matches that a fault cut short.")] = False,
    ending: Annotated[str | None, typer.Option(help="Only matches that ended so.")] = None,
    table: Annotated[str | None, typer.Option(help="Only matches at this table.")] = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    json: AsJson = False,
) -> None:
    """List the played matches, the latest deal first, with the reason if a bot failed."""
    with _source(league, store, ca, plain_http) as source:
        for view in _views(source, bot=bot, result=result, ending=ending, table=table):
            if not faults or any(seat.fault for seat in view.seats):
                print_json_line(view) if json else _tell(view)


def match(
    league: Where,
    match_id: Annotated[str, typer.Argument(metavar="MATCH", help="The id of a match, as `league matches` lists it.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    store: Url = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
) -> None:
    """Write the transcript of one match into a file, for `referee replay`, `rerun` and `explain`."""
    check_writable(file, "transcript")
    with _source(league, store, ca, plain_http) as source:
        write_transcript(file, _transcript(source, match_id))
    say(f"{match_id} is in {file}")


def rerun(
    league: Where,
    losses: Annotated[str, typer.Option(metavar="NAME@VERSION", help="Play the matches again that this bot lost.")],
    bot: Annotated[str, typer.Option(metavar="BOT", help=f"Plays in its seats. {BOT_HELP}.")],
    others: Others = None,
    store: Url = None,
    sandbox: SandboxChoice = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    json: AsJson = False,
) -> None:
    """Say how many of the matches that a bot lost another bot, or another version, would have won."""
    (new,), found = named_bots([bot]), []
    with _source(league, store, ca, plain_http) as source:
        for view in _views(source, bot=losses, result="lost"):
            if view.closed is None:
                continue  # its deal is open, so nobody may have the transcript
            recorded = on_plain_terms(view.match, _transcript(source, view.match))
            seats = [seat.seat for seat in view.seats if seat.bot == losses]
            again = play_again(recorded, dict.fromkeys(seats, new), others, sandbox)
            now = _RESULTS[result_of(again.again.record.outcome, seats[0])] if again.again else "unknown"
            found.append({"match": view.match, "now": now, "difference": again.difference})
            if not json:
                say(f"{view.match}: {now}; {again.difference or 'the same match'}")
    counts = Counter(each["now"] for each in found)
    if json:
        print_json({"matches": found, **{name: counts[name] for name in (*_RESULTS.values(), "unknown")}})
        return
    unknown = f"; {counts['unknown']} are unknown, since bots are away (see --others)" if counts["unknown"] else ""
    say(f"lost matches: {len(found)}; {new.entry} would win {counts['won']} and draw {counts['drawn']}{unknown}")
    remark("they were chosen because they were lost, so luck alone turns some of them; `referee compare` is fair")


def _source(league: str, store: str | None, ca: Path | None, plain_http: bool) -> AbstractContextManager[_Source]:
    if not is_address(league):
        return opened(Path(league), store)
    if store is not None:
        fail(Exit.WRONG_USE, "--store is for a league file")
    return nullcontext(line_to(league, ca, in_the_clear=plain_http))


def _transcript(source: _Source, match: str) -> Transcript:
    if isinstance(source, LeagueClient):
        try:
            found, _ = from_file(source.file("transcripts", match))
        except (ValueError, RecursionError) as error:
            raise ServiceUnreachable(f"{source.address.text}: what it sends is no transcript: {error}") from error
        # Nobody elsewhere says what this machine starts.
        return replace(found, metadata=replace(found.metadata, bots=(), terms=msgspec.UNSET))
    if (stored := source.store.transcript(match)) is None:
        raise WrongUse(f"{match}: is no match that was played; `referee league matches` lists them")
    return stored


def _views(source: _Source, **search: Any) -> Iterator[MatchView]:
    """The matches that are looked for, the latest deal first. None: it does not matter."""
    page = ListPage[MatchView]((), "")
    while page.next is not None:
        after = page.next or None
        if isinstance(source, LeagueClient):
            page = source.get(ListPage[MatchView], "matches", after=after, **search)
        else:
            state = RequestState(source.league, source.store, Organizer(), StoredMatches(source.store, everything))
            if search["bot"] is not None:
                source.require_known(search["bot"])
            page = MatchQueries(state).matches(MatchQueries(state).search(**search), after, MOST)
        yield from page.items


def _tell(view: MatchView) -> None:
    places = " ".join(f"{seat.bot}:{seat.place or '?'}" for seat in view.seats)
    faults = "".join(f"; {seat.bot}: {seat.fault}" for seat in view.seats if seat.fault)
    say(f"{view.match}  {view.ending or '?'}  {places}{faults}")
    for sentence in view.sentences:
        say(f"    {view.seats[sentence.seat].bot} (seat {sentence.seat}): {sentence.text}")
        for text in sentence.stderr.splitlines():
            say(f"        | {text}")
