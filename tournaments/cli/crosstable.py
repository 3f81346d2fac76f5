"""`referee league crosstable`: the bots of a league against each other."""

from typing import Annotated

import typer

from referee.cli.console import AsJson, print_json
from tournaments.cli import result_tables
from tournaments.cli.arguments import File, Url, Wide
from tournaments.cli.open_league import opened
from tournaments.cli.table_layout import room, show


def crosstable(
    file: File,
    bot: Annotated[
        list[str] | None, typer.Option(help="Only the lines of this bot (name@version); may be repeated.")
    ] = None,
    everything: Wide = False,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Print the results of every two bots against each other, beside those that their ratings predict."""
    with opened(file, store) as kept:
        for name in bot or ():
            kept.require_entered(name)
        bots = bot or [entry.name for entry in kept.rated.entries]
        table = kept.crosstable()
    if json:
        print_json(table)
        return
    width = room(everything=everything)
    found = [*result_tables.crosstables(table, bots, width), result_tables.pairs_table(table, bots, width)]
    notes = (result_tables.SCORE_NOTE, result_tables.PAIRS_NOTE, *result_tables.crosstable_notes(table))
    show(result_tables.interim_notes(table), found, notes, width)
