"""The picture in the README: a terminal that runs the quickstart league and shows its standings.

python -m tests.standings_picture FILE.svg
"""

import io
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tournaments.cli.results_text import standings_notes, standings_table
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in
from tournaments.results.standings import Standings

LEAGUE = Path("tournaments/leagues/quickstart.toml")
_COLUMNS = 100


def picture(table: Standings) -> str:
    """The standings as SVG."""
    console = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    _command(console, f"referee league run {LEAGUE}")
    console.print(Text(f"{table.league} {'━' * 30} {table.matches.played}/{table.matches.planned}", "bright_green"))
    console.print()
    _command(console, f"referee league standings {LEAGUE}")
    found = standings_table(table, _COLUMNS)
    console.print(Text(found.title, "italic"))
    console.print(found.table)
    console.print()
    for note in standings_notes(table):
        console.print(Text(note, "bright_black"))
    return console.export_svg(title="", unique_id="standings")


def _command(console: Console, words: str) -> None:
    console.print(Text.assemble(("$ ", "bright_black"), (words, "bold bright_white")))


def played() -> Standings:
    """The league's standings, after a run of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_run(league_in(LEAGUE), f"sqlite:///{folder}/league.sqlite", LocalEnvironment()) as run,
    ):
        for _ in run.play():
            pass
        return league_standings(run.results)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture(played()), encoding="utf-8")
