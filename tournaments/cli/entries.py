"""`referee entries` and the commands of `referee entry`: the submitted bots of a league, and their audit.

The organizer lists, shows, withdraws, disables, checks again, gives away, deletes and unpacks them.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from referee.cli import console
from referee.cli.console import AsJson, fail, print_json, say
from referee.core.errors import Exit
from tournaments.cli.arguments import BotsAndFile, Ca, File, PlainHttp, Url, Where, Yes, line_to
from tournaments.cli.league import require_consent
from tournaments.cli.submit import effect_of, nothing, now_ms, tell_end, to_enter
from tournaments.cli.times import local_time, moment
from tournaments.league.submissions import ORGANIZER, Event, Submission
from tournaments.results.league_location import past_league
from tournaments.store import Audited, LogPart
from tournaments.submissions.build_environment import BuildFailed
from tournaments.submissions.pipeline import open_store
from tournaments.web.client.address import is_address
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.client.submit import mine, submission_of, withdrawn
from tournaments.web.visibility.entry_view import LogView, SubmissionView

_NONE = "no bot has been submitted so far"
_DIGITS = 12
"""Digits of a digest, enough to tell a few bots apart."""


def entries(
    league: Where,
    audit: Annotated[bool, typer.Option("--audit", help="List who did what and when, instead of the bots.")] = False,
    store: Url = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    json: AsJson = False,
) -> None:
    """List the bots that authors submitted to a league, the oldest first, with their states."""
    if is_address(league):
        if audit or store is not None:
            fail(Exit.WRONG_USE, "--audit and --store are for a league file")
        _tell(list(mine(line_to(league, ca, in_the_clear=plain_http)))[::-1], json=json)
    else:
        _tell(_stored_entries(Path(league), store, audit=audit), json=json)


def _stored_entries(file: Path, store: str | None, *, audit: bool) -> Sequence[Submission | Audited]:
    league, url = past_league(file, store)
    with open_store(league, url) as league_store:
        return league_store.submissions.audit() if audit else league_store.submissions.registry(league).submissions


def _tell(rows: Sequence[Submission | Audited | SubmissionView], none: str = _NONE, *, json: bool) -> None:
    if json:
        print_json([each._asdict() if isinstance(each, Audited) else each for each in rows])
        return
    if not rows:
        say(none)
    for each in rows:
        say(_did(each) if isinstance(each, Audited) else _stands(each))


def _did(record: Audited) -> str:
    return f"{when(record.at_ms)}  {record.who:<16}  {record.what:<13}  {record.about}"


def _stands(row: Submission | SubmissionView) -> str:
    entry = row.entry if isinstance(row, Submission) else row.bot
    return (
        f"{row.number:>10}  {entry:<24}  {row.author:<16}  {row.state:<9}  {when(row.changed_ms)}"
        f"  {row.source[:_DIGITS]}  {row.size / 1e6:,.2f} MB"
    )


def when(time_ms: int) -> str:
    """A time, as people read it, in their time zone."""
    return local_time(time_ms).strftime("%Y-%m-%d %H:%M:%S")


Bot = Annotated[str, typer.Argument(metavar="NAME@VERSION", help="As `referee entries` lists it.")]

Reason = Annotated[str | None, typer.Option("--why", metavar="TEXT", help="The reason, for the log of the submission.")]


def show(
    bot: Bot,
    league: Where,
    log: Annotated[bool, typer.Option("--log", help="Also print the log of each state.")] = False,
    store: Url = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    json: AsJson = False,
) -> None:
    """Print the state of a submitted bot, and what happened to it."""
    if is_address(league):
        if store is not None:
            fail(Exit.WRONG_USE, "--store is for a league file")
        _show_served(line_to(league, ca, in_the_clear=plain_http), bot, log=log, json=json)
    else:
        _show_kept(bot, Path(league), store, log=log, json=json)


def _show_kept(bot: str, file: Path, store: str | None, *, log: bool, json: bool) -> None:
    league, url = past_league(file, store)
    with open_store(league, url) as league_store:
        found = league_store.submissions.registry(league).find(bot)
        parts = league_store.submissions.log(found.number) if log else []
    if json:
        print_json({"submission": found, "log": [part._asdict() for part in parts]})
        return
    _tell_state(found.entry, found)
    say(f"built: {found.built or 'not yet'}")
    _tell_log(parts)


def _show_served(line: LeagueClient, bot: str, *, log: bool, json: bool) -> None:
    found = submission_of(line, bot)
    if json:
        print_json(found if log else replace(found, log=()))
        return
    _tell_state(found.bot, found)
    _tell_log(found.log if log else ())


def _tell_state(entry: str, submission: Submission | SubmissionView) -> None:
    say(f"{entry}: {submission.state} since {when(submission.changed_ms)}")
    say(f"author: {submission.author}")
    say(f"received: {when(submission.received_ms)}, {submission.size:,} bytes")
    say(f"source: {submission.source}")


def _tell_log(parts: Iterable[LogPart | LogView]) -> None:
    for part in parts:
        say(f"{part.state}, until {when(part.stored_ms)}:")
        for line in part.text.splitlines():
            say(f"  {line}")


def withdraw(
    bot: Bot,
    league: Where,
    reason: Reason = None,
    store: Url = None,
    ca: Ca = None,
    plain_http: PlainHttp = False,
    yes: Yes = False,
) -> None:
    """Take a submitted bot out of the league. A run may be playing it."""
    if is_address(league):
        if reason is not None or store is not None:
            fail(Exit.WRONG_USE, "--why and --store are for a league file")
        left = withdrawn(line_to(league, ca, in_the_clear=plain_http), bot)
        say(f"{left.bot} is {left.state}; {effect_of(left.log)}")
    else:
        _take_out(bot, Path(league), store, "withdraw", reason or "withdrawn by the organizer", yes=yes)


def disable(bot: Bot, file: File, reason: Reason = None, store: Url = None, yes: Yes = False) -> None:
    """Take a submitted bot out of the league until it passes another check."""
    _take_out(bot, file, store, "disable", reason or "disabled by the organizer", yes=yes)


def recheck(
    names: BotsAndFile,
    rejected_since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Instead of one bot: all that were rejected since then.")
    ] = None,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Check a submitted bot again. If it passes, it enters the league; if it fails, it leaves."""
    *bots, file = names
    if len(bots) != (rejected_since is None):
        fail(Exit.WRONG_USE, "give a bot and its league file, or --rejected-since TIME and the league file alone")
    since_ms = 0
    if rejected_since is not None:
        since_ms = int(moment(rejected_since, "--rejected-since", local_time(now_ms()).tzinfo).timestamp() * 1_000)
    with to_enter(file, store) as pipeline:
        registry = pipeline.registry()
        found = [registry.find(str(bot)) for bot in bots] or registry.rejected_since(since_ms)
        ended = [pipeline.recheck(each, ORGANIZER, now_ms, nothing if json else console.show) for each in found]
        if bots:
            tell_end(pipeline, ended[0], as_json=json)
    if not bots:
        _tell(ended, "no bot was rejected since then", json=json)


