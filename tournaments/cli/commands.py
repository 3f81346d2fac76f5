"""The groups of commands for leagues: `referee league`, `referee people` and `referee entry`.

They run a league, say who may submit bots to it, and show and change how a submitted bot stands.
"""

from typing import Any, ClassVar

import typer

from referee.cli.commands import Commands


class _OfPeople(Commands):
    places: ClassVar = {
        "add": "tournaments.cli.people:add",
        "list": "tournaments.cli.people:show",
        "invite": "tournaments.cli.people:invite",
        "role": "tournaments.cli.people:give_role",
        "team": "tournaments.cli.people:join_team",
        "remove": "tournaments.cli.people:remove",
    }


people_app = typer.Typer(cls=_OfPeople, no_args_is_help=True, add_completion=False)


@people_app.callback()
def people() -> None:
    """Say who has an account for the leagues of a store."""


class _OfAnEntry(Commands):
    places: ClassVar = {
        "show": "tournaments.cli.entries:show",
        "withdraw": "tournaments.cli.entries:withdraw",
        "disable": "tournaments.cli.entries:disable",
        "recheck": "tournaments.cli.entries:recheck",
        "give": "tournaments.cli.entries:give",
        "delete": "tournaments.cli.entries:delete",
        "unpack": "tournaments.cli.entries:unpack",
    }

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """`referee entry NAME@VERSION` is short for `referee entry show NAME@VERSION`."""
        return super().resolve_command(ctx, ["show", *args] if "@" in args[0] else args)


entry_app = typer.Typer(cls=_OfAnEntry, no_args_is_help=True, add_completion=False)


@entry_app.callback()
def entry() -> None:
    """Show a submitted bot, withdraw it, check it again, and more."""


class _OfLeague(Commands):
    places: ClassVar = {
        "run": "tournaments.cli.run:run",
        "standings": "tournaments.cli.league:show_standings",
        "rounds": "tournaments.cli.results_text:rounds",
        "crosstable": "tournaments.cli.league:crosstable",
        "status": "tournaments.cli.league:status",
        "watch": "tournaments.cli.watch:watch",
        "log": "tournaments.cli.log:log",
        "matches": "tournaments.cli.matches:matches",
        "match": "tournaments.cli.matches:match",
        "rerun": "tournaments.cli.matches:rerun",
        "verify": "tournaments.cli.maintenance:verify",
        "export": "tournaments.cli.league:export",
        "reinstate": "tournaments.cli.league:reinstate",
        "retry": "tournaments.cli.league:retry",
        "retry-faults": "tournaments.cli.league:retry_faults",
        "enter": "tournaments.cli.league:enter",
        "withdraw": "tournaments.cli.league:withdraw",
        "grades": "tournaments.cli.grades:show",
        "submissions": "tournaments.cli.grades:write_submissions",
        "extend": "tournaments.cli.calendar:extend",
        "pause": "tournaments.cli.calendar:pause",
        "resume": "tournaments.cli.calendar:resume",
        "next": "tournaments.cli.calendar:write_next",
        "close": "tournaments.cli.maintenance:close",
        "report": "tournaments.cli.report:report",
        "check": "tournaments.cli.maintenance:check",
        "prune": "tournaments.cli.maintenance:prune",
        "salvage": "tournaments.cli.maintenance:salvage",
        "compare": "tournaments.cli.compare:in_league",
    }


app = typer.Typer(cls=_OfLeague, no_args_is_help=True, add_completion=False)


@app.callback()
def league() -> None:
    """Run a league and print its results."""
