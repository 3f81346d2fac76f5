"""Arguments that several commands of leagues take."""

from pathlib import Path
from typing import Annotated

import typer

File = Annotated[Path, typer.Argument(metavar="LEAGUE.toml", help="The league file.")]
Where = Annotated[str, typer.Argument(metavar="LEAGUE", help="The league: its file, or its address.")]
Url = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="The store of the results. Default: LEAGUE.sqlite in this folder."),
]
Wide = Annotated[bool, typer.Option("--wide", help="Leave nothing out and shorten no name, however long the lines.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask, whatever stops counting.")]
