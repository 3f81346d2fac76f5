"""Plays a few deals of the leagues that come with the project, and writes their pages.

python -m tests.demonstration FOLDER
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from tournaments.league.format_settings import BalancedSettings, OpenSettings
from tournaments.league.model import League
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.web.queries import PublishedLeague
from tournaments.web.static_site import Site, files_of, write
from tournaments.web.visibility.permissions import Visitor

LEAGUES = Path("tournaments/leagues")
DEALS = 8
MATCHES = 300
REPLAYS = 4


def shorter(league: League) -> League:
    """The same league with few deals."""
    settings = league.format
    if isinstance(settings, BalancedSettings | OpenSettings) and settings.matches is not None:
        settings = replace(settings, matches=min(MATCHES, settings.matches))
    return replace(league, deals=min(DEALS, league.deals), format=settings)


def leagues() -> Iterator[League]:
    """All leagues that come with the project."""
    return (shorter(league_in(file)) for file in sorted(LEAGUES.glob("*.toml")))


def demonstrate(folder: Path, scratch: Path, now_ms: int) -> int:
    """Play the leagues in `scratch`, and write the site. Returns how many files it has."""
    with ExitStack() as stack:
        sites = []
        for league in leagues():
            url = f"sqlite:///{scratch}/{league.name}.sqlite"
            with open_run(league, url, LocalEnvironment()) as run:
                matches = sum(1 for _ in run.play())
            print(f"{league.name}: {matches} matches", flush=True)
            shown = stack.enter_context(PublishedLeague(league, url))
            shown.refresh(now_ms)
            sites.append(Site(shown.to(Visitor()), now_ms, None, REPLAYS))
        return write(files_of(sites, now_ms), folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        written = demonstrate(Path(sys.argv[1]), Path(scratch), time.time_ns() // 1_000_000)
    print(f"{written} files are in {sys.argv[1]}; open {sys.argv[1]}/index.html")
