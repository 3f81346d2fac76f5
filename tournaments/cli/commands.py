"""`referee league`: run a league and ask what came of it."""

from collections.abc import Iterable
from importlib.metadata import EntryPoint

import typer

from referee.cli.commands import Commands, listed

_COMMANDS = {
    "run": "tournaments.cli.run:run",
    "standings": "tournaments.cli.league:show_standings",
    "rounds": "tournaments.cli.rounds:rounds",
    "crosstable": "tournaments.cli.crosstable:crosstable",
    "status": "tournaments.cli.league:status",
    "watch": "tournaments.cli.watch:watch",
    "log": "tournaments.cli.log:log",
    "matches": "tournaments.cli.league:matches",
    "verify": "tournaments.cli.verify:verify",
    "export": "tournaments.cli.league:export",
    "reinstate": "tournaments.cli.league:reinstate",
    "retry": "tournaments.cli.league:retry",
    "retry-faults": "tournaments.cli.league:retry_faults",
    "enter": "tournaments.cli.roster:enter",
    "withdraw": "tournaments.cli.roster:withdraw",
    "close": "tournaments.cli.close:close",
    "report": "tournaments.cli.report:report",
    "check": "tournaments.cli.maintenance:check",
    "prune": "tournaments.cli.maintenance:prune",
    "salvage": "tournaments.cli.maintenance:salvage",
    "compare": "tournaments.cli.compare:in_league",
}


class _OfLeague(Commands):
    def points(self) -> Iterable[EntryPoint]:
        return listed(_COMMANDS)


app = typer.Typer(cls=_OfLeague, no_args_is_help=True, add_completion=False)


@app.callback()
def league() -> None:
    """Run a league and print its results."""
