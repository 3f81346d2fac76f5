"""`referee submit`: a bot on its way into a league, or what of its folder would travel."""

import tempfile
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import AsJson, fail, print_json, say, show
from referee.core.bot_limits import FolderLimits
from referee.core.errors import Exit
from referee.core.text import several
from referee.core.tree_listing import File, Symlink, digest, size_of
from referee.files.bot_toml import read_manifest
from tournaments.cli.arguments import Ca, PlainHttp, Url, line_to
from tournaments.cli.early_exit import exit_on_stop
from tournaments.league.service_terms import SubmissionTerms
from tournaments.league.submissions import ORGANIZER, UNDER_WAY, State, Submission
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in, store_of
from tournaments.store import LogPart
from tournaments.submissions.bundle import bundle, pack
from tournaments.submissions.pipeline import SubmissionPipeline, open_submissions
from tournaments.web.client.address import is_address
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.client.submit import followed, mine, submitted
from tournaments.web.visibility.entry_view import LogView, SubmissionView

As = Annotated[str | None, typer.Option("--as", metavar="AUTHOR", help="Its author. Default: the organizer.")]


def submit(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A bot's folder.")],
    to: Annotated[
        str | None, typer.Option("--to", metavar="LEAGUE", help="The league: its file, or its address.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Only list what would travel, and its digest.")] = False,
    author: As = None,
    label: Annotated[
        str | None, typer.Option(help="Distinguishes entries of the same bot: name+label@version.")
    ] = None,
    store: Url = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    as_json: AsJson = False,
) -> None:
    """Submit a bot to a league, which builds it, checks it in a box, and enters it."""
    if listed:
        _list(bot, as_json=as_json)
    elif to is None:
        fail(Exit.WRONG_USE, "say to which league (--to LEAGUE.toml), or only list what would travel (--list)")
    elif is_address(to):
        if author is not None or store is not None:
            fail(Exit.WRONG_USE, "--as and --store are for a league file; at an address your token says who you are")
        _send(line_to(to, ca, in_the_clear=plain_http), bot, label, as_json=as_json)
    else:
        _submit(bot, Path(to), author or ORGANIZER, label, store, as_json=as_json)


def now_ms() -> int:
    """The time, in milliseconds since 1970 (UTC)."""
    return time.time_ns() // 1_000_000


def to_enter(file: Path, store: str | None) -> AbstractContextManager[SubmissionPipeline]:
    """Open a league for submissions, on this machine."""
    league = league_in(file)
    return open_submissions(league, store or store_of(league, file), LocalEnvironment())


def _submit(bot: Path, to: Path, author: str, label: str | None, store: str | None, *, as_json: bool) -> None:
    with to_enter(to, store) as pipeline:
        pipeline.check_author(author)
        with tempfile.TemporaryFile() as archive:
            pack(bot, bundle(bot, FolderLimits(size_mib=pipeline.terms.size_mib)), archive)
            archive.seek(0)
            received = pipeline.receive(archive, author, label, now_ms())
        _stop_if_submitted(received.entry, received.state, str(to))
        ended = pipeline.go_on(received, now_ms, nothing if as_json else show)
        tell_end(pipeline, ended, as_json=as_json)


def tell_end(pipeline: SubmissionPipeline, ended: Submission, *, as_json: bool) -> None:
    """Say what became of a submission; the exit code says whether the bot is in the league."""
    if as_json:
        print_json({"submission": ended, "log": [part._asdict() for part in pipeline.log(ended)]})
    elif ended.state == "entered":
        say(f"{ended.entry} is entered; {effect_of(pipeline.log(ended))}")
    _require_entered(ended.entry, ended.state)


def _send(line: LeagueClient, bot: Path, label: str | None, *, as_json: bool) -> None:
    last = next(mine(line), None)
    sent = submitted(line, bot, label)
    if last is not None and sent.number <= last.number:
        _stop_if_submitted(sent.bot, sent.state, "LEAGUE.toml")
    with exit_on_stop(f"what happens to {sent.bot} goes on; look: referee entry {sent.bot} {line.address.text}"):
        followed(line, sent.number, nothing if as_json else show)
    ended = line.get(SubmissionView, "submissions", str(sent.number))
    if as_json:
        print_json(ended)
    elif ended.state == "entered":
        say(f"{ended.bot} is entered; {effect_of(ended.log)}")
    _require_entered(ended.bot, ended.state)


def effect_of(log: Sequence[LogPart | LogView]) -> str:
    """What the last step of a submission means for the league: the last line of its log."""
    return log[-1].text.splitlines()[-1]


def _stop_if_submitted(entry: str, state: State, to: str) -> None:
    """End the command if the same was submitted before, and nothing remains to be done with it."""
    if state == "entered":
        fail(Exit.WRONG_USE, f"{entry} is in the league already, with the same files")
    if state not in UNDER_WAY:
        fail(
            Exit.WRONG_USE,
            f"{entry} was submitted before with the same files, and is {state};"
            f" the organizer can have it checked again: referee entry recheck {entry} {to}",
        )


def _require_entered(entry: str, state: State) -> None:
    """End the command if a bot did not come into the league."""
    if state != "entered":
        fail(Exit.DOES_NOT_HOLD, f"{entry} is not entered: it is {state}, and the reason is in its log")


def nothing(_text: str) -> None:
    """Show nothing of the work: the result is one document."""


def _list(bot: Path, *, as_json: bool) -> None:
    listing = bundle(bot, FolderLimits(size_mib=SubmissionTerms().size_mib))
    entry = read_manifest(bot).entry
    if as_json:
        print_json({"bot": entry, "files": listing, "size": size_of(listing), "source": digest(listing)})
        return
    say("\n".join(_line(name, item) for name, item in listing.items()))
    say(f"{entry}: {several(len(listing), 'file or link', 'files and links')}, {size_of(listing):,} bytes")
    say(f"source: {digest(listing)}")


def _line(name: str, item: File | Symlink) -> str:
    if isinstance(item, Symlink):
        return f"{'link':>12}  {name} -> {item.target}"
    return f"{item.size:>12,}  {name}{'*' if item.executable else ''}"
