"""`referee league close`: no match is played any more, and everything is public."""

import time
from typing import Annotated

import typer

from referee.cli.console import AsJson, print_json, say
from referee.core.text import several
from tournaments.cli.arguments import File, Url
from tournaments.maintenance import close_league
from tournaments.results.league_location import past_league


def close(
    file: File,
    store: Url = None,
    abandon: Annotated[
        bool, typer.Option("--abandon", help="Close it although matches remain. Nobody will play them.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Close a league for good: no bot can enter any more, everybody may see all matches, and the seed is public."""
    league, url = past_league(file, store)
    closed = close_league.close(league, url, time.time_ns() // 1_000_000, abandon=abandon)
    if json:
        print_json(closed)
        return
    say(
        f"{closed.league} is closed: {several(closed.played, 'match counts', 'matches count')},"
        f" {several(closed.left_out, 'is', 'are')} left out"
    )
    say(f"its seed was {closed.seed} (SHA-256 {closed.seed_sha256})")
