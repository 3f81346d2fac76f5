"""`referee league enter` and `withdraw`: bots come and go, also while a league is played."""

import time
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import say
from tournaments.cli.arguments import File, Url
from tournaments.cli.open_league import opened
from tournaments.config.league_file import entry_in
from tournaments.league.format_settings import ByResults
from tournaments.results.league_location import game_of, league_in, store_to_read
from tournaments.results.stored_league import open_results


def enter(
    file: File,
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="The folder of the bot.")],
    label: Annotated[
        str | None, typer.Option(help="Distinguishes entries of the same bot: name+label@version.")
    ] = None,
    store: Url = None,
) -> None:
    """Enter a bot into a league that has run before. A run may be playing it."""
    league = league_in(file)
    entry = entry_in(bot, label, league, game_of(league))
    with open_results(league, store_to_read(league, file, store)) as kept:
        kept.enter(entry, time.time_ns() // 1_000_000)
    say(f"{entry.name} is entered; it plays from the next {'wave' if isinstance(league.format, ByResults) else 'run'}")


def withdraw(
    file: File,
    bot: Annotated[str, typer.Argument(help="name@version, as in the standings.")],
    store: Url = None,
) -> None:
    """Take a bot out of a league. A run may be playing it. The bot's matches before the current wave still count."""
    with opened(file, store) as kept:
        kept.withdraw(bot, time.time_ns() // 1_000_000)
    if isinstance(kept.league.format, ByResults):
        say(f"{bot} is withdrawn; its matches in the current wave do not count, and no later wave has it")
    else:
        say(f"{bot} is withdrawn; none of its matches count, and the next run plays without it")
