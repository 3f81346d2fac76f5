"""`referee submit`: what of a bot's folder travels when it is submitted."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import AsJson, fail, print_json, say
from referee.core.errors import Exit
from referee.core.listing import File, Listing, Symlink, digest, size_of
from referee.files.manifest import read_manifest
from tournaments.submission.limits import USUAL
from tournaments.submission.parcel import parcel


def submit(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A bot's folder.")],
    listed: Annotated[bool, typer.Option("--list", help="Only show what would travel, and its digest.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what of a bot's folder travels when it is submitted."""
    if not listed:
        fail(Exit.WRONG_USE, "so far a bot's files can only be listed; say --list")
    listing = parcel(bot, USUAL)
    entry = read_manifest(bot).entry
    if as_json:
        print_json({"bot": entry, "files": listing, "size": size_of(listing), "source": digest(listing)})
        return
    say(_table(listing))
    say(f"{entry}: {len(listing):,} files and links, {size_of(listing):,} bytes")
    say(f"source: {digest(listing)}")


def _table(listing: Listing) -> str:
    return "\n".join(_line(name, item) for name, item in listing.items())


def _line(name: str, item: File | Symlink) -> str:
    if isinstance(item, Symlink):
        return f"{'link':>12}  {name} -> {item.target}"
    return f"{item.size:>12,}  {name}{'*' if item.executable else ''}"
