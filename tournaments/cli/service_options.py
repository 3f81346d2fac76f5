"""Options of commands that call a league at its address."""

import os
import time
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import remark
from referee.core.errors import WrongUse
from tournaments.web.client.address import VARIABLE, address
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.client.saved_tokens import token_for

Ca = Annotated[Path | None, typer.Option("--ca", metavar="FILE", help="A file of the certificates to trust (PEM).")]
PlainHttp = Annotated[bool, typer.Option("--plain-http", help="Call another machine without TLS, which is unsafe.")]


class TokenMissing(WrongUse):
    """Only an author may do this, and there is no token."""


def line(url: str, ca: Path | None, *, in_the_clear: bool) -> LeagueClient:
    """The line to a league at an address; as an author, if there is a token.

    Raises:
        BadAddress, FileProblems: it cannot be called like that.
    """
    place = address(url, in_the_clear=in_the_clear)
    return LeagueClient(place, token_for(place, os.environ), ca, _wait)


def author_line(url: str, ca: Path | None, *, in_the_clear: bool) -> LeagueClient:
    """The line of an author.

    Raises:
        TokenMissing: there is no token.
        BadAddress, FileProblems: it cannot be called like that.
    """
    if token_for(address(url, in_the_clear=in_the_clear), os.environ) is None:
        raise TokenMissing(f"only authors may do this; log in first: referee login {url} (or set {VARIABLE})")
    return line(url, ca, in_the_clear=in_the_clear)


def _wait(seconds: float) -> None:
    remark(f"the service cannot do this now; it is asked again in {seconds:.0f} s")
    time.sleep(seconds)
