"""`referee site`: the pages of leagues as files."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import say
from referee.core.errors import WrongUse
from tournaments.cli.arguments import Files, Url
from tournaments.results.league_location import past_league
from tournaments.web.visibility.permissions import Organizer, Viewer, Visitor


class WrongLeagues(WrongUse):
    """The leagues that were named cannot be shown together."""


class SiteNotInstalled(WrongUse):
    """The packages that write pages are not installed."""


def site(
    files: Files,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write into, new or old.")],
    organizer: Annotated[
        bool, typer.Option("--organizer", help="Show everything, open deals too, for the organizer only.")
    ] = False,
    replays: Annotated[
        int, typer.Option(min=0, max=10_000, help="How many matches of each league get a page with a replay.")
    ] = 6,
    store: Url = None,
) -> None:
    """Write the pages of leagues as files that a browser opens from disk."""
    viewer: Viewer = Organizer() if organizer else Visitor()
    if find_spec("jinja2") is None:
        raise SiteNotInstalled("pages need Jinja2, which is not installed; install it: pip install 'referee[site]'")
    if store is not None and len(files) > 1:
        raise WrongLeagues(
            "--store is the store of one league, but several are named; leave it out, or name one league"
        )
    say(f"{_written(files, folder, viewer, replays, store)} files are in {folder}; open {folder / 'index.html'}")


def _written(files: Sequence[Path], folder: Path, viewer: Viewer, replays: int, store: str | None) -> str:
    """Write the site. Returns how many files it has."""
    from tournaments.web.queries import PublishedLeague  # noqa: PLC0415 - it imports the database
    from tournaments.web.static_site import (  # noqa: PLC0415 - see above
        Site,
        check_is_site,
        files_of,
        write,
    )

    now_ms = time.time_ns() // 1_000_000
    named = "organizer" if isinstance(viewer, Organizer) else None
    leagues = [past_league(file, store) for file in files]
    _check_names_differ([league.name for league, _ in leagues])
    check_is_site(folder)
    with ExitStack() as stack:
        sites = []
        for league, url in leagues:
            published_league = stack.enter_context(PublishedLeague(league, url))
            published_league.refresh(now_ms)
            sites.append(Site(published_league.to(viewer), now_ms, named, replays))
        return f"{write(files_of(sites, now_ms), folder):,}"


def _check_names_differ(names: Sequence[str]) -> None:
    """Leagues of one name would have the same pages; and `look` is the folder of style sheets."""
    for name in names:
        if names.count(name) > 1 or name == "look":
            raise WrongLeagues(f"a league named {name} cannot be shown beside the others; give it another name")
