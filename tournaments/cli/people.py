"""The commands of `referee people`: who has an account in the store of a league, and in which role and team."""

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.core.errors import Exit, WrongUse
from referee.core.text import several
from referee.files.safe_read import read_ordinary
from tournaments.cli.arguments import File, Url, file_of
from tournaments.cli.entries import when
from tournaments.cli.submit import now_ms
from tournaments.league.people import (
    ROLES,
    STAFF,
    ListedPerson,
    PersonDetails,
    Role,
    differences,
    plain_name,
    read_class_list,
)
from tournaments.results.league_location import league_in, past_league, store_of
from tournaments.store import People, Store

_MOST_BYTES = 16 << 20
_HERE = "http://127.0.0.1:8080"

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a person.")]
At = Annotated[str, typer.Option("--url", metavar="URL", help="Where the league is served, for links.")]
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
    url: At = _HERE,
    store: Url = None,
) -> None:
    """Give a person or a class accounts, and write the links with which they join."""
    listed, is_list = _listed(who, role)
    leads = sorted(each.person.name for each in listed if is_list and each.person.role in STAFF)
    if leads and not staff:
        fail(Exit.WRONG_USE, f"{who}: is to make staff of {', '.join(leads)}; if that is meant, say --staff")
    if not dry_run and is_list and links.exists():
        fail(Exit.WRONG_USE, f"{links}: is there already; name a new file for the links (--links)")
    league = league_in(file)
    with Store(store or store_of(league, file), league.name) as league_store:
        people = league_store.people
        made = people.add(listed, now_ms(), dry_run=dry_run)
        if not is_list and who not in made:
            fail(Exit.WRONG_USE, f"there is a person {who} already; see: referee people invite {file} --name {who}")
        if token and not is_list and not dry_run:
            _tell_token(people.renew(who, "token", now_ms()), who)
            return
        for sentence in differences(listed, {each.name: each for each in people.all()}):
            remark(f"{who}: {sentence}; nothing was changed")
        if is_list or dry_run:
            done = "would be added" if dry_run else "added"
            say(": ".join(filter(None, (f"{several(len(made), 'person', 'persons')} {done}", ", ".join(made)))))
        if not dry_run:
            _hand_out(made, people, url, links if is_list else None)


def invite(
    file: File,
    name: Annotated[str | None, typer.Option(help="Only this person.")] = None,
    never_seen: Annotated[bool, typer.Option("--never-seen", help="All who never joined.")] = False,
    token: AsToken = False,
    links: Links = _LINKS,
    url: At = _HERE,
    store: Url = None,
) -> None:
    """Make a new link for a person, or for all who never joined. It ends all older secrets of the person."""
    if (name is None) != never_seen or (token and name is None):
        fail(Exit.WRONG_USE, "say whom: --name NAME, or --never-seen; a token is for one person")
    if name is None and links.exists():
        fail(Exit.WRONG_USE, f"{links}: is there already; name a new file for the links (--links)")
    with _opened(file, store) as league_store:
        people = league_store.people
        if token and name:
            _tell_token(people.renew(name, "token", now_ms()), name)
            return
        names = [name] if name else [each.name for each in people.all() if not (each.seen_ms or each.removed_ms)]
        _hand_out({each: people.renew(each, "link", now_ms()) for each in names}, people, url, None if name else links)


def show(file: File, store: Url = None, json: AsJson = False) -> None:
    """List all persons with their roles and teams, and when they last logged in."""
    with _opened(file, store) as league_store:
        found, teams = league_store.people.all(), league_store.people.teams()
    if json:
        print_json({"persons": found, "teams": teams})
        return
    team_of = {member: team for team, members in teams.items() for member in members}
    for each in found:
        state = f"removed on {when(each.removed_ms)}" if each.removed_ms else ""
        last = state or (f"last login {when(each.seen_ms)}" if each.seen_ms else "never logged in")
        say(f"{each.name:<16}  {each.role:<9}  {team_of.get(each.name, '-'):<12}  {each.full_name or '-':<24}  {last}")
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
    words: Annotated[list[str], typer.Argument(metavar="NAME... LEAGUE.toml", help="The persons, and the league.")],
    store: Url = None,
) -> None:
    """Let persons join a team. It takes nobody any more once it has submitted a bot."""
    *names, file = words
    with _opened(file_of(file), store) as league_store:
        people = league_store.people
        known = {each.name: each for each in people.all()}
        if unknown := [name for name in names if name not in known]:
            fail(Exit.WRONG_USE, f"there is no person {unknown[0]}; add the person first: referee people add")
        listed = [ListedPerson(at, known[name], _plain(team)) for at, name in enumerate(names, 1)]
        people.add(listed, now_ms())
        say(f"{team}: {', '.join(people.teams().get(team, ()))}")


def remove(
    name: Name,
    file: File,
    erase: Annotated[bool, typer.Option("--erase", help="Also forget full name, reference and mail.")] = False,
    store: Url = None,
) -> None:
    """End the account of a person. The bots stay."""
    with _opened(file, store) as league_store:
        league_store.people.remove(name, now_ms(), erase=erase)
    say(f"{name} is removed; the bots stay: to take one out, use referee entry withdraw")


def _opened(file: Path, store: str | None) -> Store:
    league, url = past_league(file, store)
    return Store(url, league.name)


def _plain(name: str) -> str:
    try:
        return plain_name(name)
    except ValueError as error:
        raise WrongUse(str(error)) from error


def _listed(who: str, role: Role) -> tuple[list[ListedPerson], bool]:
    """The persons to add, and whether they come from a list."""
    if not Path(who).suffix:
        return [ListedPerson(1, PersonDetails(_plain(who), who, role))], False
    try:
        return read_class_list(read_ordinary(Path(who), _MOST_BYTES).decode("utf-8-sig")), True
    except UnicodeDecodeError as error:
        raise WrongUse(f"{who}: is no UTF-8; save it as CSV in UTF-8") from error


def _tell_token(token: str, name: str) -> None:
    say(token)
    remark(f"this is the token of {name}; no copy of it is stored. Everybody who has it can act as {name}")


def _hand_out(secrets: Mapping[str, str], people: People, url: str, file: Path | None) -> None:
    """Print a link, or write several into a file that nobody else can read."""
    links = {name: f"{url.rstrip('/')}/join/{secret}" for name, secret in secrets.items()}
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
            rows = (
                [each.name, each.full_name, each.mail, links[each.name]] for each in people.all() if each.name in links
            )
            table.writerows(map(_cell, row) for row in rows)
    except OSError as error:
        fail(Exit.WRONG_USE, f"{file}: cannot be written: {error.strerror}; make new links: people invite --never-seen")
    remark(f"the links are in {file}; no copy of them is stored. Send each to its person, and delete the file")


def _cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
