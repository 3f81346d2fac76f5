"""`referee people` and `referee login`: who has an account in the store of a league, and a token for its service."""

import csv
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.core.errors import Exit, WrongUse
from referee.core.text import several
from referee.files.manifest import plain_name
from referee.files.safe_read import read_ordinary
from referee.files.secret_files import plain_token
from tournaments.cli.arguments import Ca, File, NamesAndFile, PlainHttp, Url, Yes
from tournaments.cli.entries import when
from tournaments.cli.league import require_consent
from tournaments.cli.submit import effect_of, now_ms
from tournaments.config.course_file import read_class_list, read_course
from tournaments.league.model import League
from tournaments.league.people import ROLES, STAFF, Person, Role, differences
from tournaments.league.submissions import ON_THE_WAY_OR_IN, ORGANIZER, Event, Submission
from tournaments.results.league_location import past_leagues
from tournaments.results.stored_league import stored_league
from tournaments.schedule.leaving import LeavingRefused
from tournaments.store import Overtaken, People, Store
from tournaments.submissions.pipeline import moment_of, open_store
from tournaments.web.client.address import address
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.client.saved_tokens import keep_token
from tournaments.web.visibility.entry_view import AccountView

_MOST_BYTES = 16 << 20
_HERE = "http://127.0.0.1:8080"

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a person.")]
At = Annotated[str | None, typer.Option("--url", metavar="URL", help=f"The service, for links. Default: {_HERE}.")]
Links = Annotated[Path, typer.Option("--links", metavar="FILE", help="The new file for several links, of mode 600.")]
AsToken = Annotated[bool, typer.Option("--token", help="Print a token for programs instead of a link.")]
_LINKS = Path("links.csv")


def add(
    who: Annotated[str, typer.Argument(metavar="NAME|CSV", help="A name, or the file with the list of a class.")],
    file: File,
    role: Annotated[Role, typer.Option(help="The role of a person who is named.")] = "author",
    staff: Annotated[bool, typer.Option("--staff", help="The list may have organizers and assistants.")] = False,
    token: AsToken = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what is wrong or new in the list.")] = False,
    links: Links = _LINKS,
    url: At = None,
    store: Url = None,
) -> None:
    """Give a person or a class accounts, and write the links with which they join."""
    is_list = bool(Path(who).suffix)
    listed, faults = read_class_list(_text(Path(who))) if is_list else ({1: Person(_plain(who), who, role)}, [])
    leads = sorted(each.name for each in listed.values() if is_list and each.role in STAFF)
    if leads and not staff:
        fail(Exit.WRONG_USE, f"{who}: is to make staff of {', '.join(leads)}; if that is meant, say --staff")
    if is_list and not dry_run:
        _require_new(links)
    league, place = past_leagues(file, store)[0][1]
    with Store(place, league.name) as league_store:
        people = league_store.people
        made = people.add(listed, now_ms(), faults, dry_run=dry_run)
        if not is_list and who not in made:
            fail(
                Exit.WRONG_USE,
                f"there is or was a person {who}; see: referee people invite {file} --name {who}",
            )
        for sentence in differences(listed, people.all()):
            remark(f"{who}: {sentence}; nothing was changed")
        if is_list or dry_run:
            done = "would be added" if dry_run else "added"
            say(": ".join(filter(None, (f"{several(len(made), 'person', 'persons')} {done}", ", ".join(made)))))
        if token and not (is_list or dry_run):
            _tell_token(people, who)
        elif not dry_run:
            _hand_out(made, people, url or read_course(file).url, links if is_list else None)


def invite(
    file: File,
    name: Annotated[str | None, typer.Option(help="Only this person.")] = None,
    never_seen: Annotated[bool, typer.Option("--never-seen", help="All who never joined.")] = False,
    token: AsToken = False,
    links: Links = _LINKS,
    url: At = None,
    store: Url = None,
) -> None:
    """Make a new link for a person, or for all who never joined. It ends all older secrets of the person."""
    if (name is None) != never_seen or (token and name is None):
        fail(Exit.WRONG_USE, "say whom: --name NAME, or --never-seen; a token is for one person")
    if name is None:
        _require_new(links)
    with _opened(file, store) as league_store:
        people = league_store.people
        if token and name:
            _tell_token(people, name)
            return
        waiting = (each.name for each in people.all().values() if not (each.seen_ms or each.removed_ms))
        made = {each: people.renew(each, "link", now_ms()) for each in ([name] if name else waiting)}
        _hand_out(made, people, url or read_course(file).url, None if name else links)


def show(file: File, store: Url = None, json: AsJson = False) -> None:
    """List all persons with their roles and teams, and when they last logged in."""
    with _opened(file, store) as league_store:
        found = list(league_store.people.all().values())
    if json:
        print_json(found)
        return
    for each in found:
        state = f"removed on {when(each.removed_ms)}" if each.removed_ms else ""
        last = state or (f"last login {when(each.seen_ms)}" if each.seen_ms else "never logged in")
        say(f"{each.name:<16}  {each.role:<9}  {each.team or '-':<12}  {each.full_name or '-':<24}  {last}")
    if not found:
        say("nobody but the organizer of this machine may submit bots; see: referee people add")


