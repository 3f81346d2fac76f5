"""The commands of `referee authors`: who may submit bots to a league."""

import hashlib
import secrets
from typing import Annotated

import typer

from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.core.errors import Exit
from referee.files.manifest import plain_name
from tournaments.cli.arguments import File, Url
from tournaments.cli.entries import when
from tournaments.cli.submit import now_ms
from tournaments.league.submissions import ORGANIZER
from tournaments.results.league_location import league_in, past_league, store_of
from tournaments.store import Store
from tournaments.submissions.pipeline import open_store

_TOKEN_BYTES = 32

Name = Annotated[str, typer.Argument(metavar="NAME", help="The author: letters, digits, - and _; or: organizer.")]


def add(name: Name, file: File, store: Url = None, json: AsJson = False) -> None:
    """Let an author submit bots, or the organizer look from another machine, and print the token for it."""
    try:
        plain_name(name)
    except ValueError as error:
        fail(Exit.WRONG_USE, f"the name of an author: {error}")
    league = league_in(file)
    token = secrets.token_hex(_TOKEN_BYTES)
    with Store(store or store_of(league, file), league.name) as league_store:
        league_store.authors.add(name, hashlib.sha256(token.encode()).hexdigest(), now_ms())
    if json:
        print_json({"author": name, "token": token})
        return
    say(token)
    may = "sees everything of the league" if name == ORGANIZER else f"can submit bots as {name}"
    remark(f"this is the token of {name}; no copy of it is stored. Everybody who has it {may}")


def revoke(name: Name, file: File, store: Url = None) -> None:
    """Revoke the token of an author. The author's bots stay."""
    with open_store(*past_league(file, store)) as league_store:
        league_store.authors.revoke(name, now_ms())
    say(f"the token of {name} is revoked; the bots of {name} stay")


def show(file: File, store: Url = None, json: AsJson = False) -> None:
    """List all authors who may submit bots, or could earlier."""
    with open_store(*past_league(file, store)) as league_store:
        found = league_store.authors.all()
    if json:
        print_json(found)
        return
    if not found:
        say("nobody but the organizer may submit bots; see: referee authors add")
    for author in found:
        until = "" if author.revoked_ms is None else f", revoked on {when(author.revoked_ms)}"
        say(f"{author.name:<16}  since {when(author.added_ms)}{until}")
