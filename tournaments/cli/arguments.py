"""Arguments that several commands of leagues take."""

from pathlib import Path
from typing import Annotated

import typer

from referee.core.errors import WrongUse
from tournaments.web.client.address import is_address


def _file(text: str) -> Path:
    if is_address(text):  # a path would take a slash from it
        raise WrongUse(f"{text}: is an address; this command needs the league file")
    return Path(text)


File = Annotated[Path, typer.Argument(metavar="LEAGUE.toml", help="The league file.", parser=_file)]
Files = Annotated[list[Path], typer.Argument(metavar="LEAGUE.toml...", help="The league files.", parser=_file)]
Where = Annotated[str, typer.Argument(metavar="LEAGUE", help="The league: its file, or its address.")]
Url = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="The store of the results. Default: LEAGUE.sqlite in this folder."),
]
Wide = Annotated[bool, typer.Option("--wide", help="Leave nothing out and shorten no name, however long the lines.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask, whatever stops counting.")]
