"""`referee entries`: what was submitted to a league, and who did what."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from referee.cli.console import AsJson, print_json, say
from tournaments.admission.book import Submission
from tournaments.cli.arguments import File, Url
from tournaments.intake import to_look_at
from tournaments.kept import league_in, store_of
from tournaments.store import Audited

_SHOWN = 12
"""Digits of a digest, enough to tell a few bots apart."""


def entries(
    file: File,
    audit: Annotated[bool, typer.Option("--audit", help="Instead, who did what, and when.")] = False,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """List the bots that were submitted to a league, the oldest first, with the state in which each is."""
    league = league_in(file)
    with to_look_at(league, store or store_of(league, file)) as kept:
        found = kept.submissions.audit() if audit else kept.submissions.book(league).submissions
    if json:
        print_json([each._asdict() if isinstance(each, Audited) else each for each in found])
        return
    if not found:
        say("nothing was submitted so far")
    for each in found:
        say(_did(each) if isinstance(each, Audited) else _stands(each))


def _did(each: Audited) -> str:
    return f"{when(each.at_ms)}  {each.who:<16}  {each.what:<13}  {each.about}"


def _stands(each: Submission) -> str:
    return (
        f"{each.number:>5}  {each.entry:<24}  {each.author:<16}  {each.state:<9}  {when(each.changed_ms)}"
        f"  {each.source[:_SHOWN]}  {each.size / 1e6:,.2f} MB"
    )


def when(time_ms: int) -> str:
    """A time, as people read it, in their time zone."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
