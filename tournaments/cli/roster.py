"""`referee league enter` and `withdraw`: bots come and go, also while a league is played."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import fail, say
from referee.core.errors import Exit
from tournaments.cli.arguments import File, Url, Yes
from tournaments.cli.open_league import opened
from tournaments.config.league_file import entry_in
from tournaments.results.league_location import game_of, league_in, store_to_read
from tournaments.results.stored_league import StoredLeague, open_results


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
        begins = kept.enter(entry, time.time_ns() // 1_000_000)
    say(f"{entry.name} is entered; it {begins}")


def withdraw(
    file: File,
    bot: Annotated[str, typer.Argument(help="name@version, as in the standings.")],
    store: Url = None,
    yes: Yes = False,
) -> None:
    """Take a bot out of a league. A run may be playing it. The bot's matches in complete waves still count."""
    with opened(file, store) as kept:
        require_consent(kept, bot, yes=yes)
        left = kept.withdraw(bot, time.time_ns() // 1_000_000)
    say(f"{bot} is withdrawn; {left.sentence()}")


def require_consent(kept: StoredLeague, bot: str, *, yes: bool) -> None:
    """Say which matches stop counting if a bot leaves, and go on only if the organizer wants that."""
    leaving = kept.leaving(bot)
    lost = kept.lost(leaving)
    if lost and not yes:
        ask(leaving.preview(lost), f"Take {bot} out?", f"{bot} stays in the league")


def ask(preview: str, question: str, otherwise: str) -> None:
    """Say what would happen, and go on only if the organizer wants that. `otherwise` says what happens if not."""
    say(preview)
    if not sys.stdin.isatty():
        fail(Exit.WRONG_USE, f"{otherwise}; to go on without a question, add --yes")
    if not typer.confirm(question):
        fail(Exit.WRONG_USE, otherwise)
