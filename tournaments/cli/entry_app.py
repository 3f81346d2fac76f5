"""`referee entry`: how a submitted bot stands, and what the organizer may do with it."""

from collections.abc import Iterable
from importlib.metadata import EntryPoint
from typing import Any

import typer

from referee.cli.commands import Commands, listed

_ENTRY_COMMANDS = {
    "show": "tournaments.cli.entry:show",
    "withdraw": "tournaments.cli.entry:withdraw",
    "disable": "tournaments.cli.entry:disable",
    "recheck": "tournaments.cli.entry:recheck",
    "give": "tournaments.cli.entry:give",
    "delete": "tournaments.cli.entry:delete",
    "unpack": "tournaments.cli.entry:unpack",
}


class _OfAnEntry(Commands):
    def points(self) -> Iterable[EntryPoint]:
        return listed(_ENTRY_COMMANDS)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """`referee entry NAME@VERSION` is short for `referee entry show NAME@VERSION`."""
        return super().resolve_command(ctx, ["show", *args] if "@" in args[0] else args)


entry_app = typer.Typer(cls=_OfAnEntry, no_args_is_help=True, add_completion=False)


@entry_app.callback()
def entry() -> None:
    """Show a submitted bot, withdraw it, check it again, and more."""
