"""What several commands of leagues take: arguments, and a league that is opened by its file and `--store`."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from referee.core.errors import WrongUse
from tournaments.results.league_location import past_league
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.web.client.address import is_address


def opened(file: Path, store: str | None) -> AbstractContextManager[StoredLeague]:
    """A league that was run before."""
    return open_results(*past_league(file, store))


def file_of(text: str) -> Path:
    """The league file that a word of a command names.

    Raises:
        WrongUse: it is an address.
    """
    if is_address(text):  # a path would take a slash from it
        raise WrongUse(f"{text}: is an address; this command needs the league file")
    return Path(text)


File = Annotated[Path, typer.Argument(metavar="LEAGUE.toml", help="The league file.", parser=file_of)]
Files = Annotated[list[Path], typer.Argument(metavar="LEAGUE.toml...", help="The league files.", parser=file_of)]
BotsAndFile = Annotated[
    list[Path], typer.Argument(metavar="[NAME@VERSION] LEAGUE.toml", help="One bot, and its league.", parser=file_of)
]
Where = Annotated[str, typer.Argument(metavar="LEAGUE", help="The league: its file, or its address.")]
Url = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="The store of the results. Default: LEAGUE.sqlite in this folder."),
]
Wide = Annotated[bool, typer.Option("--wide", help="Leave nothing out and shorten no name, however long the lines.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask, whatever stops counting.")]
