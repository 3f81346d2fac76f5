"""`referee league rounds`: the tree of a knock-out, or the table of a Swiss."""

from collections.abc import Mapping, Sequence

from referee.cli.console import AsJson, print_json, say
from tournaments.cli.arguments import File, Url, Wide
from tournaments.cli.open_league import opened
from tournaments.cli.table_layout import FittedTable, TableColumn, fitted, room, show
from tournaments.schedule.formats import Bracket, SwissStanding
from tournaments.schedule.formats.knockout_bracket_text import drawn

SWISS_NOTES = (
    "points: the sum of the bot's mean shares in its rounds; Buchholz: the points of its opponents",
    "a round counts when all its matches are settled",
)


def rounds(file: File, everything: Wide = False, store: Url = None, json: AsJson = False) -> None:
    """Print the rounds of a knock-out or a Swiss so far."""
    with opened(file, store) as kept:
        found = kept.rounds()
        ratings = {} if isinstance(found, Bracket) else {line.bot: line.rating for line in kept.standings().standings}
    if json:
        print_json(found)
    elif isinstance(found, Bracket):
        say(drawn(found, room(everything=everything)).rstrip("\n"))
    else:
        width = room(everything=everything)
        show((), [swiss_table(kept.league.name, found, ratings, width)], SWISS_NOTES, width)


def swiss_table(name: str, lines: Sequence[SwissStanding], ratings: Mapping[str, float], width: int) -> FittedTable:
    """The table of a Swiss, one line for each bot, in lines of `width` characters."""
    played = max((len(line.rounds) for line in lines), default=0)
    columns = [
        TableColumn("#", [str(at) for at in range(1, len(lines) + 1)]),
        TableColumn("bot", [line.entry for line in lines], names=True),
        TableColumn("points", [f"{line.points:.3f}" for line in lines]),
        TableColumn("Buchholz", [f"{line.buchholz:.3f}" for line in lines]),
        TableColumn("rating", [f"{ratings[line.entry]:.2f}" if line.entry in ratings else "-" for line in lines]),
        TableColumn("byes", [str(line.byes) for line in lines], spare=1),
    ]
    return fitted(f"{name}: {_after(played)}", columns, width)


def _after(rounds: int) -> str:
    if rounds == 0:
        return "no round is over yet"
    return "after 1 round" if rounds == 1 else f"after {rounds} rounds"
