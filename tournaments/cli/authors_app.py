"""`referee authors`: who may submit bots to a league."""

from collections.abc import Iterable
from importlib.metadata import EntryPoint

import typer

from referee.cli.commands import Commands, listed

_AUTHORS_COMMANDS = {
    "add": "tournaments.cli.authors:add",
    "revoke": "tournaments.cli.authors:revoke",
    "list": "tournaments.cli.authors:show",
}


class _OfAuthors(Commands):
    def points(self) -> Iterable[EntryPoint]:
        return listed(_AUTHORS_COMMANDS)


authors_app = typer.Typer(cls=_OfAuthors, no_args_is_help=True, add_completion=False)


@authors_app.callback()
def authors() -> None:
    """Say who may submit bots to a league."""
