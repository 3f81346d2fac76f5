"""The commands that take care of a league: before it is played, when it grows old, and after its store was damaged."""

import time
from typing import Annotated

import typer

from referee.cli.console import AsJson, print_json, say
from tournaments import pruning
from tournaments import run as leagues
from tournaments.cli.arguments import File, Url
from tournaments.cli.deadline import span_s


def prune(
    file: File,
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="SPAN", help="Only matches stored before that: 90d, 12h.")
    ],
    store: Url = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
    json: AsJson = False,
) -> None:
    """Drop times, remarks and stderr of old matches; records, results and ratings stay."""
    before_ms = time.time_ns() // 1_000_000 - 1_000 * span_s(older_than, "--older-than")
    league = leagues.league_in(file)
    url = store or leagues.store_of(league, file)
    done = (pruning.prunable if dry_run else pruning.prune)(league, url, before_ms)
    if json:
        print_json(done)
        return
    matches = "1 match" if done.matches == 1 else f"{done.matches:,} matches"
    say(f"{matches} {'would be ' if dry_run else ''}pruned: {done.saved_bytes / 1e6:,.2f} MB")
