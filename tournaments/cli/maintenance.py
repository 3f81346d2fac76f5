"""The commands that take care of a league: before it is played, when it grows old, and after its store was damaged."""

import re
import shlex
import time
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import AsJson, fail, print_json, remark, say
from referee.core.errors import Exit
from referee.core.text import several
from tournaments.cli.arguments import File, Url
from tournaments.cli.deadline import span_s
from tournaments.cli.forecast_text import told
from tournaments.config.league_file import SQLITE
from tournaments.maintenance import forecast, pruning
from tournaments.maintenance import salvage as salvaging
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in, past_league, store_of

_FEWEST_WINS, _MOST_WINS = 0.51, 0.99


def check(
    file: File,
    store: Url = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many processes play. Default: one a core.")] = None,
    separate: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Also say how many deals it takes to tell two bots apart, if one beats the other so often: 55%.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Play a few matches that do not count, and say what the league would play and how long it would take."""
    share = None if separate is None else _share(separate)
    league = league_in(file)
    machine = LocalEnvironment(workers, league.spared_cores)
    found = forecast.forecast(league, store or store_of(league, file), machine, machine.workers, share)
    if json:
        print_json(found)
        return
    for line in told(found):
        say(line)


def _share(text: str) -> float:
    """The part of all matches that a percentage stands for."""
    found = re.fullmatch(r"(\d{1,3}(?:\.\d+)?) ?%", text)
    share = float(found[1]) / 100 if found else 0.0
    if not _FEWEST_WINS <= share <= _MOST_WINS:
        fail(
            Exit.WRONG_USE,
            f"--separate {text}: say how often one bot beats the other, from {_FEWEST_WINS:.0%} to {_MOST_WINS:.0%},"
            " for instance 55%",
        )
    return share


def prune(
    file: File,
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="SPAN", help="Delete only what is older, for instance 90d or 12h.")
    ],
    store: Url = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what the command would delete.")] = False,
    json: AsJson = False,
) -> None:
    """Delete times, remarks and stderr of old matches, and old logs of bots. Records, results and ratings stay."""
    before_ms = time.time_ns() // 1_000_000 - 1_000 * span_s(older_than, "--older-than")
    league, url = past_league(file, store)
    done = (pruning.prunable if dry_run else pruning.prune)(league, url, before_ms)
    if json:
        print_json(done)
        return
    matches = several(done.matches, "match", "matches")
    would = "would be " if dry_run else ""
    say(f"{matches} {would}pruned: {done.saved_bytes / 1e6:,.2f} MB")
    if done.logs:
        files = several(done.logs, "file of a bot's log", "files of bots' logs")
        say(f"{files} {would}removed: {done.log_bytes / 1e6:,.2f} MB")


def salvage(
    file: File,
    damaged: Annotated[Path, typer.Argument(metavar="DAMAGED", help="A SQLite file. The command only reads it.")],
    to: Annotated[Path, typer.Option("--to", metavar="NEW", help="The file of the new store. It must not exist yet.")],
    seed: Annotated[
        str | None, typer.Option("--seed", help="The league's seed, if the damaged store has lost it.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Copy the matches of a damaged store that verify into a new store. The next run plays the rest."""
    found = salvaging.salvage(league_in(file), damaged, to, LocalEnvironment(), seed)
    if json:
        print_json(found)
        return
    for table in found.tables:
        say(f"{table.table}: {_found(table)}")
    for fixture, reason in found.wrong.items():
        say(f"{fixture}: not saved: {reason}")
    for tree, reason in found.wrong_trees.items():
        say(f"the tree {tree} of a bot: not saved: {reason}")
    for note in found.notes:
        say(note)
    if found.trees or found.wrong_trees:
        say(f"{several(found.trees, 'tree of a bot', 'trees of bots')} saved")
    remain = several(found.remaining, "remains", "remain")
    say(f"{several(found.saved, 'match', 'matches')} saved in {to}; {remain} to be played")
    remark(f"go on with: {shlex.join(['referee', 'league', 'run', str(file), '--store', f'{SQLITE}{to}'])}")


def _found(table: salvaging.TableFound) -> str:
    parts = [several(table.read, "row read", "rows read")]
    parts += [f"{table.damaged:,} damaged"] if table.damaged else []
    parts += ["a part is lost"] if table.unreadable else []
    return ", ".join(parts)