def give_role(
    name: Name, role: Annotated[Role, typer.Argument(help=", ".join(ROLES))], file: File, store: Url = None
) -> None:
    """Give a person another role. It ends all secrets of the person."""
    with _opened(file, store) as league_store:
        league_store.people.set_role(name, role, now_ms())
    say(f"{name} is {role} from now on; for a new link: referee people invite --name {name} {file}")


def join_team(
    team: Annotated[str, typer.Argument(metavar="TEAM", help="The name of the team.")],
    words: NamesAndFile,
    store: Url = None,
) -> None:
    """Let persons join a team. It takes nobody any more once it has submitted a bot."""
    *names, file = words
    with _opened(file, store) as league_store:
        people = league_store.people
        known = people.all()
        if unknown := [str(name) for name in names if str(name) not in known]:
            fail(Exit.WRONG_USE, f"there is no person {unknown[0]}; add the person first: referee people add")
        people.add({at: replace(known[str(name)], team=_plain(team)) for at, name in enumerate(names, 1)}, now_ms())
        say(f"{team}: {', '.join(each.name for each in people.all().values() if each.team == team)}")


def remove(
    name: Name,
    file: File,
    erase: Annotated[bool, typer.Option("--erase", help="Also forget full name, reference and mail.")] = False,
    yes: Yes = False,
    store: Url = None,
) -> None:
    """End the account of a person, and take the person's bots out of the league, or of all leagues of a course."""
    with ExitStack() as stack:
        stores = [(found[0], stack.enter_context(open_store(*found))) for _, found in past_leagues(file, store)]
        for bot, league, its_store in _bots_of(name, stores):
            results = stored_league(league, its_store)
            if bot.state == "entered" and results is not None:
                with suppress(LeavingRefused):  # it is said below
                    require_consent(results, bot.entry, yes=yes)
        stores[0][1].people.remove(name, now_ms(), erase=erase)
        say(f"{name} is removed")
        for bot, league, its_store in _bots_of(name, stores):
            event: Event = "withdraw" if bot.state == "entered" else "reject"
            moment, submissions = partial(moment_of, league, its_store), its_store.submissions
            try:
                left = submissions.leave(bot, event, ORGANIZER, now_ms(), f"{name} was removed", moment)
                say(f"{league.name}: {left.entry} is {left.state}; {effect_of(submissions.log(left.number))}")
            except (LeavingRefused, Overtaken) as why:
                remark(f"{league.name}: {bot.entry} stays: {why}")


def _bots_of(name: str, stores: Sequence[tuple[League, Store]]) -> Iterator[tuple[Submission, League, Store]]:
    """The bots of an owner that are in leagues, or on their way."""
    for league, its_store in stores:
        for bot in its_store.submissions.registry(league).of(name):
            if bot.state in ON_THE_WAY_OR_IN:
                yield bot, league, its_store


def login(
    url: Annotated[str, typer.Argument(metavar="LEAGUE", help="The address of a league that is served there.")],
    ca: Ca = None,
    plain_http: PlainHttp = False,
) -> None:
    """Keep a token of yours for all commands that call a service. It is asked for, or read from a pipe."""
    place = address(url, in_the_clear=plain_http)
    given = typer.prompt("token", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline()
    token = plain_token(given, "the token")
    me = LeagueClient(place, token, ca).get(AccountView, "me")
    file = keep_token(place, token, os.environ)
    say(f"you are {me.name} ({me.role}) at {place.service}; the token is in {file}")


def _opened(file: Path, store: str | None) -> AbstractContextManager[Store]:
    """The store of a league or a course. Its people are those of all its leagues."""
    return open_store(*past_leagues(file, store)[0][1])


def _plain(name: str) -> str:
    try:
        return plain_name(name)
    except ValueError as error:
        raise WrongUse(str(error)) from error


def _text(file: Path) -> str:
    try:
        return read_ordinary(file, _MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongUse(f"{file}: is no UTF-8; save it as CSV in UTF-8") from error


def _require_new(links: Path) -> None:
    if links.exists():
        fail(Exit.WRONG_USE, f"{links}: is there already; name a new file for the links (--links)")


def _tell_token(people: People, name: str) -> None:
    say(people.renew(name, "token", now_ms()))
    remark(f"this is the token of {name}; no copy of it is stored. Everybody who has it can act as {name}")


def _hand_out(secrets: Mapping[str, str], people: People, url: str | None, file: Path | None) -> None:
    """Print a link, or write several into a file that nobody else can read."""
    links = {name: f"{(url or _HERE).rstrip('/')}/join/{secret}" for name, secret in secrets.items()}
    if file is None:
        for name, link in links.items():
            say(link)
            remark(f"this is the link with which {name} joins: once, within 14 days; no copy of it is stored")
        return
    if not links:
        return
    try:
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", newline="") as out:
            table = csv.writer(out)
            table.writerow(["name", "full_name", "mail", "link"])
            new = (each for each in people.all().values() if each.name in links)
            rows = ((each.name, each.full_name, each.mail, links[each.name]) for each in new)
            table.writerows(map(_cell, row) for row in rows)
    except OSError as error:
        fail(Exit.WRONG_USE, f"{file}: cannot be written: {error.strerror}; make new links: people invite --never-seen")
    remark(f"the links are in {file}; no copy of them is stored. Send each to its person, and delete the file")


def _cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