def give(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a bot, without a version.")],
    author: Annotated[str, typer.Argument(metavar="AUTHOR", help="The new owner of the name.")],
    file: File,
    store: Url = None,
) -> None:
    """Give the name of a bot to another author. From then on only that author can submit new versions."""
    with to_enter(file, store) as pipeline:
        pipeline.give(name, author, ORGANIZER, now_ms())
    say(f"the name {name} belongs to {author}")


def delete(bot: Bot, file: File, store: Url = None) -> None:
    """Delete the files of a submitted bot, and what the league built of them. Results stay."""
    with to_enter(file, store) as pipeline:
        deleted = pipeline.delete(pipeline.registry().find(bot), ORGANIZER, now_ms())
    say(f"the files of {deleted.entry} are deleted; its results stay")


def unpack(
    bot: Bot,
    file: File,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write. It must not exist yet.")],
    store: Url = None,
) -> None:
    """Write the files of a submitted bot that play into a folder, for instance for `referee rerun --bot FOLDER`."""
    if folder.exists():
        fail(Exit.WRONG_USE, f"{folder}: is there already; name a folder that is not")
    with to_enter(file, store) as pipeline:
        try:
            pipeline.unpack(pipeline.registry().find(bot), folder, now_ms())
        except BuildFailed as reason:
            fail(Exit.DOES_NOT_HOLD, f"{bot} was built elsewhere and cannot be built here: {reason}")
    say(f"{bot} is unpacked in {folder}")


def _take_out(bot: str, file: Path, store: str | None, event: Event, reason: str, *, yes: bool) -> None:
    with to_enter(file, store) as pipeline:
        submission = pipeline.registry().find(bot)
        results = pipeline.stored_league()
        if results is not None and submission.state == "entered":
            require_consent(results, bot, yes=yes)
        left = pipeline.take_out(submission, event, ORGANIZER, reason, now_ms())
        say(f"{left.entry} is {left.state}; {effect_of(pipeline.log(left))}")
