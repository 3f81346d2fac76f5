"""`referee login`: keeps the token with which the other commands call a service."""

import os
import sys
from typing import Annotated

import typer

from referee.cli.console import say
from referee.files.secret_files import plain_token
from tournaments.cli.arguments import Ca, PlainHttp
from tournaments.web.client.address import address
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.client.saved_tokens import keep_token
from tournaments.web.visibility.entry_view import AccountView


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
