"""`referee entries`: the submissions of a league, and its audit."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import AsJson, fail, print_json, say
from referee.core.errors import Exit
from tournaments.cli.arguments import Url, Where
from tournaments.cli.local_time import local_time
from tournaments.cli.service_options import Ca, PlainHttp, TokenFile, author_line
from tournaments.league.admission.registry import Submission
from tournaments.results.league_location import past_league
from tournaments.store import Audited
from tournaments.submissions.pipeline import open_store
from tournaments.web.client.address import is_address
from tournaments.web.client.submit import mine
from tournaments.web.visibility.entry_view import SubmissionView

_SHOWN = 12
"""Digits of a digest, enough to tell a few bots apart."""


def entries(
    league: Where,
    audit: Annotated[bool, typer.Option("--audit", help="List who did what and when, instead of the bots.")] = False,
    store: Url = None,
    token_file: TokenFile = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    json: AsJson = False,
) -> None:
    """List the bots that authors submitted to a league, the oldest first, with their states."""
    if is_address(league):
        if audit or store is not None:
            fail(Exit.WRONG_USE, "--audit and --store are for a league file")
        _tell(list(mine(author_line(league, token_file, ca, in_the_clear=plain_http)))[::-1], json=json)
    else:
        _tell(_kept(Path(league), store, audit=audit), json=json)


def _kept(file: Path, store: str | None, *, audit: bool) -> Sequence[Submission | Audited]:
    league, url = past_league(file, store)
    with open_store(league, url) as kept:
        return kept.submissions.audit() if audit else kept.submissions.registry(league).submissions


def _tell(found: Sequence[Submission | Audited | SubmissionView], *, json: bool) -> None:
    if json:
        print_json([each._asdict() if isinstance(each, Audited) else each for each in found])
        return
    if not found:
        say("no bot has been submitted so far")
    for each in found:
        say(_did(each) if isinstance(each, Audited) else _stands(each))


def _did(each: Audited) -> str:
    return f"{when(each.at_ms)}  {each.who:<16}  {each.what:<13}  {each.about}"


def _stands(each: Submission | SubmissionView) -> str:
    entry = each.entry if isinstance(each, Submission) else each.bot
    return (
        f"{each.number:>10}  {entry:<24}  {each.author:<16}  {each.state:<9}  {when(each.changed_ms)}"
        f"  {each.source[:_SHOWN]}  {each.size / 1e6:,.2f} MB"
    )


def when(time_ms: int) -> str:
    """A time, as people read it, in their time zone."""
    return local_time(time_ms).strftime("%Y-%m-%d %H:%M:%S")
