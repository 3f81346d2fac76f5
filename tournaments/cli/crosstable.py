"""`referee league crosstable`: the bots of a league against each other."""

from typing import Annotated

import typer

from referee.cli.console import AsJson, fail, print_json
from referee.core.errors import Exit
from tournaments.cli import tables
from tournaments.cli.arguments import File, Url, Wide
from tournaments.cli.layout import room, show
from tournaments.run import league_in, store_of, to_read


def crosstable(
    file: File,
    bot: Annotated[
        list[str] | None, typer.Option(help="Only the lines of this bot (name@version); may be repeated.")
    ] = None,
    everything: Wide = False,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Print how every two bots did against each other, and how they would have by their ratings."""
    league = league_in(file)
    bots = [entry.name for entry in league.entries]
    for name in bot or ():
        if name not in bots:
            fail(Exit.WRONG_USE, f"there is no bot {name} in {league.name}; its bots: {', '.join(sorted(bots))}")
    with to_read(league, store or store_of(league, file)) as kept:
        table = kept.crosstable()
    if json:
        print_json(table)
        return
    width = room(everything=everything)
    found = [*tables.crosstables(table, bot or bots, width), tables.pairs_table(table, bot or bots, width)]
    show(tables.interim_notes(table), found, tables.crosstable_notes(table), width)
