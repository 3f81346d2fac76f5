"""`referee store copy`: a store as a backup, back again, or as a store of the other kind."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import remark, say
from referee.core.text import several
from tournaments.config.league_file import SQLITE
from tournaments.store import Store, copy_store, logs_folder, trees_folder, whereabouts

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def store() -> None:
    """Copy a store: a backup, a restore, or a move to another kind of store."""


@app.command()
def copy(
    old: Annotated[str, typer.Argument(metavar="FROM", help="The store: a file of SQLite, or postgresql://...")],
    new: Annotated[str, typer.Argument(metavar="TO", help="The new store: a file, or an empty database.")],
    yes: Annotated[bool, typer.Option("--yes", help="Send it to another machine although there is no TLS.")] = False,
) -> None:
    """Copy a store as it is now into an empty one, of the same or the other kind. A run may go on meanwhile."""
    old_url, new_url = (each if "://" in each else f"{SQLITE}{each}" for each in (old, new))
    leagues = copy_store(old_url, new_url, in_the_clear=yes)
    for league, matches in leagues.items():
        say(f"{league}: {several(matches, 'match', 'matches')}")
    say(f"{several(len(leagues), 'league', 'leagues')} copied to {whereabouts(new_url)}; all rows are equal")
    # What a store does not have: its league files name other folders, which are not known here.
    places = sorted({str(each) for league in leagues for each in _outside(old_url, new_url, league) if each.is_dir()})
    tar = shlex.join(["tar", "--create", "--gzip", "--file", "beside.tar.gz", *places, "LEAGUE.toml"])
    remark(f"not in it: league files, bots in folders, and logs; take them along with: {tar} BOTS")


def _outside(old_url: str, new_url: str, league: str) -> Iterator[Path]:
    """The folders that belong to a league and are not in its store. They need not be there."""
    logs = logs_folder(old_url, league)
    yield from (logs, logs.with_suffix(".persons"), trees_folder(old_url).with_suffix(".scrimmages"))
    with Store(new_url, league) as store:
        entries = [change.entry for change in store.changes() if change.entry is not None]
    yield from (Path(each.place) for each in entries if each.source is None and each.remote is None)
