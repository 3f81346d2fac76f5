"""`referee league log`: what a bot wrote during a league."""

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Annotated

import typer

from referee.cli.console import AsJson, print_json_line, remark, say, show
from referee.core.text import several
from tournaments.cli.arguments import File, Url
from tournaments.cli.early_exit import until_ctrl_c
from tournaments.play.bot_logs import LogReader, LogRecord
from tournaments.results.league_location import past_league
from tournaments.results.stored_league import open_results
from tournaments.store import logs_folder

_LOOK_EVERY_S = 0.5
_MARGIN = "  | "
"""What a bot wrote stands behind this, so that it cannot look like a line of ours."""


def log(
    file: File,
    bot: Annotated[str, typer.Argument(help="name@version, as in the standings.")],
    match: Annotated[
        str | None,
        typer.Option(
            "--match", metavar="MATCH", help="Print the output of this match only. `league matches` lists the names."
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Print new output as the bot writes it, until you press Ctrl-C.")
    ] = False,
    store: Url = None,
    json: AsJson = False,
) -> None:
    """Print what a bot wrote to stdout and stderr."""
    league, url = past_league(file, store)
    with open_results(league, url) as results:
        results.require_known(bot)
        remote = any(entry.name == bot and entry.remote is not None for entry in results.league.entries)
    telling = LogPrinter()
    nothing = True
    with closing(LogReader(logs_folder(url, league.name), bot)) as reading, until_ctrl_c():
        for record in _followed(reading) if follow else reading.more():
            if match in (None, record.match):
                nothing = False
                (print_json_line if json else telling.tell)(record)
    telling.end_line()
    if nothing:
        remark(_nothing(bot, match, remote=remote))


def _followed(reading: LogReader) -> Iterator[LogRecord]:
    while True:
        yield from reading.more()
        time.sleep(_LOOK_EVERY_S)


def _nothing(bot: str, match: str | None, *, remote: bool) -> str:
    where = "" if match is None else f" in {match}"
    why = "; it is a remote bot, and what it writes stays on its machine" if remote else ""
    return f"nothing is kept of what {bot} wrote{where}{why}"


class LogPrinter:
    """Prints pieces of what a bot wrote, under the match and the seat that they come from."""

    def __init__(self) -> None:
        self._source: tuple[str, int] | None = None
        self._line_is_open = False

    def tell(self, record: LogRecord) -> None:
        """Print the next piece."""
        source = record.match, record.seat
        if source != self._source or record.left_out:
            self.end_line()
        if source != self._source:
            say(f"{record.at}  {record.match}  seat {record.seat}")
            self._source = source
        if record.left_out:
            say(f"  [{several(record.left_out, 'byte is', 'bytes are')} not kept]")
        for line in record.text.splitlines(keepends=True):
            show(line if self._line_is_open else f"{_MARGIN}{line}")
            self._line_is_open = not line.endswith("\n")

    def end_line(self) -> None:
        """End the line that the bot has not ended."""
        if self._line_is_open:
            show("\n")
        self._line_is_open = False
