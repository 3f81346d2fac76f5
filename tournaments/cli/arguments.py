"""What several commands of leagues take: arguments, and a league that is opened by its file or at its address."""

import os
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import remark
from referee.core.errors import WrongUse
from tournaments.results.league_location import past_league
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.web.client.address import address, is_address
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.client.saved_tokens import token_for


def _file(text: str) -> Path:
    if is_address(text):  # a path would take a slash from it
        raise WrongUse(f"{text}: is an address; this command needs the league file")
    return Path(text)


File = Annotated[Path, typer.Argument(metavar="LEAGUE.toml", help="The league file.", parser=_file)]
Files = Annotated[list[Path], typer.Argument(metavar="LEAGUE.toml...", help="The league files.", parser=_file)]
BotsAndFile = Annotated[
    list[Path], typer.Argument(metavar="[NAME@VERSION] LEAGUE.toml", help="One bot, and its league.", parser=_file)
]
NamesAndFile = Annotated[
    list[Path], typer.Argument(metavar="NAME... LEAGUE.toml", help="The persons, and the league.", parser=_file)
]
Where = Annotated[str, typer.Argument(metavar="LEAGUE", help="The league: its file, or its address.")]
Url = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="The store of the results. Default: LEAGUE.sqlite in this folder."),
]
Wide = Annotated[bool, typer.Option("--wide", help="Leave nothing out and shorten no name, however long the lines.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask, whatever stops counting.")]
Ca = Annotated[Path | None, typer.Option("--ca", metavar="FILE", help="A file of the certificates to trust (PEM).")]
PlainHttp = Annotated[bool, typer.Option("--plain-http", help="Call another machine without TLS, which is unsafe.")]


def opened(file: Path, store: str | None) -> AbstractContextManager[StoredLeague]:
    """A league that was run before."""
    return open_results(*past_league(file, store))


def line_to(url: str, ca: Path | None, *, in_the_clear: bool) -> LeagueClient:
    """The line to a league at an address; as an author, if there is a token.

    Raises:
        BadAddress, FileProblems: it cannot be called like that.
    """
    place = address(url, in_the_clear=in_the_clear)
    return LeagueClient(place, token_for(place, os.environ), ca, _wait)


def _wait(seconds: float) -> None:
    remark(f"the service cannot do this now; it is asked again in {seconds:.0f} s")
    time.sleep(seconds)
